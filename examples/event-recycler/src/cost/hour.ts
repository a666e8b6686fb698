// What an hour of looking costs: `polled` lists Events, Pods and Nodes every minute, `cached` is the operator, `nobody` only lets time pass.
// Measured over some minutes and told for an hour: twenty hold two of the comparisons with a LIST that the operator makes every ten.
// Prints its report as JSON; run with --expose-gc. Time is virtual, and server and client share the process.
import { apiServer } from '@kilter/testing';
import { Event, Node, Pod } from 'kilter/k8s/core/v1';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { type Connection, connectTo, virtualRuntime } from 'kilter/runtime';
import { EventRecycler } from '../event-recycler.ts';
import { AwsModel } from '../fake/aws-model.ts';
import { syncFleet } from '../fake/fleet.ts';
import { podOn, term, warningAbout } from '../fake/sickness.ts';
import { recyclerOperator } from '../operator.ts';

export interface HourReport {
  readonly events: number;
  /** What the first look cost, in bytes; all that follows is about the hour after it. */
  readonly firstBytes: number;
  /** Without those for the Lease. */
  readonly requests: number;
  readonly leases: number;
  readonly bytes: number;
  /** Of client and server together, in milliseconds; that of `nobody` is to be subtracted. */
  readonly cpu: number;
  /** What the client holds after its first look, in bytes. */
  readonly memory: number;
  /** Streams that were open at once, by path. */
  readonly watches: Readonly<Record<string, number>>;
}

const modes = ['polled', 'cached', 'nobody'] as const;
const mode = modes.find((name) => name === process.argv[2]);
const [events = NaN, minutes = 60] = process.argv.slice(3).map(Number);
if (mode === undefined || !Number.isSafeInteger(events))
  throw new Error(`usage: hour.ts ${modes.join('|')} <events> [<minutes>], not ${process.argv.slice(2).join(' ')}`);

const runtime = virtualRuntime();
const { clock } = runtime;
// Pods that start in the first minute would be counted against whoever looks then.
await using server = apiServer({ runtime, controllers: { workloads: false } });
const client = connectTo(server.connection('seed'), { runtime, manager: 'seed' });
await client.create<CustomResourceDefinition>(EventRecycler.manifest());
const model = new AwsModel({ now: () => clock.now() });
for (let at = 0; at < events; at += 1000) model.addGroup({ name: `asg-${at / 1000}`, min: 1, max: 50, desired: 20 });
await syncFleet({ client, instances: () => model.instancesNow() });
const instances = model.instancesNow().map(({ id }) => id);
const text = `Failed to create pod sandbox: ${term} "registry.example/pause:3.9": ${'x'.repeat(200)}`;
for (let n = 0; n < events; n += 1) {
  const pod = await client.create(podOn(instances[n % instances.length] ?? '', { name: `web-${n}` }));
  await client.create(warningAbout(pod, { name: `web-${n}.1`, now: clock.now() }, { message: text }));
}

const counted = { requests: 0, leases: 0, bytes: 0, open: new Map<string, number>(), most: new Map<string, number>() };

/** Counts what goes over it, and which watches are open at once. */
function counting(connection: Connection): Connection {
  const exchange: Connection['exchange'] = async (request) => {
    const response = await connection.exchange(request);
    counted[request.path.includes('/leases') ? 'leases' : 'requests'] += 1;
    counted.bytes += request.body?.byteLength ?? 0;
    const watched = request.path.includes('watch=true') ? (request.path.split('?')[0] ?? '') : undefined;
    return { ...response, body: read(response.body, watched) };
  };
  return { namespace: connection.namespace, host: connection.host, exchange, close: () => connection.close() };
}

async function* read(body: AsyncIterable<Uint8Array>, watched: string | undefined): AsyncGenerator<Uint8Array> {
  const change = (path: string, by: number): void => {
    const open = (counted.open.get(path) ?? 0) + by;
    counted.open.set(path, open);
    counted.most.set(path, Math.max(open, counted.most.get(path) ?? 0));
  };
  if (watched !== undefined) change(watched, 1);
  try {
    for await (const chunk of body) {
      counted.bytes += chunk.byteLength;
      yield chunk;
    }
  } finally {
    if (watched !== undefined) change(watched, -1);
  }
}

const { gc } = globalThis as { gc?: () => void };
if (gc === undefined) throw new Error('run with --expose-gc');
function held(): number {
  for (let times = 0; times < 3; times += 1) gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = held();
const connection = counting(server.connection(mode));
const poller = connectTo(connection, { runtime, manager: 'poller' });
/** What a poller holds while it finds the instance behind each Event. */
async function look(): Promise<readonly unknown[]> {
  const found = await poller.list(Event, { fields: { type: 'Warning' } });
  const pods = new Map((await poller.list(Pod)).map((pod) => [pod.metadata.name, pod]));
  const nodes = new Map((await poller.list(Node)).map((node) => [node.metadata.name, node]));
  const behind = found
    .filter(({ message }) => message?.includes(term))
    .map(
      ({ involvedObject }) => nodes.get(pods.get(involvedObject.name ?? '')?.spec?.nodeName ?? '')?.spec?.providerID,
    );
  return [found, pods, nodes, behind];
}
const quiet = (): void => undefined;
const logger = { debug: quiet, info: quiet, warn: quiet, error: console.error, child: () => logger };
const manager =
  mode === 'cached' ? await recyclerOperator({ aws: model.regions, logger }).start({ connection, runtime }) : undefined;
if (mode === 'cached')
  await client.create(EventRecycler.build({ name: 'sandbox', spec: { searchTerms: [term], dryRun: true } }));
await clock.advance(1000);
await manager?.ready;
let seen = mode === 'polled' ? await look() : [];
const memory = held() - before;
const first = { ...counted };
const began = process.cpuUsage();
for (let minute = 0; minute < minutes; minute += 1) {
  // The same churn for all: ten Events a minute occur once more.
  for (let n = 0; n < 10; n += 1) {
    const name = `web-${(minute * 10 + n) % events}.1`;
    await client.patch(Event, { namespace: 'default', name }, { count: minute + 2 });
  }
  await clock.advance(60_000);
  if (mode === 'polled') seen = await look();
}
const { user, system } = process.cpuUsage(began);
const perHour = (measured: number): number => Math.round((measured * 60) / minutes);
const report: HourReport = {
  events,
  firstBytes: first.bytes,
  requests: perHour(counted.requests - first.requests),
  leases: perHour(counted.leases - first.leases),
  bytes: perHour(counted.bytes - first.bytes),
  cpu: perHour((user + system) / 1000),
  memory: seen.length > 0 || mode === 'cached' ? memory : 0,
  watches: Object.fromEntries(counted.most),
};
const stopping = manager?.stop();
await clock.advance(5000);
await stopping;
console.log(JSON.stringify(report));
