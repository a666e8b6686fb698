// npm run test:control-plane: the tests that need a real control plane. Without one each is left out, with its reason.
import { defineConfig } from 'vitest/config';
import { controlPlaneTests, ssr } from './vitest.shared.ts';

const project = (root: string) => ({
  root,
  ssr,
  test: { name: root, include: [controlPlaneTests], testTimeout: 120_000 },
});

export default defineConfig({
  test: {
    projects: ['packages/kilter', 'packages/testing', 'examples/webapp', 'conformance'].map(project),
    reporters: [
      process.env['CI'] === undefined ? 'default' : 'dot',
      ['./tools/summary-reporter.ts', { run: 'control-plane' }],
    ],
  },
});
