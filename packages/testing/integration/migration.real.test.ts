import { realServer } from '../src/controlplane/available.test-support.ts';
import { testMigration } from './migration.test-support.ts';

const small = { controllers: [], nodes: 0 };
const options = { backend: 'control-plane', controlPlane: small } as const;
testMigration(`a control plane (${realServer.reason})`, realServer.binaries === undefined ? undefined : options);
