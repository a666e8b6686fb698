import { relative } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { whyPartial } from './partial-run.ts';
import { closingLines } from './summary.ts';
import { thinRows } from './thin.ts';
import { type Run, type TestResult, workspace, writeResults } from './test-results.ts';

/** The results of a file; one that does not load has no failed test, and is a failure all the same. */
function resultsOf(module: TestModule): TestResult[] {
  const file = relative(workspace, module.moduleId);
  const tests = [...module.children.allTests()].map((test) => ({
    title: test.fullName,
    file,
    state: test.result().state,
  }));
  const silent = module.state() === 'failed' && !tests.some(({ state }) => state === 'failed');
  return silent ? [...tests, { title: 'the file itself', file, state: 'failed' }] : tests;
}

function outsideTests(error: unknown): TestResult {
  const said = error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error);
  return { title: said ? String(error.message) : String(error), file: 'an error outside tests', state: 'failed' };
}

/**
 * Leaves the results of a whole run for the ledger and closes with the counts, on its own line and after everything else. A run of some
 * tests leaves those of the last whole one as they are, and says so.
 */
export default class Summary implements Reporter {
  readonly #run: Run;
  /** Undefined until vitest has told which run this reports on. */
  #vitest: Vitest | undefined;

  constructor({ run = 'test' }: { readonly run?: Run } = {}) {
    this.#run = run;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const results = [...modules.flatMap(resultsOf), ...errors.map(outsideTests)];
    const partial = await this.#whyPartial(modules, reason);
    if (partial === undefined) writeResults(this.#run, results);
    process.once('exit', () => {
      if (partial !== undefined) console.log(`npm run ledger and npm run counts ignore this run: ${partial}`);
      console.log(`thin list: ${thinRows().length} rows (tools/thin.json)`);
      for (const line of closingLines(results)) console.log(line);
    });
  }

  async #whyPartial(modules: readonly TestModule[], reason: TestRunEndReason): Promise<string | undefined> {
    if (this.#vitest === undefined) return 'vitest did not introduce itself';
    const all = (await this.#vitest.globTestSpecifications()).map(({ moduleId }) => moduleId);
    const ran = modules.map(({ moduleId }) => moduleId);
    return whyPartial({ config: this.#vitest.config, all, ran, interrupted: reason === 'interrupted' });
  }
}
