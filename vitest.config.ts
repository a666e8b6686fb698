import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for processes and sockets: left alone, a machine with two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: ['packages/*', 'examples/*', 'conformance', 'tools'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', './tools/summary-reporter.ts'],
  },
});
