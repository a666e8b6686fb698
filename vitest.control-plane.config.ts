// npm run test:control-plane: the tests that need a real control plane. Without one each is left out, with its reason.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { controlPlaneTests, ssrOf } from './vitest.shared.ts';

const project = (root: string) => ({
  root,
  ssr: ssrOf(root),
  // Most of a case is waiting: the server sleeps for two seconds at the first write after a definition. More than this at once is too much
  // for two cores: webhooks of the cases are then called late, or not at all.
  test: { name: root, include: [controlPlaneTests], testTimeout: 120_000, maxConcurrency: 5 },
});

export default defineConfig({
  test: {
    // Two at least: while one waits for its control plane, another asks its own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      'packages/kilter',
      'packages/testing',
      'examples/webapp',
      'examples/event-recycler',
      'conformance',
      'chaos',
    ].map(project),
    reporters: [
      process.env['CI'] === undefined ? 'default' : 'dot',
      ['./tools/summary-reporter.ts', { run: 'control-plane' }],
    ],
  },
});
