import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import TestOrder from './tools/test-order.ts';

export default defineConfig({
  test: {
    // One more than cores: some files wait for processes and sockets while others compute.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: TestOrder },
    projects: ['packages/*', 'examples/*', 'conformance', 'tools'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', './tools/summary-reporter.ts'],
  },
});
