import { describe, expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { allowed, AttemptGate, longer, noOutage } from './attempt-gate.ts';
import { watchOutcome } from './scripted-server.test-support.ts';

const live = new AbortController().signal;
const refused = (): Error => new Error('refused');

describe('pauses between attempts', () => {
  test('TR-13: grow to 2 s, and jitter only shortens them by half', () => {
    let outage = noOutage;
    const pauses = Array.from({ length: 8 }, () => (outage = longer(outage, 0, 1)).notBefore);
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
    expect(longer(noOutage, 1000, 0)).toEqual({ failures: 1, notBefore: 1050 });
  });

  test.each([
    [noOutage, 0, 8],
    [{ failures: 1, notBefore: 100 }, 99, 0],
    [{ failures: 1, notBefore: 100 }, 100, 1],
  ])('TR-13: %j at %d allows %d at once', (outage, now, most) => {
    expect(allowed(outage, now)).toBe(most);
  });
});

describe('many who want to connect', () => {
  test('TR-13: share the failure of the few attempts that are made', async () => {
    const runtime = virtualRuntime();
    const gate = new AttemptGate(runtime, 1000);
    let attempts = 0;
    const work = async (): Promise<never> => {
      attempts += 1;
      await runtime.clock.sleep(10);
      throw refused();
    };
    const first = Array.from({ length: 100 }, () => watchOutcome(gate.attempt(work, live)));
    await runtime.clock.advance(10);
    expect(attempts).toBe(8);
    expect(first.every(({ error }) => (error as Error).message === 'refused')).toBe(true);

    const second = Array.from({ length: 100 }, () => watchOutcome(gate.attempt(work, live)));
    await runtime.clock.advance(20_000);
    expect(attempts).toBe(9);
    expect(second.every(({ settled }) => settled)).toBe(true);
    expect(runtime.clock.pending).toBe(0);
  });

  test('TR-13: one attempt that succeeds lets the others go, a few at a time', async () => {
    const runtime = { ...virtualRuntime(), random: () => 1 };
    const gate = new AttemptGate(runtime, 1000);
    await expect(gate.attempt(() => Promise.reject(refused()), live)).rejects.toThrow('refused');
    let running = 0;
    let most = 0;
    const work = async (): Promise<string> => {
      running += 1;
      most = Math.max(most, running);
      await runtime.clock.sleep(10);
      running -= 1;
      return 'open';
    };
    const all = Array.from({ length: 30 }, () => watchOutcome(gate.attempt(work, live)));
    await runtime.clock.advance(110);
    expect(all.filter(({ value }) => value === 'open')).toHaveLength(1);
    await runtime.clock.advance(1000);
    expect(all.every(({ value }) => value === 'open')).toBe(true);
    expect(most).toBe(8);
  });

  test('one who leaves is not served, and an attempt called off says nothing about the server', async () => {
    const runtime = virtualRuntime();
    const gate = new AttemptGate(runtime, 1);
    await expect(gate.attempt(() => Promise.reject(refused()), live)).rejects.toThrow('refused');
    const controller = new AbortController();
    const left = watchOutcome(gate.attempt(() => Promise.resolve(), controller.signal));
    await expect(gate.attempt(() => Promise.resolve(), live)).rejects.toMatchObject({ code: 'TRANSPORT_BUSY' });
    controller.abort(new Error('enough'));
    await runtime.clock.settle();
    expect(left.error).toEqual(new Error('enough'));
    expect(runtime.clock.pending).toBe(0);

    await runtime.clock.advance(100);
    const calledOff = new AbortController();
    const work = async (): Promise<void> => {
      calledOff.abort(new Error('no more'));
      return Promise.reject(new Error('no more'));
    };
    await expect(gate.attempt(work, calledOff.signal)).rejects.toThrow('no more');
    expect(await gate.attempt(() => Promise.resolve('at once'), live)).toBe('at once');
  });
});
