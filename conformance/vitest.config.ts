import { project } from '../vitest.shared.ts';

export default project('conformance', {
  include: ['src/**/*.test.ts', 'kubectl/*.test.ts', '*.test.ts'],
  testTimeout: 120_000,
});
