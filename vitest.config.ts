import { defineConfig } from 'vitest/config';
import TestOrder from './tools/test-order.ts';

export default defineConfig({
  test: {
    sequence: { sequencer: TestOrder },
    projects: ['packages/*', 'examples/*', 'conformance', 'chaos', 'tools'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', './tools/summary-reporter.ts'],
  },
});
