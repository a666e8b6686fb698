// The demo: npm run demo:recycler [-- --dry-run]. Minutes of a cluster pass in seconds.
import { apiServer } from '@kilter/testing';
import { isAlreadyExists } from 'kilter';
import { formatTime } from 'kilter/api';
import { Event, Pod } from 'kilter/k8s/core/v1';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { connectTo, systemRuntime, virtualRuntime } from 'kilter/runtime';
import { EventRecycler } from '../event-recycler.ts';
import { AwsModel } from '../fake/aws-model.ts';
import { nodeName, syncFleet } from '../fake/fleet.ts';
import { recyclerOperator } from '../operator.ts';

const dryRun = process.argv.includes('--dry-run');
const term = 'failed to get sandbox image';
const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: console.error, child: () => logger };

const runtime = virtualRuntime();
const { clock } = runtime;
const began = clock.now();
const say = (text: string): void => {
  const seconds = Math.round((clock.now() - began) / 1000);
  console.log(`${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}  ${text}`);
};

await using server = apiServer({ runtime });
const client = connectTo(server.connection('demo'), { runtime, manager: 'kilter-demo' });
await client.create<CustomResourceDefinition>(EventRecycler.manifest());
const model = new AwsModel({ now: () => clock.now() });
for (const name of ['system', 'workers', 'gpu', 'spot']) {
  model.addGroup({ name: `eks-${name}`, nodeGroup: name, min: 1, max: 4, desired: 2 });
}
await syncFleet({ client, instances: () => model.instancesNow() });
say('an embedded API server, a model of AWS, four node groups of two instances each');

const operator = recyclerOperator({ aws: model.regions, logger });
const manager = await operator.start({ connection: server.connection('operator'), runtime });
const spec = { searchTerms: [term], threshold: 5, dryRun, batchSize: 1 };
await client.create(EventRecycler.build({ name: 'sandbox', spec })).catch((error: unknown) => {
  if (!isAlreadyExists(error)) throw error;
});
say(`EventRecycler sandbox: 5 occurrences of "${term}" within an hour${dryRun ? '; dry run' : ''}`);

const sick = model.groupNow('eks-workers')?.instances[0]?.id ?? '';
const containers = [{ name: 'web', image: 'web:1' }];
const pod = await client.create(
  Pod.build({ name: 'web', namespace: 'default', spec: { nodeName: nodeName(sick), containers } }),
);
const time = (): string => formatTime(clock.now());
const event = await client.create<Event>({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web.1', namespace: 'default' },
  type: 'Warning',
  reason: 'FailedCreatePodSandBox',
  message: `Failed to create pod sandbox: ${term} "pause:3.9"`,
  involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default', uid: pod.metadata.uid },
  count: 1,
  firstTimestamp: time(),
  lastTimestamp: time(),
  source: { component: 'kubelet' },
});

let [told, calls] = ['', 0];
for (let tick = 1; tick < 400; tick += 1) {
  await clock.advance(5000);
  await systemRuntime.clock.sleep(25);
  if (tick <= 4) await client.patch(Event, event.metadata, { count: tick + 1, lastTimestamp: time() });
  await syncFleet({ client, instances: () => model.instancesNow() });
  const { status = {} } = await client.get(EventRecycler, 'sandbox');
  const counts = Object.entries(status.eventCounts ?? {}).map(([group, count]) => `${group}: ${count} of 5`);
  const recycling = status.conditions?.find(({ type, status: is }) => type === 'Recycling' && is === 'True')?.message;
  const phase = status.activeRecycles?.[0]?.phase;
  const line = phase === undefined ? counts.join(', ') : `${phase.padEnd(11)} ${recycling ?? ''}`;
  for (const { call, of } of model.changes.slice(calls)) say(`  AWS: ${call} ${of}`);
  calls = model.changes.length;
  if (line !== told && line !== '') say(line);
  told = line;
  const [entry] = status.recycleHistory ?? [];
  if (entry === undefined) continue;
  say(`${entry.nodeGroup}: ${entry.status} after ${entry.eventCount} occurrences`);
  break;
}
const stopping = manager.stop();
await clock.advance(5000);
await stopping;
const ok =
  (await client.get(EventRecycler, 'sandbox')).status?.recycleHistory?.[0]?.status ===
  (dryRun ? 'DryRun' : 'Succeeded');
process.exitCode = ok ? 0 : 1;
