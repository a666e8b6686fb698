// npm run test:moto: the EventRecycler's AWS port over moto, which needs Python. Without it the tests are left out, with the reason.
import { defineConfig } from 'vitest/config';
import { motoTests, ssrOf } from './vitest.shared.ts';

const root = 'examples/event-recycler';

export default defineConfig({
  test: {
    projects: [{ root, ssr: ssrOf(root), test: { name: 'moto', include: [motoTests], testTimeout: 60_000 } }],
    reporters: ['default', ['./tools/summary-reporter.ts', { run: 'moto' }]],
  },
});
