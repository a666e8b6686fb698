import { systemRuntime } from 'kilter/runtime';
import { test } from 'vitest';
import { realServer } from '../../src/controlplane/available.test-support.ts';
import { expectRollingUpgrade } from './upgrade.test-support.ts';

test.skipIf(realServer.binaries === undefined)(
  `B-41: a rolling upgrade and back on a control plane (${realServer.reason})`,
  async () => {
    const controlPlane = { controllers: [], nodes: 0 };
    await expectRollingUpgrade({
      options: { backend: 'control-plane', controlPlane, runtime: systemRuntime },
      leaseDuration: 15_000,
    });
  },
  300_000,
);
