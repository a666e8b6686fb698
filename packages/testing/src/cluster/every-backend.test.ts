import { servedCluster } from './backends.test-support.ts';
import { testEveryBackend } from './every-backend.test-support.ts';

testEveryBackend([
  ['the embedded server', () => Promise.resolve({ backend: 'embedded' })],
  [
    'an existing cluster, which is the embedded server at an address',
    async (stack) => {
      const { kubeconfig } = stack.use(await servedCluster());
      return { backend: 'existing', context: 'kilter', kubeconfig };
    },
  ],
]);
