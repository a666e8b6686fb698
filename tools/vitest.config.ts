import { project } from '../vitest.shared.ts';

export default project('tools', { include: ['**/*.test.ts'], testTimeout: 60_000 });
