import { defineConfig } from 'oxlint';

const runtime = 'take it from the runtime object (internal/clock)';
const nodeModules = 'its import evaluates every export at each start: take it from internal/node-modules';

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'vitest'],
  jsPlugins: ['./tools/rooms-plugin.ts'],
  options: { typeAware: true },
  ignorePatterns: ['**/dist/**', '**/*.gen.ts', '.kilter/**'],
  categories: { correctness: 'error' },
  rules: {
    'rooms/arrows': 'error',
    'rooms/no-export-all': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    // Custom resources are classes by type and plain objects at run time: spreading them loses nothing.
    'typescript/no-misused-spread': 'off',
    // A copy is spread where the loop changes the collection it came from.
    'unicorn/no-useless-spread': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-empty': ['error', { allowEmptyCatch: false }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'max-lines': ['error', { max: 500 }],
    'max-lines-per-function': ['error', { max: 80 }],
    'max-params': ['error', { max: 3 }],
    'vitest/expect-expect': [
      'error',
      { assertFunctionNames: ['expect', 'expectTypeOf', 'fc.assert', 'expect*', 'assert*', '*.eventually', '*.gone'] },
    ],
  },
  overrides: [
    {
      files: ['packages/kilter/src/**', 'packages/apiserver/src/**', 'packages/testing/src/**'],
      excludeFiles: ['**/*.test.ts', '**/*.test-d.ts', 'packages/kilter/src/internal/clock.ts'],
      rules: {
        'rooms/no-process-on': 'error',
        'rooms/atomic-updates': 'error',
        'no-restricted-globals': [
          'error',
          ...['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'].map(
            (name) => ({ name, message: runtime }),
          ),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Math', property: 'random', message: runtime },
          { object: 'AbortSignal', property: 'timeout', message: runtime },
          { object: 'globalThis', property: 'setTimeout', message: runtime },
          { object: 'process', property: 'hrtime', message: runtime },
          { object: 'process', property: 'env', message: 'only config reads the environment' },
        ],
        'no-restricted-imports': [
          'error',
          {
            paths: ['node:timers', 'node:timers/promises', 'node:perf_hooks'].map((name) => ({
              name,
              message: runtime,
            })),
          },
        ],
      },
    },
    {
      files: ['packages/kilter/src/**'],
      excludeFiles: ['**/*.test.ts', '**/*.test-support.ts', '**/*.test-d.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: [
              ...['node:timers', 'node:timers/promises', 'node:perf_hooks'].map((name) => ({
                name,
                allowTypeImports: true,
                message: runtime,
              })),
              ...['crypto', 'dns', 'http', 'http2', 'https', 'inspector', 'tls', 'util', 'worker_threads', 'zlib'].map(
                (name) => ({ name: `node:${name}`, allowTypeImports: true, message: nodeModules }),
              ),
            ],
          },
        ],
      },
    },
    {
      files: ['packages/kilter/src/config/**', 'packages/testing/src/environment/**'],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      files: [
        'packages/kilter/src/manager/signals.ts',
        'packages/apiserver/src/command.ts',
        'packages/apiserver/src/etcd.ts',
        'packages/apiserver/src/kube-apiserver.ts',
        'packages/testing/src/controlplane/install/main.ts',
        'packages/testing/src/controlplane/guardian/main.ts',
      ],
      rules: { 'rooms/no-process-on': 'off' },
    },
    {
      files: ['**/*.test.ts', '**/*.test-d.ts'],
      rules: {
        'max-lines-per-function': 'off',
        'rooms/no-export-all': 'off',
        // Rows of tables arrive as parameters, and a row may say which expectation holds for it.
        'max-params': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
        'typescript/require-array-sort-compare': 'off',
      },
    },
    // What must not compile is the assertion of a type test.
    { files: ['**/*.test-d.ts'], rules: { 'vitest/expect-expect': 'off' } },
    // `then` is a keyword of JSON Schema.
    { files: ['packages/kilter/src/crd/**'], rules: { 'unicorn/no-thenable': 'off' } },
  ],
});
