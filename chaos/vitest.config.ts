import { project } from '../vitest.shared.ts';

export default project('chaos', { include: ['*.test.ts'] });
