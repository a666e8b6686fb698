import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { closingLine } from './summary.ts';
import { thinRows } from './thin.ts';
import { type TestResult, workspace, writeResults } from './test-results.ts';

/** Leaves the results for the ledger and closes with the counts, on a line of its own and after everything else. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let failures = errors.length;
    const results: TestResult[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        results.push({ title: test.fullName, file: relative(workspace, module.moduleId), state });
      }
      // A file that does not load has no failed test, and is a failure all the same.
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) failures += 1;
    }
    writeResults(results);
    process.once('exit', () => {
      console.log(`thin list: ${thinRows().length} rows (tools/thin.json)`);
      console.log(closingLine(results, failures));
    });
  }
}
