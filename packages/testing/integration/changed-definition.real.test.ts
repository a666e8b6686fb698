import { realServer } from '../src/controlplane/available.test-support.ts';
import { testChangedDefinition } from './changed-definition.test-support.ts';

const options = { backend: 'control-plane', controlPlane: { controllers: [], nodes: 0 } } as const;
testChangedDefinition(
  `a control plane (${realServer.reason})`,
  realServer.binaries === undefined ? undefined : options,
);
