// One test with its hooks, within a time limit. Whatever it leaves behind that fails later is its failure, too.
import { setImmediate as turn } from 'node:timers/promises';
import { type Suite, takeEndHooks, type Test } from './test-api.ts';

/** Errors nobody waited for, since the last look. */
let stray: unknown[] = [];
process.on('unhandledRejection', (reason) => stray.push(reason));
process.on('uncaughtException', (error) => stray.push(error));

const chain = (suite: Suite | undefined): Suite[] => (suite === undefined ? [] : [...chain(suite.parent), suite]);

/** What keeps the process going when no test runs: the channel to the courtroom. */
const always = process.getActiveResourcesInfo().length;
const look = 100;

/**
 * Ends with the work, or fails after `ms`; and sooner where nothing in the process can end it any more: no timer, socket, file or
 * child has been pending for a fifth of that time, which is twice as long as the whole test takes without a mutant.
 */
async function within(ms: number, work: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const start = performance.now();
    let lastBusy = start;
    timer = setInterval(() => {
      const now = performance.now();
      // One of them is this timer.
      if (process.getActiveResourcesInfo().length > always + 1) lastBusy = now;
      if (now - lastBusy > ms / 5) reject(new Error('waits for what never comes'));
      if (now - start > ms) reject(new Error(`not done within ${Math.round(ms)} ms`));
    }, look);
  });
  try {
    await Promise.race([Promise.resolve().then(work), late]);
  } finally {
    clearInterval(timer);
  }
}

/** Suites whose `beforeAll` has run, with what undoes it. */
export class OpenSuites {
  readonly #open = new Map<Suite, unknown[]>();

  async enter(suite: Suite): Promise<void> {
    for (const one of chain(suite)) {
      if (this.#open.has(one)) continue;
      const undo: unknown[] = [];
      this.#open.set(one, undo);
      for (const hook of one.beforeAll) undo.push(await hook());
    }
  }

  async leave(): Promise<void> {
    for (const [suite, undo] of [...this.#open].toReversed()) {
      for (const hook of [...suite.afterAll, ...undo]) if (typeof hook === 'function') await (hook as () => unknown)();
    }
    this.#open.clear();
  }
}

async function withHooks(test: Test, open: OpenSuites): Promise<void> {
  await open.enter(test.suite);
  const suites = chain(test.suite);
  const undo: unknown[] = [];
  try {
    for (const suite of suites) for (const hook of suite.beforeEach) undo.push(await hook());
    await test.run();
  } finally {
    const after = suites.toReversed().flatMap((suite) => suite.afterEach.toReversed());
    for (const hook of [...after, ...undo, ...takeEndHooks()]) {
      if (typeof hook === 'function') await (hook as () => unknown)();
    }
  }
}

/** Undefined where it passes, else why it does not. */
export async function failureOf(test: Test, open: OpenSuites, ms: number): Promise<string | undefined> {
  stray = [];
  try {
    await within(ms, () => withHooks(test, open));
    await turn();
    const [left] = stray;
    if (stray.length > 0) throw left;
    return undefined;
  } catch (error) {
    takeEndHooks();
    // What it dropped may fail a turn later: that is not a failure of the test that comes next.
    await turn();
    return messageOf(error);
  }
}

/** The beginning of what was thrown. */
export function messageOf(error: unknown): string {
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n', 1);
  return first.slice(0, 200) || 'an error without a message';
}
