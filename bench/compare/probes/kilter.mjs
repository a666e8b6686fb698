// Kilter as its users get it: an operator whose reconciler looks at its object and does nothing.
import { controller, operator } from 'kilter';
import { commands, Counter, logger, measureReads, say, since, task, used } from './protocol.mjs';

const names = (kind, plural) => ({
  ...{ group: 'bench.example.com', version: 'v1', kind, plural, scope: 'Namespaced' },
  ...{ singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames: [] },
});
const kindOf = async () =>
  task.kind === 'pods' ? (await import('kilter/k8s/core/v1')).Pod : { names: names('Widget', 'widgets') };
const looked = task.kind === 'pods' ? (pod) => pod.spec.nodeName : (widget) => widget.spec.color;
process.env.KUBECONFIG = task.kubeconfig;
const start = (controllers) => operator({ name: 'bench', controllers, logger, cache: { syncTimeout: '10m' } }).start();

async function follow() {
  const kind = await kindOf();
  const counter = new Counter();
  counter.listen();
  const written = new Set();
  await start([
    controller(kind)
      .concurrency(task.workers)
      .reconcile(async (object, ctx) => {
        counter.begin(object);
        if (looked(object) === undefined) throw new Error('an object without its fields');
        if (task.write) {
          // The run that the write itself causes does not count.
          if (written.has(object.metadata.name)) return;
          written.add(object.metadata.name);
          await ctx.status({ runs: (object.status?.runs ?? 0) + 1 });
        }
        counter.end();
      }),
  ]);
}

async function idle() {
  let begun = used();
  const kinds = Array.from({ length: 20 }, (_, i) => ({ names: names(`Idle${i}`, `idle${i}s`) }));
  const manager = await start(kinds.map((kind) => controller(kind).reconcile(async () => undefined)));
  await manager.ready;
  say({ at: 'synced', ...since(begun) });
  commands({
    mark: () => {
      begun = used();
      say({ at: 'marked' });
    },
    usage: () => say({ at: 'usage', ...since(begun) }),
  });
}

async function read() {
  const kind = await kindOf();
  const one = task.kind === 'pods' ? 'pod' : 'widget';
  const asked = Promise.withResolvers();
  const settled = controller(kind)
    .index('bench', looked)
    .reconcile(async (_, ctx) => asked.resolve(ctx.cache));
  const manager = await start([settled]);
  await manager.ready;
  const cache = await asked.promise;
  const key = (n) => ({ namespace: `team-${n % 100}`, name: `${one}-${n}` });
  const value = (i) => `${task.kind === 'pods' ? 'node' : 'color'}-${i % 50}`;
  const label = (i) => ({ 'bench.example.com/group': `group-${i % 50}` });
  const few = Math.floor(task.times / 100) + 1;
  // Runs of the first state are over before anything is measured.
  await new Promise((resolve) => setTimeout(resolve, task.settle));
  measureReads('get', task.times, (i) => (looked(cache.get(kind, key(i % task.count))) === undefined ? 0 : 1));
  measureReads('namespace', few, (i) => cache.list(kind, { namespace: `team-${i % 100}` }).length);
  measureReads('label', few, (i) => cache.list(kind, { labels: label(i) }).length);
  measureReads('index', few, (i) => cache.by(kind, 'bench', value(i)).length);
  process.exit(0);
}

/** Lookups of a kind that is declared, or not, by what the cache does about it. */
async function policy() {
  const { Namespace } = await import('kilter/k8s/core/v1');
  const kind = await kindOf();
  const asked = Promise.withResolvers();
  const bare = controller(Namespace);
  const reader = task.policy === 'strict' ? bare.reads(kind) : bare;
  const given = reader.reconcile(async (_, ctx) => asked.resolve(ctx.client));
  await operator({ name: 'bench', controllers: [given], logger, cache: { policy: task.policy } }).start();
  const client = await asked.promise;
  const key = (n) => ({ namespace: `team-${n % 10}`, name: `widget-${n}` });
  // The first one of a namespace may open a watch, which fills the cache meanwhile.
  for (let namespace = 0; namespace < 10; namespace += 1) await client.get(kind, key(namespace));
  await new Promise((resolve) => setTimeout(resolve, task.settle));
  let objects = 0;
  const begun = used();
  for (let i = 0; i < task.times; i += 1) {
    const { spec } = await client.get(kind, key(i % task.count));
    if (spec.color !== undefined) objects += 1;
  }
  say({ at: 'get', ...since(begun), reads: task.times, objects });
  process.exit(0);
}

await { follow, idle, policy, read }[task.mode]();
