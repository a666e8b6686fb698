import { systemRuntime } from 'kilter/runtime';
import { test } from 'vitest';
import { realServer } from '../../src/controlplane/available.test-support.ts';
import { expectDefinitionToReturn } from './definition.test-support.ts';

test.skipIf(realServer.binaries === undefined)(
  `B-32: a definition that goes and comes back on a control plane (${realServer.reason})`,
  async () => {
    const controlPlane = { controllers: [], nodes: 0 };
    await expectDefinitionToReturn({
      options: { backend: 'control-plane', controlPlane, runtime: systemRuntime },
      away: 65_000,
    });
  },
  400_000,
);
