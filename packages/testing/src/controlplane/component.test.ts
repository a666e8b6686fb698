import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComponentOrder, startComponent } from './component.ts';
import { Guard } from './guard.ts';
import { isRunning } from './process-state.test-support.ts';

let guard: Guard;
beforeAll(async () => {
  guard = await Guard.start({ keepLogs: false });
});
afterAll(() => guard.close());

const forever = 'setInterval(() => {}, 1000)';

/** A server that is a JavaScript program; it is ready at once unless the order says otherwise. */
function order(
  program: (attempt: number, port: number) => string,
  given: Partial<ComponentOrder> = {},
): ComponentOrder {
  let attempts = 0;
  return {
    name: 'server',
    file: process.execPath,
    folder: guard.folder,
    ports: 1,
    args: ([port = 0]) => ['-e', program((attempts += 1), port)],
    problem: () => Promise.resolve(undefined),
    ...given,
  };
}

const taken = (port: number): string =>
  `console.error('listen tcp 127.0.0.1:${port}: bind: address already in use'); process.exitCode = 1`;

describe('starting a server', () => {
  test('waits until nothing is missing', async () => {
    const missing = ['it is not there', 'it is waking up'];
    const component = await startComponent(
      guard,
      order(() => forever, { problem: () => Promise.resolve(missing.shift()) }),
    );
    expect(missing).toEqual([]);
    expect(component.ports).toHaveLength(1);
    await component.stop();
  });

  test('shows the end of its log where it ends instead', async () => {
    const failing = order(() => `console.error('unknown flag: --nonsense'); process.exitCode = 2`, {
      problem: () => Promise.resolve('it is not there'),
    });
    await expect(startComponent(guard, failing)).rejects.toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringMatching(
        /server \(pid \d+\) ended with code 2 while it was starting.*unknown flag: --nonsense/s,
      ),
    });
  });

  test('takes another port where the first was lost to somebody else', async () => {
    const ports: number[] = [];
    let ready = false;
    const unlucky = order(
      (attempt, port) => {
        ports.push(port);
        ready = attempt === 3;
        return ready ? forever : taken(port);
      },
      { problem: () => Promise.resolve(ready ? undefined : 'it is not there') },
    );
    const component = await startComponent(guard, unlucky);
    expect(ports).toHaveLength(3);
    expect(component.ports).toEqual([ports[2]]);
    await component.stop();
  });

  test.each([
    ['gives up after some of them', undefined, 5],
    ['tries no other where the port was given', 6443, 1],
  ])('%s, and names the port', async (_, fixedPort, attempts) => {
    const ports: number[] = [];
    const program = (_attempt: number, port: number): string => {
      ports.push(port);
      return taken(port);
    };
    const problem = (): Promise<string> => Promise.resolve('it is not there');
    const error: unknown = await startComponent(guard, order(program, { fixedPort, problem })).catch(
      (reason: unknown) => reason,
    );
    expect(ports).toHaveLength(attempts);
    expect(error).toMatchObject({
      code: 'TESTING_PORT_TAKEN',
      message: expect.stringContaining(`server cannot listen on port ${ports.at(-1)}`),
    });
  });

  test('ends it when it is not ready in time, and says what was missing', async () => {
    const slow = order(() => `console.log('still loading', process.pid); ${forever}`, {
      problem: () => Promise.resolve('/readyz answers 500: etcd failed'),
      within: 1500,
    });
    const error = await startComponent(guard, slow).catch((reason: unknown) => reason as Error & { code: string });
    expect(error).toMatchObject({
      code: 'TESTING_START_TIMEOUT',
      message: expect.stringMatching(/waited 1.5 s for server: \/readyz answers 500: etcd failed/),
    });
    const pid = Number(/still loading (\d+)/.exec((error as Error).message)?.[1]);
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  });

  test('ends it when nobody wants it any more, also while a question is unanswered', async () => {
    const wanted = new AbortController();
    const silent = order(() => forever, {
      problem: () => new Promise<undefined>(() => undefined),
      signal: wanted.signal,
    });
    const starting = startComponent(guard, silent);
    wanted.abort(new Error('changed my mind'));
    await expect(starting).rejects.toThrow('changed my mind');
  });
});

describe('stopping a server', () => {
  test('asks it first; calling again waits for the same end', async () => {
    const program = `process.on('SIGTERM', () => { console.log('orderly'); process.exit(0); }); ${forever}; console.log('up')`;
    const component = await startComponent(
      guard,
      order(() => program),
    );
    await expect.poll(() => component.log()).toContain('up');
    expect(component.stopping).toBe(false);
    await Promise.all([component.stop(), component.stop()]);
    expect(await component.ended).toMatchObject({ code: 0 });
    expect(component.log()).toContain('orderly');
    expect(component.stopping).toBe(true);
  });

  test('kills one that does not listen', async () => {
    const program = `process.on('SIGTERM', () => {}); ${forever}; console.log('up')`;
    const component = await startComponent(
      guard,
      order(() => program, { name: 'deaf', grace: 200 }),
    );
    await expect.poll(() => component.log()).toContain('up');
    await component.stop();
    expect(await component.ended).toMatchObject({ signal: 'SIGKILL' });
  });
});

describe('restarting a server', () => {
  test('kills it and starts it again with the same ports; its end in between is not its end', async () => {
    const ports: number[] = [];
    const component = await startComponent(
      guard,
      order((_, port) => (ports.push(port), forever)),
    );
    await expect.poll(() => component.pid).toBeGreaterThan(0);
    const { pid } = component;
    let ended = false;
    void component.ended.then(() => (ended = true));
    await component.restart();
    await expect.poll(() => component.pid).toBeGreaterThan(0);
    expect([isRunning(pid ?? 0), isRunning(component.pid ?? 0)]).toEqual([false, true]);
    expect(new Set(ports).size).toBe(1);
    expect([ports.length, ended, component.hasEnded]).toEqual([2, false, false]);
    await component.stop();
    expect([ended, component.hasEnded]).toEqual([true, true]);
  });

  test('one that does not come up again is reported with its log', async () => {
    const failing = (attempt: number): string =>
      attempt === 1 ? forever : `console.error('the data is broken'); process.exitCode = 2`;
    let up = true;
    const component = await startComponent(
      guard,
      order(failing, { problem: () => Promise.resolve(up ? undefined : 'it is not there') }),
    );
    up = false;
    await expect(component.restart()).rejects.toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringContaining('the data is broken'),
    });
    expect(await component.ended).toMatchObject({ code: 2 });
  });

  test('a stop while it is down leaves nothing', async () => {
    const component = await startComponent(
      guard,
      order(() => forever),
    );
    const restarting = component.restart(50);
    await component.stop();
    await restarting;
    expect([component.hasEnded, isRunning(component.pid ?? 0)]).toEqual([true, false]);
    await expect(component.restart()).rejects.toMatchObject({ code: 'TESTING_START_FAILED' });
  });
});
