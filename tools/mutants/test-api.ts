// Stands in for `vitest` while mutants are judged: collects the tests of many files in one process, to be run again and again.
// The assertions are vitest's own.
import * as vitest from 'vitest';

export interface Suite {
  readonly parent: Suite | undefined;
  readonly skipped: boolean;
  readonly beforeAll: Hook[];
  readonly afterAll: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
}

export interface Test {
  readonly title: string;
  readonly suite: Suite;
  readonly skipped: boolean;
  readonly run: () => unknown;
}

/** May answer a function that cleans up. */
type Hook = () => unknown;
type Body = (...args: never[]) => unknown;

const suiteIn = (parent: Suite | undefined, skipped: boolean): Suite => ({
  parent,
  skipped,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

/** Where tests go that are declared now. */
let current: Suite = suiteIn(undefined, false);
let declared: Test[] = [];
let pending: Promise<void>[] = [];
/** What the test that runs has asked for at its end. */
let atEnd: Hook[] = [];

/** The tests that loading a file declares. */
export async function collect(load: () => Promise<unknown>): Promise<Test[]> {
  [current, declared, pending] = [suiteIn(undefined, false), [], []];
  await load();
  while (pending.length > 0) await pending.shift();
  return declared;
}

/** Those that were asked for since the last call. */
export function takeEndHooks(): Hook[] {
  const taken = atEnd;
  atEnd = [];
  return taken.toReversed();
}

const bodyOf = (rest: readonly unknown[]): Body =>
  (rest.find((part) => typeof part === 'function') as Body | undefined) ?? (() => undefined);

interface Declaration {
  readonly title: string;
  /** Options and the function, in the order in which they were given. */
  readonly rest: readonly unknown[];
  readonly skipped: boolean;
  /** The row of a table. */
  readonly args: readonly unknown[];
}

function declare({ title, rest, skipped, args }: Declaration): void {
  const body = bodyOf(rest);
  const context = { expect, onTestFinished, signal: new AbortController().signal };
  const run = (): unknown => body(...([...args, context] as never[]));
  declared.push({ title, suite: current, skipped: skipped || isSkipped(current), run });
}

function group({ rest, skipped, args }: Declaration): void {
  const [outer, inner] = [current, suiteIn(current, skipped)];
  current = inner;
  const result = bodyOf(rest)(...(args as never[]));
  current = outer;
  if (!(result instanceof Promise)) return;
  pending.push(result.then(() => undefined));
}

function isSkipped(suite: Suite | undefined): boolean {
  return suite !== undefined && (suite.skipped || isSkipped(suite.parent));
}

/** `test` and `describe` with their variants. */
function declarer(one: (declaration: Declaration) => void): unknown {
  const make = (skipped: boolean) =>
    Object.assign((title: string, ...rest: unknown[]) => one({ title, rest, skipped, args: [] }), {
      each:
        (rows: readonly unknown[]) =>
        (title: string, ...rest: unknown[]) => {
          for (const row of rows) {
            one({ title: `${title} ${safeText(row)}`, rest, skipped, args: Array.isArray(row) ? row : [row] });
          }
        },
    });
  const skip = make(true);
  return Object.assign(make(false), {
    skip,
    skipIf: (condition: unknown) => (condition ? skip : make(false)),
    runIf: (condition: unknown) => (condition ? make(false) : skip),
    concurrent: make(false),
    sequential: make(false),
  });
}

function safeText(row: unknown): string {
  const first: unknown = Array.isArray(row) ? row[0] : row;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : '';
}

export const test = declarer(declare);
export const it: unknown = test;
export const describe = declarer(group);
export const suite: unknown = describe;

export const beforeAll = (hook: Hook): void => void current.beforeAll.push(hook);
export const afterAll = (hook: Hook): void => void current.afterAll.push(hook);
export const beforeEach = (hook: Hook): void => void current.beforeEach.push(hook);
export const afterEach = (hook: Hook): void => void current.afterEach.push(hook);
export const onTestFinished = (hook: Hook): void => void atEnd.push(hook);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks again until the assertion holds; vitest's own needs its worker. */
function poll(ask: () => unknown, { timeout = 1000, interval = 50 } = {}): unknown {
  const negated: string[] = [];
  const proxy: unknown = new Proxy(
    {},
    {
      get: (_, name: string) => {
        if (name === 'not' || name === 'resolves') return (negated.push(name), proxy);
        return async (...args: unknown[]) => {
          const end = performance.now() + timeout;
          for (;;) {
            try {
              const start: unknown = vitest.expect(await ask());
              const subject = negated.reduce((at, part) => (at as Record<string, unknown>)[part], start);
              return await (subject as Record<string, (...given: unknown[]) => unknown>)[name]?.(...args);
            } catch (error) {
              if (performance.now() >= end) throw error;
              await pause(interval);
            }
          }
        };
      },
    },
  );
  return proxy;
}

// Matchers that vitest adds to those of chai ask its worker for the file of the test that runs; here is no worker.
vitest.expect.setState({ testPath: 'judged' });

export const expect: unknown = Object.assign(
  (...args: Parameters<typeof vitest.expect>) => vitest.expect(...args),
  vitest.expect,
  { poll },
);
export const { expectTypeOf, assertType, assert } = vitest;

/** The variables as they were before tests changed them. */
const environment = new Map<string, string | undefined>();
const put = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
export const vi: unknown = Object.assign(Object.create(vitest.vi) as object, {
  stubEnv: (name: string, value: string | undefined): void => {
    if (!environment.has(name)) environment.set(name, process.env[name]);
    put(name, value);
  },
  unstubAllEnvs: (): void => {
    for (const [name, value] of environment) put(name, value);
    environment.clear();
  },
});
