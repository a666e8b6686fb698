// @kubernetes/client-node's informer with the queue its users write: keys in a set, workers that take them in order.
import {
  CustomObjectsApi,
  CoreV1Api,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '../../peers/node_modules/@kubernetes/client-node/dist/index.js';
import { commands, Counter, measureReads, say, since, task, used } from './protocol.mjs';

const group = 'bench.example.com';
const config = new KubeConfig();
config.loadFromFile(task.kubeconfig);
const core = config.makeApiClient(CoreV1Api);
const custom = config.makeApiClient(CustomObjectsApi);
const looked = task.kind === 'pods' ? (pod) => pod.spec.nodeName : (widget) => widget.spec.color;

function informerOf(plural) {
  const pods = plural === 'pods';
  const list = pods
    ? () => core.listPodForAllNamespaces()
    : () => custom.listCustomObjectForAllNamespaces({ group, version: 'v1', resourcePlural: plural, plural });
  const informer = makeInformer(config, pods ? '/api/v1/pods' : `/apis/${group}/v1/${plural}`, list);
  informer.on('error', (error) => {
    // Its watch ends itself after a while without events; users start it again.
    if (error?.name === 'AbortError' || error?.name === 'TimeoutError') return void informer.start();
    say({ failure: String(error?.message ?? error) });
    process.exit(1);
  });
  return informer;
}

/** Each key once, however often it is added; workers run side by side. */
class Queue {
  #waiting = new Set();
  #idle;
  #run;

  constructor(workers, run) {
    this.#idle = workers;
    this.#run = run;
  }

  add(key) {
    this.#waiting.add(key);
    if (this.#idle === 0) return;
    this.#idle -= 1;
    setImmediate(() => void this.#work());
  }

  async #work() {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#run(key);
    }
    this.#idle += 1;
  }
}

async function writeStatus({ metadata: { namespace, name }, status }) {
  const body = { status: { runs: (status?.runs ?? 0) + 1 } };
  await custom.patchNamespacedCustomObjectStatus(
    { group, version: 'v1', namespace, plural: 'widgets', name, body },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
}

async function follow() {
  const informer = informerOf(task.kind);
  const counter = new Counter();
  counter.listen();
  const written = new Set();
  const queue = new Queue(task.workers, async (key) => {
    const [namespace, name] = key.split('/');
    const object = informer.get(name, namespace);
    counter.begin(object);
    if (looked(object) === undefined) throw new Error('an object without its fields');
    if (task.write) {
      if (written.has(name)) return;
      written.add(name);
      await writeStatus(object);
    }
    counter.end();
  });
  const wanted = ({ metadata }) => queue.add(`${metadata.namespace}/${metadata.name}`);
  informer.on('add', wanted);
  informer.on('update', wanted);
  await informer.start();
}

async function idle() {
  let begun = used();
  const informers = Array.from({ length: 20 }, (_, i) => informerOf(`idle${i}s`));
  await Promise.all(informers.map((informer) => informer.start()));
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
  const informer = informerOf(task.kind);
  await informer.start();
  const one = task.kind === 'pods' ? 'pod' : 'widget';
  const value = (i) => `${task.kind === 'pods' ? 'node' : 'color'}-${i % 50}`;
  const few = Math.floor(task.times / 100) + 1;
  measureReads('get', task.times, (i) => {
    const n = i % task.count;
    return informer.get(`${one}-${n}`, `team-${n % 100}`) === undefined ? 0 : 1;
  });
  measureReads('namespace', few, (i) => informer.list(`team-${i % 100}`).length);
  const chosen = (test) => informer.list().filter(test).length;
  measureReads('label', few, (i) => chosen(({ metadata }) => metadata.labels[`${group}/group`] === `group-${i % 50}`));
  measureReads('index', few, (i) => chosen((object) => looked(object) === value(i)));
  process.exit(0);
}

await { follow, idle, read }[task.mode]();
