import { realServer } from '../controlplane/available.test-support.ts';
import { controlPlane } from '../controlplane/index.ts';
import { type TestedBackend, testEveryBackend } from './every-backend.test-support.ts';

const small = { controllers: [], nodes: 0 };
const there = (place: TestedBackend[1]): TestedBackend[1] => (realServer.binaries === undefined ? undefined : place);

testEveryBackend([
  [
    `a control plane (${realServer.reason})`,
    there(() => Promise.resolve({ backend: 'control-plane', controlPlane: small })),
  ],
  [
    `an existing cluster, which is a control plane (${realServer.reason})`,
    there(async (stack) => {
      const plane = stack.use(await controlPlane(small));
      const config = JSON.parse(plane.kubeconfig) as { contexts: { name: string }[] };
      return { backend: 'existing', context: config.contexts[0]?.name, kubeconfig: plane.kubeconfigFile };
    }),
  ],
]);
