import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly lines: {
    readonly msg: string;
    readonly stack?: string[];
    readonly running?: string[];
    readonly stalledMs: number;
  }[];
}

/** Of the watchdog, in milliseconds: long enough that a machine with much to do answers within half of it. */
const limits: Readonly<Record<string, number>> = { debugged: 1500, unread: 1500 };
const usualLimit = 9000;

/** A process that is stuck in one way or another; `during` is called once it begins, or its stall is told. */
async function ended(
  what: string,
  during: (child: ChildProcess, moment: 'begins' | 'told') => void = () => undefined,
  sign = '',
): Promise<Ended> {
  const program = resolve(import.meta.dirname, 'watchdog.child.test-support.ts');
  const child = spawn(process.execPath, [
    '--conditions=@kilter/source',
    program,
    what,
    String(limits[what] ?? usualLimit),
    sign,
  ]);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (out === '') during(child, 'begins');
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (err === '') during(child, 'told');
    err += chunk.toString();
  });
  const { promise, resolve: end } = Promise.withResolvers<Pick<Ended, 'code' | 'signal'>>();
  child.on('close', (code, signal) => end({ code, signal }));
  const how = await promise;
  const lines = err.split('\n').filter((line) => line.startsWith('{'));
  return { ...how, out, lines: lines.map((line) => JSON.parse(line) as Ended['lines'][number]) };
}

describe.concurrent('G-2: the watchdog of the event loop', () => {
  test.each([
    ['a loop that never waits', 'loop', 'neverWaits'],
    ['an expression that takes exponential time (J-06)', 'expression', 'matches'],
  ])(
    '%s: the stack after half of the limit, the end of the process after all of it, what ran in its last line',
    async (_, what, name) => {
      const { signal, lines, out } = await ended(what);
      expect([signal, out]).toEqual(['SIGKILL', 'begins\n']);
      expect(lines.map(({ msg }) => msg)).toEqual([
        'the event loop is stuck: nothing else runs, and the Lease is not renewed',
        'the event loop has been stuck for too long: the process is ended',
      ]);
      expect(lines[0]?.stack?.[0]).toMatch(new RegExp(`^${name} \\(.*watchdog\\.child\\.test-support\\.ts:\\d+\\)$`));
      expect(lines.map(({ running }) => running)).toEqual([['thing/default/a'], ['thing/default/a']]);
      expect(lines[0]?.stalledMs).toBeGreaterThanOrEqual(usualLimit / 2);
      expect(lines[1]?.stalledMs).toBeGreaterThanOrEqual(usualLimit);
    },
    120_000,
  );

  test('MG-19: where nobody reads its lines any more, the process is ended all the same', async () => {
    const { signal } = await ended('unread', (child) => void child.stderr?.destroy());
    expect(signal).toBe('SIGKILL');
  }, 120_000);

  test('a stall that ends in time is logged, and the process goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kilter-watchdog-'));
    const sign = join(folder, 'enough');
    const { code, lines, out } = await ended('long', (_, moment) => moment === 'told' && writeFileSync(sign, ''), sign);
    rmSync(folder, { recursive: true });
    expect([code, out]).toEqual([0, 'begins\nended\n']);
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the event loop is stuck: nothing else runs, and the Lease is not renewed',
      'the event loop is running again',
    ]);
  }, 120_000);

  test('a process that is being debugged is not stuck', async () => {
    const { code, lines, out } = await ended('debugged');
    expect([code, out, lines]).toEqual([0, 'begins\nended\n', []]);
  }, 120_000);

  test('a process that was stopped as a whole was not stuck', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kilter-watchdog-'));
    const sign = join(folder, 'enough');
    const stop = (child: ChildProcess): void => {
      // Once the watchdog has seen that the heart does not beat: what it counts from then on is what is tested.
      setTimeout(() => child.kill('SIGSTOP'), 1000);
      setTimeout(() => {
        writeFileSync(sign, '');
        child.kill('SIGCONT');
      }, 7000);
    };
    const { code, lines, out } = await ended('stopped', stop, sign);
    rmSync(folder, { recursive: true });
    expect([code, out, lines]).toEqual([0, 'begins\nended\n', []]);
  }, 120_000);
});
