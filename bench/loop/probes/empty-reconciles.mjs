// A leader with many settled objects: every one runs once, none does anything, and the lease has to be renewed meanwhile.
import { setImmediate as turn } from 'node:timers/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { controller, operator } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { inMemory, systemRuntime } from 'kilter/runtime';

const [, , count, workers, slices] = process.argv;
const objects = Number(count);
const encoder = new TextEncoder();
const line = (value) => `${JSON.stringify(value)}\n`;
const object = (i) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `config-${i}`, namespace: `team-${i % 100}`, uid: `uid-${i}`, resourceVersion: String(i + 1) },
  data: { text: 'x'.repeat(800), index: String(i) },
});

/** The first state in chunks, as a network would bring it; then silence until the watcher leaves. */
async function* initialEvents(signal) {
  for (let i = 0; i < objects; i += 100) {
    const lines = Array.from({ length: Math.min(100, objects - i) }, (_, j) =>
      line({ type: 'ADDED', object: object(i + j) }),
    );
    yield encoder.encode(lines.join(''));
    await turn();
  }
  const metadata = { resourceVersion: String(objects + 1), annotations: { 'k8s.io/initial-events-end': 'true' } };
  yield encoder.encode(line({ type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } }));
  yield* silence(signal);
}

/** A stream that says nothing until nobody listens. */
function silence(signal) {
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  const next = () => left.then(() => ({ done: true, value: undefined }));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

let lease;
let version = 0;
let renewals = 0;
const answer = (status, body) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield encoder.encode(JSON.stringify(body));
  })(),
});

/** Just enough of an API server: one kind to watch, one Lease, Events that nobody reads. */
async function handle({ method, path, body, signal }) {
  await turn();
  const sent = body === undefined ? undefined : JSON.parse(new TextDecoder().decode(body));
  if (path.includes('watch=')) {
    const stream = path.includes('/configmaps') ? initialEvents(signal) : silence(signal);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: stream };
  }
  if (!path.includes('/leases')) return answer(201, sent ?? {});
  if (method === 'GET') return lease === undefined ? answer(404, missing) : answer(200, lease);
  renewals += 1;
  version += 1;
  lease = {
    ...lease,
    ...sent,
    metadata: { ...lease?.metadata, ...sent.metadata, uid: 'lease', resourceVersion: String(version) },
  };
  return answer(method === 'POST' ? 201 : 200, lease);
}
const missing = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'none' };

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// What this thread itself did between two looks: on a busy machine the delay above is mostly what others did.
const turns = [];
let spent = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(spent);
  spent = process.threadCpuUsage();
  turns.push((user + system) / 1000);
}, 1);
const finished = Promise.withResolvers();
let runs = 0;
let start;
const settled = controller(ConfigMap)
  .concurrency(Number(workers))
  .reconcile(async () => {
    if (runs === 0) {
      delay.reset();
      turns.length = 0;
      start = { cpu: process.cpuUsage(), time: performance.now(), renewals };
    }
    runs += 1;
    if (runs === objects) finished.resolve();
  });
const ignore = () => undefined;
const quiet = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => quiet,
  isLevelEnabled: () => false,
};
const given = operator({
  name: 'bench',
  controllers: [settled],
  logger: quiet,
  leaderElection: { leaseDuration: '6s', renewDeadline: '4s', retryPeriod: '200ms' },
});
const clock = slices === 'on' ? systemRuntime.clock : { ...systemRuntime.clock, pause: ignore };
const manager = await given.start({ connection: inMemory(handle), runtime: { ...systemRuntime, clock } });
let lost = false;
manager.done.catch(() => (lost = true));
await Promise.race([finished.promise, manager.done.catch(ignore)]);
// A turn that is still under way counts too.
await new Promise((resolve) => setTimeout(resolve, 50));
delay.disable();
turns.sort((a, b) => a - b);
const { user, system } = process.cpuUsage(start.cpu);
process.send({
  runs,
  max: delay.max / 1e6,
  p99: delay.percentile(99) / 1e6,
  longestTurn: turns.at(-1),
  turnP99: turns[Math.floor(turns.length * 0.99)],
  cpu: (user + system) / runs,
  wall: performance.now() - start.time,
  renewals: renewals - start.renewals,
  kept: !lost && manager.leading,
});
await manager.stop().catch(ignore);
process.exit();
