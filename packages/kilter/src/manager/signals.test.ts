import { afterEach, expect, test, vi } from 'vitest';
import type { Logger } from '../telemetry/index.ts';
import { uncaughtErrors } from './signals.ts';

afterEach(() => vi.restoreAllMocks());

type Listener = (cause: unknown) => void;

/** What listens to the process, without the process: a test runner listens there too. */
function listened() {
  const listeners = new Map<string, Listener>();
  vi.spyOn(process, 'on').mockImplementation((event: string | symbol, listener: unknown) => {
    listeners.set(String(event), listener as Listener);
    return process;
  });
  const told: unknown[] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (given: object | string) => void told.push(given),
    child: () => logger,
  };
  const errors = uncaughtErrors(logger);
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
