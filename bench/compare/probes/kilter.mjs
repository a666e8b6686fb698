// Kilter as its users get it: an operator whose reconciler looks at its object and does nothing.
import { controller, operator } from 'kilter';
import { commands, Counter, measureReads, say, since, task, used } from './protocol.mjs';

const names = (kind, plural) => ({
  ...{ group: 'bench.example.com', version: 'v1', kind, plural, scope: 'Namespaced' },
  ...{ singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames: [] },
});
const kindOf = async () =>
  task.kind === 'pods' ? (await import('kilter/k8s/core/v1')).Pod : { names: names('Widget', 'widgets') };
const looked = task.kind === 'pods' ? (pod) => pod.spec.nodeName : (widget) => widget.spec.color;
process.env.KUBECONFIG = task.kubeconfig;
const silent = () => undefined;
const logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: (...told) => say({ complaint: told }),
  child: () => logger,
  // As loggers are set in production: a line nobody reads is not put together.
  isLevelEnabled: (level) => level === 'error',
};
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

await { follow, idle, read }[task.mode]();
