// kube-scheduler, kube-controller-manager and kwok together, unmodified: workloads come to life, and a node is drained.
import { kwokArguments } from './components.ts';
import { type Count, countOf } from './count.ts';
import type { ProgramSetting } from './places.ts';
import { ask, itemsOf, kubectl, type Plain, template, waitFor, withProgram } from './running.ts';

const replicas = 4;
const nodes = ['outside-a', 'outside-b'] as const;

const workload = (name: string, more: Plain = {}): Plain => {
  const labels = { app: name };
  return {
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: template(labels), ...more },
  };
};

const field = (object: Plain, ...path: readonly string[]): unknown => {
  let value: unknown = object;
  for (const key of path) value = (value as Plain | undefined)?.[key];
  return value;
};

class Scene {
  readonly #place: ProgramSetting;
  readonly #results = new Map<string, string | undefined>();
  readonly #namespace: string;

  constructor(place: ProgramSetting) {
    this.#place = place;
    this.#namespace = `whole-${Date.now()}`;
  }

  #at(group: string): string {
    return `/${group === 'core' ? 'api' : `apis/${group}`}/v1/namespaces/${this.#namespace}`;
  }

  #pods = async (app: string): Promise<Plain[]> =>
    itemsOf(await ask(this.#place, `GET ${this.#at('core')}/pods?labelSelector=app=${app}`));

  async #see(what: string, holds: () => Promise<boolean>): Promise<void> {
    this.#results.set(what, await waitFor(holds));
  }

  async prepare(): Promise<void> {
    await ask(this.#place, 'POST /api/v1/namespaces', { metadata: { name: this.#namespace } });
    for (const name of nodes)
      await ask(this.#place, 'POST /api/v1/nodes', {
        metadata: { name, labels: { 'kubernetes.io/hostname': name }, annotations: { 'kwok.x-k8s.io/node': 'fake' } },
      });
    await this.#see('both nodes are ready and without taints', async () => {
      const all = itemsOf(await ask(this.#place, 'GET /api/v1/nodes'));
      const ready = all.filter((node) => {
        const conditions = (field(node, 'status', 'conditions') ?? []) as Plain[];
        return (
          conditions.some(({ type, status }) => type === 'Ready' && status === 'True') &&
          field(node, 'spec', 'taints') === undefined
        );
      });
      return ready.length === nodes.length;
    });
  }

  async #deployment(): Promise<void> {
    await ask(this.#place, `POST ${this.#at('apps')}/deployments`, workload('d'));
    await this.#see('a Deployment is available, on both nodes', async () => {
      const found = await ask(this.#place, `GET ${this.#at('apps')}/deployments/d`);
      const used = new Set((await this.#pods('d')).map((pod) => field(pod, 'spec', 'nodeName')));
      return field(found, 'status', 'availableReplicas') === replicas && used.size === nodes.length;
    });
    await kubectl(this.#place, '-n', this.#namespace, 'set', 'image', 'deployment/d', 'c=nginx:2');
    await this.#see('a rollout of another image is complete', async () => {
      const out = await kubectl(
        this.#place,
        '-n',
        this.#namespace,
        'rollout',
        'status',
        'deployment/d',
        '--timeout=60s',
      );
      const images = (await this.#pods('d')).map((pod) => JSON.stringify(field(pod, 'spec', 'containers')));
      return out.includes('successfully rolled out') && images.some((image) => image.includes('nginx:2'));
    });
  }

  async #statefulSet(): Promise<void> {
    await ask(this.#place, `POST ${this.#at('apps')}/statefulsets`, workload('s', { serviceName: 's', replicas: 3 }));
    await this.#see('a StatefulSet is ready, its Pods numbered', async () => {
      const found = await ask(this.#place, `GET ${this.#at('apps')}/statefulsets/s`);
      const names = (await this.#pods('s')).map((pod) => String(field(pod, 'metadata', 'name'))).toSorted();
      return field(found, 'status', 'readyReplicas') === 3 && names.join() === 's-0,s-1,s-2';
    });
  }

  async #job(): Promise<void> {
    await ask(this.#place, `POST ${this.#at('batch')}/jobs`, {
      metadata: { name: 'j' },
      spec: {
        completions: 3,
        parallelism: 2,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    await this.#see('a Job completes', async () => {
      const found = await ask(this.#place, `GET ${this.#at('batch')}/jobs/j`);
      return field(found, 'status', 'succeeded') === 3;
    });
  }

  async #drain(): Promise<void> {
    const [first] = nodes;
    await ask(this.#place, `POST ${this.#at('policy')}/poddisruptionbudgets`, {
      metadata: { name: 'd' },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'd' } } },
    });
    await this.#see('kubectl drain empties a node within a budget', async () => {
      await kubectl(this.#place, 'drain', first, '--ignore-daemonsets', '--force', '--delete-emptydir-data');
      const all = [...(await this.#pods('d')), ...(await this.#pods('s'))];
      return all.every((pod) => field(pod, 'spec', 'nodeName') !== first);
    });
    await this.#see('what ran there runs elsewhere', async () => {
      const deployment = await ask(this.#place, `GET ${this.#at('apps')}/deployments/d`);
      const set = await ask(this.#place, `GET ${this.#at('apps')}/statefulsets/s`);
      return (
        field(deployment, 'status', 'availableReplicas') === replicas && field(set, 'status', 'readyReplicas') === 3
      );
    });
    await this.#see('the node takes no Pods until it is uncordoned', async () => {
      if (field(await ask(this.#place, `GET /api/v1/nodes/${first}`), 'spec', 'unschedulable') !== true) return false;
      await kubectl(this.#place, 'uncordon', first);
      return field(await ask(this.#place, `GET /api/v1/nodes/${first}`), 'spec', 'unschedulable') === undefined;
    });
  }

  async #end(): Promise<void> {
    await ask(this.#place, `DELETE /api/v1/namespaces/${this.#namespace}`);
    await this.#see('the namespace is emptied and goes', async () => {
      const spaces = itemsOf(await ask(this.#place, 'GET /api/v1/namespaces'));
      return !spaces.some((one) => field(one, 'metadata', 'name') === this.#namespace);
    });
    for (const name of nodes) await ask(this.#place, `DELETE /api/v1/nodes/${name}`);
  }

  async play(): Promise<Count> {
    await this.prepare();
    await this.#deployment();
    await this.#statefulSet();
    await this.#job();
    await this.#drain();
    await this.#end();
    return countOf(this.#results);
  }
}

/** What the three make of a Deployment, a StatefulSet, a Job and a drain. */
export async function wholeCluster(place: ProgramSetting): Promise<Count> {
  const flags = [`--kubeconfig=${place.kubeconfig}`, '--secure-port=0'];
  return withProgram(place, ['kwok', await kwokArguments(place)], () =>
    withProgram(place, ['kube-controller-manager', flags], () =>
      withProgram(place, ['kube-scheduler', flags], () => new Scene(place).play()),
    ),
  );
}
