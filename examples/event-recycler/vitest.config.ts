import { project } from '../../vitest.shared.ts';

const config = project('event-recycler');

// Without `module`: that entry of the AWS SDK is for bundlers, its imports have no extensions, and Node cannot load them.
export default { ...config, ssr: { resolve: { conditions: ['@kilter/source', 'node'] } } };
