// A process that holds tests and mutants, and says of one mutant after the other which test notices it. It loads a file of tests
// when it is first asked for. tools/mutants/courtroom.ts tells it what to do, and ends it when a mutant never comes to an end.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Answer, type Order, type Plan, type TestPlace } from './protocol.ts';
import type { Test } from './test-api.ts';
import { type Numbered, switchName, withSwitches } from './schemata.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;

/** The mutant that is in force from the start and stays so, for what runs while modules load; 0 is none. */
const fixed = Number(process.argv[3] ?? 0);
/** The mutant that is in force; 0 is none. */
let active = fixed;
/** By number: 1 for a place that was run through since it was last filled with zeros. */
const reached = new Uint8Array(1 + plan.mutants.reduce((most, { id }) => Math.max(most, id), 0));
const takeReached = (): number[] => {
  const ids = plan.mutants.map(({ id }) => id).filter((id) => reached[id] === 1);
  reached.fill(0);
  return ids;
};
Object.assign(globalThis, {
  [switchName]: (id: number): boolean => {
    reached[id] = 1;
    return id === active;
  },
});

const byFile = new Map<string, Numbered[]>();
for (const one of plan.mutants) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);

registerHooks({
  resolve(specifier, context, next) {
    const isTest = context.parentURL?.includes('/tools/mutants/') !== true;
    if (specifier === 'vitest' && isTest) {
      return { url: new URL('test-api.ts', import.meta.url).href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    const mutants = url.startsWith('file:') ? byFile.get(fileURLToPath(url)) : undefined;
    if (mutants === undefined) return next(url, context);
    const source = withSwitches(plan.sources[fileURLToPath(url)] ?? '', mutants);
    return { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true };
  },
});

const { collect } = await import('./test-api.ts');
const { failureOf, messageOf, OpenSuites } = await import('./run-test.ts');
const say = (answer: Answer): void => void process.send?.(answer);

/** A file of tests loads within this time, with all it imports. */
const loading = 60_000;

/** A second look may take this many times as long as the first: the machine may be busy. */
const patience = 3;

/** The tests by file, once it is loaded. */
const files = new Map<string, readonly Test[]>();

/** Loads it without a mutant, but for one that is in force from the start. */
async function testsOf(file: string): Promise<readonly Test[]> {
  const known = files.get(file);
  if (known !== undefined) return known;
  say({ type: 'begin', ms: loading });
  active = fixed;
  const tests = await collect(() => import(pathToFileURL(file).href));
  files.set(file, tests);
  return tests;
}

async function runAll(): Promise<void> {
  for (const file of plan.tests) {
    await testsOf(file).catch((error: unknown) => {
      console.error(`${file} does not load:`, error);
      process.exit(1);
    });
  }
  const atLoad = takeReached();
  for (const [file, tests] of files) {
    const open = new OpenSuites();
    for (const [nth, test] of tests.entries()) {
      if (test.skipped) continue;
      const start = performance.now();
      const failure = await failureOf(test, open, 15_000);
      const ms = performance.now() - start;
      say({ type: 'test', file, nth, title: test.title, ms, reached: takeReached(), ...(failure && { failure }) });
    }
    await open.leave();
  }
  say({ type: 'all', atLoad });
}

/** Why a test fails while the mutant is in force. */
async function failureWith(id: number, { file, nth }: TestPlace, ms: number): Promise<string | undefined> {
  const tests = await testsOf(file).catch((error: unknown) => `${file} does not load: ${messageOf(error)}`);
  if (typeof tests === 'string') return tests;
  const test = tests[nth];
  if (test === undefined) throw new Error(`${file} has no test ${nth}`);
  say({ type: 'begin', ms, test: { file, nth } });
  const open = new OpenSuites();
  active = id;
  const failure = await failureOf(test, open, ms);
  active = fixed;
  const late = await open.leave().catch(messageOf);
  return failure ?? (typeof late === 'string' ? late : undefined);
}

/**
 * Runs tests until one fails; a failure counts when the same test passes without the mutant and fails with it once more. So neither a test
 * that fails now and then nor a moment in which the machine had no time for this process speaks against a mutant.
 */
async function judge({ id, tests }: Extract<Order, { type: 'judge' }>): Promise<void> {
  for (const test of tests) {
    const { file, nth, ms } = test;
    if ((await failureWith(id, test, ms)) === undefined) continue;
    const sober = fixed === 0 ? await failureWith(0, test, patience * ms) : undefined;
    const failure = await failureWith(id, test, patience * ms);
    if (failure === undefined && sober === undefined) continue;
    return say({
      type: 'verdict',
      id,
      test: { file, nth },
      ...(failure !== undefined && { failure }),
      ...(sober !== undefined && { spoiled: sober }),
    });
  }
  say({ type: 'verdict', id });
}

process.on('message', (order: Order) => void (order.type === 'all' ? runAll() : judge(order)));
say({ type: 'ready' });
