import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '../telemetry/index.ts';
import { uncaughtErrors } from './signals.ts';

afterEach(() => vi.restoreAllMocks());

type Listener = (cause: unknown) => void;

function loggerOf(error: Logger['error']): Logger {
  const ignore = (): void => undefined;
  const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error, child: () => logger };
  return logger;
}

/** What listens to the process, without the process: a test runner listens there too. */
function listened() {
  const listeners = new Map<string, Listener>();
  vi.spyOn(process, 'on').mockImplementation((event: string | symbol, listener: unknown) => {
    listeners.set(String(event), listener as Listener);
    return process;
  });
  const told: unknown[] = [];
  const errors = uncaughtErrors(loggerOf((given) => void told.push(given)));
  const fail = (event: string, cause: unknown): void => listeners.get(event)?.(cause);
  return { ...errors, fail, told };
}

test.each(['uncaughtException', 'unhandledRejection'])(
  'B-36: the first %s is the failure, those that follow are reported',
  async (event) => {
    const { uncaught, fail, told } = listened();
    fail(event, new Error('first'));
    expect(told).toEqual([]);
    const second = new Error('second');
    fail(event, second);
    expect(told).toEqual([{ err: second }]);
    await expect(uncaught).rejects.toMatchObject({ code: 'MANAGER_UNCAUGHT', summary: 'first' });
  },
);

const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap');
    },
    getPrototypeOf: () => {
      throw new Error('trap');
    },
  },
);

test.each([
  ['nothing', undefined],
  ['what has no text', Object.create(null) as unknown],
  ['a symbol', Symbol('s')],
  ['what defends itself', hostile],
])('%s can be the failure: saying so does not fail', async (_, cause) => {
  const { uncaught, fail } = listened();
  fail('unhandledRejection', cause);
  await expect(uncaught).rejects.toMatchObject({ code: 'MANAGER_UNCAUGHT' });
});

test('of the work that is done nothing listens to the process any more', () => {
  const listening = new Set<unknown>();
  vi.spyOn(process, 'on').mockImplementation((_, listener: unknown) => void listening.add(listener) as never);
  const left: string[] = [];
  vi.spyOn(process, 'off').mockImplementation((event, listener: unknown) => {
    if (listening.has(listener)) left.push(String(event));
    return process;
  });
  uncaughtErrors(loggerOf(() => undefined))[Symbol.dispose]();
  expect(left).toEqual(['uncaughtException', 'unhandledRejection']);
});
