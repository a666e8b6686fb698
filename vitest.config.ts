import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', 'conformance', 'tools'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', './tools/summary-reporter.ts'],
  },
});
