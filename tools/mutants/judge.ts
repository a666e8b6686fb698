// A process that holds the tests of a room and all its mutants, and says of one after the other which test notices it.
// It is told what to do by tools/mutants/courtroom.ts, which ends it when a mutant never comes to an end.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Answer, nameOf, type Order, type Plan } from './protocol.ts';
import type { Test } from './test-api.ts';
import { type Numbered, switchName, withSwitches } from './schemata.ts';

const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;

/** The mutant that is in force; 0 is none. */
let active = Number(process.argv[3] ?? 0);
let reached = new Set<number>();
Object.assign(globalThis, {
  [switchName]: (id: number): boolean => {
    reached.add(id);
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
const { failureOf, OpenSuites } = await import('./run-test.ts');
const say = (answer: Answer): void => void process.send?.(answer);

const loaded: (Test & { readonly file: string })[] = [];
for (const file of plan.tests) {
  const tests = await collect(() => import(pathToFileURL(file).href)).catch((error: unknown) => {
    console.error(`${file} does not load:`, error);
    process.exit(1);
  });
  for (const one of tests) if (!one.skipped) loaded.push({ ...one, file });
}
const atLoad = [...reached];

async function runAll(leaveOut: readonly string[]): Promise<void> {
  let open = new OpenSuites();
  for (const [index, test] of loaded.entries()) {
    if (index > 0 && loaded[index - 1]?.file !== test.file) {
      await open.leave();
      open = new OpenSuites();
    }
    if (leaveOut.includes(nameOf(test))) continue;
    reached = new Set();
    const start = performance.now();
    const failure = await failureOf(test, open, 15_000);
    const ms = performance.now() - start;
    say({ type: 'test', index, file: test.file, title: test.title, ms, reached: [...reached], failure });
  }
  await open.leave();
  say({ type: 'all', atLoad });
}

/** Runs tests until one fails; a failure counts when the same test passes without the mutant. */
async function judge({ id, tests }: Extract<Order, { type: 'judge' }>): Promise<void> {
  for (const { index, ms } of tests) {
    const test = loaded[index];
    if (test === undefined) throw new Error(`there is no test ${index}`);
    say({ type: 'begin', index });
    active = id;
    let open = new OpenSuites();
    const failure = await failureOf(test, open, ms);
    active = plan.fixed ? id : 0;
    await open.leave().catch(() => undefined);
    if (failure === undefined) continue;
    open = new OpenSuites();
    const sober = plan.fixed ? undefined : await failureOf(test, open, ms);
    await open.leave().catch(() => undefined);
    say({ type: 'verdict', id, test: index, failure, ...(sober !== undefined && { spoiled: sober }) });
    return;
  }
  active = plan.fixed ? id : 0;
  say({ type: 'verdict', id });
}

process.on('message', (order: Order) => void (order.type === 'all' ? runAll(order.leaveOut) : judge(order)));
say({ type: 'ready' });
