import { defaultServerConditions } from 'vite';
import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['@kilter/source', ...defaultServerConditions] } },
  test: { name: 'conformance', include: ['src/**/*.test.ts', '*.test.ts'], testTimeout: 120_000 },
});
