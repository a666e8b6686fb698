import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
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

/** Leaves the results for the ledger and closes with the counts, on a line of its own and after everything else. */
export default class Summary implements Reporter {
  readonly #run: Run;

  constructor({ run = 'test' }: { readonly run?: Run } = {}) {
    this.#run = run;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const outside = errors.map(outsideTests);
    const results = [...modules.flatMap(resultsOf), ...outside];
    writeResults(this.#run, results);
    process.once('exit', () => {
      console.log(`thin list: ${thinRows().length} rows (tools/thin.json)`);
      for (const line of closingLines(results)) console.log(line);
    });
  }
}
