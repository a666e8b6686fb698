import { apiServer } from '@kilter/apiserver';
import { connectTo, seededRandom } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { Thing } from '../thing.test-support.ts';
import { Writers } from './writers.test-support.ts';

test('B-13, INV-1: a leader stopped by SIGSTOP in the middle of its writes, again and again: none of them comes after its term', async () => {
  await using server = apiServer();
  const client = connectTo(server.connection('user'));
  await client.create(Thing.manifest());
  const { kubeconfig } = await server.listen();
  await using writers = await Writers.start({ client, kubeconfig, namespace: 'default', seconds: 3 });
  const random = seededRandom(1);
  // Without the fence most stops let one through; the test on a control plane makes twelve.
  for (let n = 0; n < 3; n += 1) expect(await writers.stopLeader(random())).toBe(1);
  expect(writers.stale).toEqual([]);
  expect(writers.terms).toBeGreaterThan(3);
  expect(writers.writes).toBeGreaterThan(100);
}, 600_000);
