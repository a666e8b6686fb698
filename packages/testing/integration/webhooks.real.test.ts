import { realServer } from '../src/controlplane/available.test-support.ts';
import { testWebhooks } from './webhooks.test-support.ts';

const small = { controllers: [], nodes: 0 };
const options = { backend: 'control-plane', controlPlane: small } as const;
testWebhooks(`a control plane (${realServer.reason})`, realServer.binaries === undefined ? undefined : options);
