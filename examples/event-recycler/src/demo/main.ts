// The demo: npm run demo:recycler (-- --help tells its flags).
import { apiServer } from '@kilter/testing';
import { isAlreadyExists } from 'kilter';
import { formatTime } from 'kilter/api';
import { Event, Node, Pod } from 'kilter/k8s/core/v1';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { connectTo, systemRuntime, virtualRuntime } from 'kilter/runtime';
import { sizesText } from '../aws.ts';
import { EventRecycler } from '../event-recycler.ts';
import { AwsModel, type CallRecord } from '../fake/aws-model.ts';
import { nodeName, syncFleet } from '../fake/fleet.ts';
import { podOn, term, warningAbout } from '../fake/sickness.ts';
import { recyclerOperator } from '../operator.ts';
import { parseArguments, usage } from './arguments.ts';

const { dryRun } = argumentsOrExit();
const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: console.error, child: () => logger };

function argumentsOrExit(): { readonly dryRun: boolean } {
  try {
    const given = parseArguments(process.argv.slice(2));
    if (!given.help) return given;
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return process.exit(2);
  }
}

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
for (const name of ['system', 'workers', 'gpu']) {
  model.addGroup({ name: `eks-${name}`, nodeGroup: name, min: 1, max: 4, desired: 2 });
}
await syncFleet({ client, instances: () => model.instancesNow() });
say('an embedded API server, a model of AWS, three node groups of two instances each');

const operator = recyclerOperator({ aws: model.regions, logger });
const manager = await operator.start({ connection: server.connection('operator'), runtime });
const spec = { searchTerms: [term], threshold: 5, dryRun, batchSize: 1 };
await client.create(EventRecycler.build({ name: 'sandbox', spec })).catch((error: unknown) => {
  if (!isAlreadyExists(error)) throw error;
});
say(`EventRecycler sandbox: 5 occurrences of "${term}" within an hour${dryRun ? '; dry run' : ''}`);

const workers = () => model.groupNow('eks-workers')?.instances.map(({ id }) => id) ?? [];
const old = workers();
const [sick = ''] = old;
const pod = await client.create(podOn(sick, { name: 'web' }));
const event = await client.create(warningAbout(pod, { name: 'web.1', now: clock.now() }));
say(`Pod web on ${nodeName(sick)} cannot start: the first Event`);

/** What changed since the last look, as lines for people. */
const shown = new Set<string>();
const tell = (line: string): void => {
  if (line === '' || shown.has(line)) return;
  shown.add(line);
  say(line);
};

const sayChange = ({ call, of, sizes }: CallRecord): void =>
  say(`  AWS: ${call} ${of}${sizes === undefined ? '' : ` ${sizesText(sizes)}`}`);

async function look(): Promise<boolean> {
  const { status = {} } = await client.get(EventRecycler, 'sandbox');
  const message = (type: string): string => status.conditions?.find((one) => one.type === type)?.message ?? '';
  const nodes = await client.list(Node);
  for (const [group, count] of Object.entries(status.eventCounts ?? {})) tell(`${group}: ${count} of 5 occurrences`);
  tell(message('Ready'));
  // A group is tagged before anything else happens to it; the rest of what AWS is told follows on the draining.
  const news = model.changes.slice(calls);
  calls = model.changes.length;
  for (const change of news) if (change.call === 'tag') sayChange(change);
  for (const { metadata, spec: node } of nodes) if (node?.unschedulable) tell(`  cordoned: ${metadata.name}`);
  if ((await client.find(Pod, pod.metadata)) === undefined) tell('  evicted: Pod web');
  for (const change of news) if (change.call !== 'tag') sayChange(change);
  for (const name of present) if (!nodes.some(({ metadata }) => metadata.name === name)) tell(`  gone: Node ${name}`);
  for (const { metadata } of nodes) if (!present.has(metadata.name)) tell(`  new: Node ${metadata.name}`);
  const [recycle] = status.activeRecycles ?? [];
  if (recycle !== undefined) tell(`${recycle.phase.padEnd(11)} ${message('Recycling')}`);
  const [entry] = status.recycleHistory ?? [];
  if (entry !== undefined) say(`${entry.nodeGroup}: ${entry.status} after ${entry.eventCount} occurrences`);
  return entry !== undefined;
}

const present: ReadonlySet<string> = new Set((await client.list(Node)).map(({ metadata }) => metadata.name));
let calls = 0;
for (let tick = 1, isOver = false; tick < 400 && !isOver; tick += 1) {
  await clock.advance(5000);
  // A person wants to read along.
  await systemRuntime.clock.sleep(process.stdout.isTTY ? 250 : 25);
  if (tick <= 4) await client.patch(Event, event.metadata, { count: tick + 1, lastTimestamp: formatTime(clock.now()) });
  await syncFleet({ client, instances: () => model.instancesNow() });
  isOver = await look();
}
const stopping = manager.stop();
await clock.advance(5000);
await stopping;
const result = (await client.get(EventRecycler, 'sandbox')).status?.recycleHistory?.[0]?.status;
const { min = 0, max = 0, desired = 0 } = model.groupNow('eks-workers') ?? {};
if (result === 'DryRun') say('a dry run: nothing was cordoned, evicted or changed in AWS');
else if (result === 'Succeeded')
  say(
    `${workers().filter((id) => !old.includes(id)).length} new instances, sizes ${sizesText({ min, max, desired })} as before`,
  );
process.exitCode = result === (dryRun ? 'DryRun' : 'Succeeded') ? 0 : 1;
