import { defaultServerConditions } from 'vite';
import { defineProject, type UserWorkspaceConfig } from 'vitest/config';

/** Workspace packages resolve each other's sources, so that no test runs a stale build. */
export function project(name: string, options: { typecheck?: boolean } = {}): UserWorkspaceConfig {
  return defineProject({
    ssr: { resolve: { conditions: ['@kilter/source', ...defaultServerConditions] } },
    test: {
      name,
      include: ['src/**/*.test.ts'],
      testTimeout: 30_000,
      typecheck: {
        enabled: options.typecheck ?? false,
        include: ['src/**/*.test-d.ts'],
        tsconfig: '../../tsconfig.json',
      },
    },
  });
}
