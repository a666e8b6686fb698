import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defaultServerConditions } from 'vite';
import { configDefaults, defineProject, type UserWorkspaceConfig } from 'vitest/config';

/** Tests that need what `npm run kube:install` builds: `npm run test:control-plane` runs these, `npm test` the others. */
export const controlPlaneTests = '**/*.real.test.ts';

/** Tests that take many minutes by their nature: `npm run test:long`. */
export const longTests = '**/*.long.test.ts';

/** Tests that need Python and moto: `npm run test:moto`. */
export const motoTests = '**/*.moto.test.ts';

export interface ProjectOptions {
  /** Checks `*.test-d.ts` as well. Default: false. */
  readonly typecheck?: boolean;
  /** Which files are tests. Default: `src/**\/*.test.ts`. */
  readonly include?: readonly string[];
  /** How long a test may take, in ms. Default: 60,000: only what hangs takes that long, on a busy machine as well. */
  readonly testTimeout?: number;
}

/** A condition of bundlers: Node does not know it, and cannot load what some packages put there. */
const asNode = defaultServerConditions.filter((condition) => condition !== 'module');

/** Workspace packages resolve each other's sources, so that no test runs a stale build. */
export const ssr = { resolve: { conditions: ['@kilter/source', ...asNode] } };

/** Without `module`: that entry of the AWS SDK is for bundlers, its imports have no extensions, and Node cannot load them. */
const awsSsr = { resolve: { conditions: ['@kilter/source', 'node'] } };

export const ssrOf = (root: string): typeof ssr => (root === 'examples/event-recycler' ? awsSsr : ssr);

/**
 * Files of a project share workers, and with them the modules that are loaded: loading them anew for each file took most of the time. A
 * test that needs a process of its own starts one. What programs compile is kept between runs, which halves the time they need to start.
 */
export const shared = {
  isolate: false,
  // One second, vitest's own, is little where the machine is busy.
  expect: { poll: { timeout: 20_000 } },
  env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/compiled') },
};

/** One more than cores: some files wait for processes and sockets while others compute. Said by each project: vitest asks them, not the root. */
const maxWorkers = availableParallelism() + 1;

/** A folder of the workspace in `npm test`. */
export function project(name: string, options: ProjectOptions = {}): UserWorkspaceConfig {
  const { typecheck = false, include = ['src/**/*.test.ts'], testTimeout = 60_000 } = options;
  return defineProject({
    ssr,
    test: {
      ...shared,
      maxWorkers,
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, controlPlaneTests, longTests, motoTests],
      testTimeout,
      typecheck: { enabled: typecheck, include: ['src/**/*.test-d.ts'], tsconfig: '../../tsconfig.json' },
    },
  });
}
