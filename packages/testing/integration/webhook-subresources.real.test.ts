import { realServer } from '../src/controlplane/available.test-support.ts';
import { testSubresources } from './webhook-subresources.test-support.ts';

const small = { controllers: [], nodes: 0 };
const options = { backend: 'control-plane', controlPlane: small } as const;
testSubresources(`a control plane (${realServer.reason})`, realServer.binaries === undefined ? undefined : options);
