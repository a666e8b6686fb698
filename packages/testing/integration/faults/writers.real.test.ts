import { readFileSync } from 'node:fs';
import { connect } from 'kilter';
import { seededRandom } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { realServer } from '../../src/controlplane/available.test-support.ts';
import { controlPlane } from '../../src/index.ts';
import { Thing } from '../thing.test-support.ts';
import { Writers } from './writers.test-support.ts';

/** `KILTER_STOPS=100 npm run test:control-plane -- writers` for more of them. */
const stops = Number(process.env['KILTER_STOPS'] ?? 10);

test.skipIf(realServer.binaries === undefined)(
  `B-13, INV-1: a leader stopped by SIGSTOP in the middle of its writes on a control plane (${realServer.reason})`,
  async ({ annotate }) => {
    await using plane = await controlPlane({ controllers: [], nodes: 0 });
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    await client.create(Thing.manifest());
    // Served a moment later.
    await expect.poll(() => client.list(Thing).then(({ length }) => length, String)).toBe(0);
    const kubeconfig = readFileSync(plane.kubeconfigFile, 'utf8');
    await using writers = await Writers.start({ client, kubeconfig, namespace: 'default', seconds: 3 });
    const random = seededRandom(1);
    for (let n = 0; n < stops; n += 1) expect(await writers.stopLeader(random())).toBe(1);
    await annotate(`${stops} stops, ${writers.terms} terms, ${writers.writes} writes, ${writers.stale.length} stale`);
    expect(writers.stale).toEqual([]);
    expect(writers.terms).toBeGreaterThan(stops);
  },
  120_000 + stops * 60_000,
);
