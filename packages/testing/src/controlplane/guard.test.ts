import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { endingInWords, Guard, type Ward } from './guard.ts';
import type { Told } from './guarding.test-support.ts';
import { guardianFile } from './guardian-process.ts';
import { isRunning, soon } from './process-state.test-support.ts';

const guards: Guard[] = [];
afterEach(async () => {
  for (const guard of guards.splice(0)) await guard.close();
});

async function guarded(options: { keepLogs?: boolean } = {}): Promise<Guard> {
  const guard = await Guard.start({ keepLogs: options.keepLogs ?? false });
  guards.push(guard);
  return guard;
}

/** A JavaScript program under guard. */
function run(guard: Guard, program: string, name = 'program'): Ward {
  const log = join(guard.folder, `${name}.log`);
  return guard.start({ file: process.execPath, args: ['-e', program], folder: guard.folder, log });
}

function restore(variable: string, value: string | undefined): void {
  if (value === undefined) delete process.env[variable];
  else process.env[variable] = value;
}

const forever = 'setInterval(() => {}, 1000)';

describe('a guard', () => {
  test('starts processes, keeps what they print and tells how they end', async () => {
    const guard = await guarded();
    const ward = run(guard, 'console.log("out"); console.error("err"); process.exitCode = 7');
    expect(await ward.ended).toMatchObject({ code: 7, signal: null });
    expect(readFileSync(join(guard.folder, 'program.log'), 'utf8').split('\n').toSorted()).toEqual(['', 'err', 'out']);
  });

  test('passes signals on', async () => {
    const guard = await guarded();
    const ward = run(guard, forever);
    await soon(() => ward.pid !== undefined);
    ward.signal('SIGTERM');
    expect(await ward.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  test('says why a process could not be run', async () => {
    const guard = await guarded();
    const order = { args: [], folder: guard.folder, log: join(guard.folder, 'x.log') };
    const ending = await guard.start({ file: join(guard.folder, 'nothing'), ...order }).ended;
    expect(endingInWords(ending)).toMatch(/could not be run: .*ENOENT/);
    const loop = join(guard.folder, 'loop');
    symlinkSync(loop, loop);
    expect(endingInWords(await guard.start({ file: loop, ...order }).ended)).toMatch(/could not be run: .*ELOOP/);
    expect(isRunning(guard.pid)).toBe(true);
  });

  test('says that output is lost where it cannot be written, and the process goes on', async () => {
    const guard = await guarded();
    const log = join(guard.folder, 'no', 'such', 'folder.log');
    const program = 'console.log("lost"); setInterval(() => {}, 1000)';
    const ward = guard.start({ file: process.execPath, args: ['-e', program], folder: guard.folder, log });
    expect(await soon(() => ward.unlogged !== undefined)).toBe(true);
    expect(ward.unlogged).toContain('ENOENT');
    expect(isRunning(ward.pid ?? 0)).toBe(true);
  });

  test('hands on nothing of the environment but what a server needs', async () => {
    const guard = await guarded();
    process.env['ETCD_NAME'] = 'stray';
    await run(guard, 'console.log(JSON.stringify([process.env.ETCD_NAME, process.env.HOME, process.cwd()]))').ended;
    delete process.env['ETCD_NAME'];
    const seen: unknown = JSON.parse(readFileSync(join(guard.folder, 'program.log'), 'utf8'));
    expect(seen).toEqual([null, guard.folder, guard.folder]);
  });

  test('keeps its folder from others, and removes it with what runs when it is closed', async () => {
    const guard = await guarded();
    const ward = run(guard, forever);
    await soon(() => ward.pid !== undefined);
    expect(statSync(guard.folder).mode & 0o777).toBe(0o700);
    await Promise.all([guard.close(), guard.close()]);
    expect(existsSync(guard.folder)).toBe(false);
    expect([guard.pid, ward.pid ?? 0].filter(isRunning)).toEqual([]);
    expect(endingInWords(await run(guard, forever).ended)).toContain('guardian is gone');
  });

  test('keeps the logs, and nothing else, where that is wanted', async () => {
    const guard = await guarded({ keepLogs: true });
    await run(guard, `console.log('seen'); require('node:fs').writeFileSync('secret.key', 'x')`).ended;
    await guard.close();
    expect(readFileSync(join(guard.folder, 'program.log'), 'utf8')).toBe('seen\n');
    expect(existsSync(join(guard.folder, 'secret.key'))).toBe(false);
    rmSync(guard.folder, { recursive: true });
  });

  test('that is killed takes nothing down with it but its wards: they end, and it is said why', async () => {
    const guard = await guarded();
    const ward = run(guard, forever);
    await soon(() => ward.pid !== undefined);
    process.kill(guard.pid, 'SIGKILL');
    const ending = await ward.ended;
    expect(endingInWords(ending)).toMatch(/guardian \(pid \d+\) was ended by SIGKILL/);
    expect(isRunning(ward.pid ?? 0)).toBe(false);
    expect(endingInWords(await run(guard, forever).ended)).toContain('guardian is gone');
    await guard.close();
    expect(existsSync(guard.folder)).toBe(false);
  });

  test('that is asked to end, as by `killall node`, ends its wards first and says why', async () => {
    const guard = await guarded();
    const ward = run(guard, forever);
    await soon(() => ward.pid !== undefined);
    process.kill(guard.pid, 'SIGTERM');
    expect(endingInWords(await ward.ended)).toMatch(/guardian \(pid \d+\) ended with code 143 because of SIGTERM/);
    expect(isRunning(ward.pid ?? 0)).toBe(false);
    expect(existsSync(guard.folder)).toBe(false);
    await guard.close();
  });

  test('whose start is not wanted any more leaves nothing', async () => {
    const place = mkdtempSync(join(tmpdir(), 'kilter-guard-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = place;
    const wanted = new AbortController();
    const starting = Guard.start({ keepLogs: false, signal: wanted.signal });
    restore('TMPDIR', before);
    wanted.abort(new Error('changed my mind'));
    await expect(starting).rejects.toThrow('changed my mind');
    expect(readdirSync(place)).toEqual([]);
    rmSync(place, { recursive: true });
  });

  test('uses the file that belongs to the form of the package', () => {
    expect(guardianFile('file:///a/src/controlplane/x.ts?v=1')).toMatch(/src.controlplane.guardian.main\.ts$/);
    expect(guardianFile('file:///a/dist/controlplane/x.js')).toMatch(/dist.controlplane.guardian.main\.js$/);
  });
});

const program = new URL('guarding.test-support.ts', import.meta.url);
const nodeArguments = ['--conditions=@kilter/source', '--disable-warning=ExperimentalWarning'];

async function told(child: ChildProcess): Promise<Told> {
  child.stdout?.setEncoding('utf8');
  const [text] = (await once(child.stdout ?? child, 'data')) as [string];
  return JSON.parse(text) as Told;
}

async function expectNothingLeft({ guardian, wards, folder }: Told): Promise<void> {
  await soon(() => ![guardian, ...wards].some(isRunning) && !existsSync(folder));
  expect({ running: [guardian, ...wards].filter(isRunning), folder: existsSync(folder) }).toEqual({
    running: [],
    folder: false,
  });
}

// Each loads the sources again, which takes a busy machine its time.
describe('nothing is left of a program', { timeout: 120_000 }, () => {
  test.each([
    ['that finishes without a word', 'finish', undefined],
    ['that calls process.exit', 'exit', undefined],
    ['that ends by an exception nobody caught', 'throw', undefined],
    ['that is interrupted', 'wait', 'SIGINT'],
    ['that is terminated', 'wait', 'SIGTERM'],
    ['that is killed', 'wait', 'SIGKILL'],
  ] as const)('%s', async (_, way, signal) => {
    const child = spawn(process.execPath, [...nodeArguments, program.pathname, way], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const all = await told(child);
    expect(all.wards).toHaveLength(2);
    if (signal !== undefined) {
      expect([all.guardian, ...all.wards].every(isRunning)).toBe(true);
      child.kill(signal);
    }
    await ended;
    await expectNothingLeft(all);
  });

  test('that is terminated together with its guardian', async () => {
    const child = spawn(process.execPath, [...nodeArguments, program.pathname, 'wait'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    const all = await told(child);
    process.kill(all.guardian, 'SIGTERM');
    child.kill('SIGTERM');
    await ended;
    await expectNothingLeft(all);
  });

  test('that runs as a worker thread and is terminated', async () => {
    const worker = new Worker(program, { execArgv: nodeArguments, workerData: 'wait' });
    const [all] = (await once(worker, 'message')) as [Told];
    expect([all.guardian, ...all.wards].every(isRunning)).toBe(true);
    await worker.terminate();
    await expectNothingLeft(all);
  });
});

test.each([join(import.meta.dirname, 'not-there'), process.execPath])(
  'a guardian that cannot make its folder in %s says so',
  async (place) => {
    const tmp = process.env['TMPDIR'];
    process.env['TMPDIR'] = place;
    const error = await Guard.start({ keepLogs: false }).catch((reason: unknown) => reason);
    restore('TMPDIR', tmp);
    expect(error).toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringMatching(/guardian.*did not start.*mkdtemp '.*' \(.*TMPDIR must name a folder/),
    });
  },
);

test('a folder for temporary files may be named from where the test runs', async () => {
  const tmp = process.env['TMPDIR'];
  const place = mkdtempSync(join(tmpdir(), 'kilter-guard-'));
  process.env['TMPDIR'] = relative(process.cwd(), place);
  const guard = await Guard.start({ keepLogs: false });
  restore('TMPDIR', tmp);
  expect(dirname(guard.folder)).toBe(place);
  await guard.close();
  rmSync(place, { recursive: true });
});
