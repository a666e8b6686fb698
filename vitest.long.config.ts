// npm run test:long: tests that take many minutes by their nature (a thousand objects, minutes at rest).
import { defineConfig } from 'vitest/config';
import { longTests, ssrOf } from './vitest.shared.ts';

export default defineConfig({
  test: {
    projects: ['examples/webapp', 'examples/event-recycler'].map((root) => ({
      root,
      ssr: ssrOf(root),
      test: { name: root, include: [longTests] },
    })),
  },
});
