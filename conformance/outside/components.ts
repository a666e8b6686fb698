// The real controllers and the real fake nodes, unmodified and with default settings, on a server.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stagesText } from '../../packages/testing/src/controlplane/stages.ts';
import { type Count, countOf } from './count.ts';
import type { ProgramSetting } from './places.ts';
import { ask, itemsOf, type Plain, template, waitFor, withProgram } from './running.ts';

/** What kube-controller-manager makes of a Deployment, a Job, an owner that goes and a namespace that goes. */
export async function controllerManager(place: ProgramSetting): Promise<Count> {
  const space = `outside-${Date.now()}`;
  const at = `/api/v1/namespaces/${space}`;
  const apps = `/apis/apps/v1/namespaces/${space}`;
  return withProgram(
    place,
    ['kube-controller-manager', [`--kubeconfig=${place.kubeconfig}`, '--secure-port=0']],
    async () => {
      await ask(place, 'POST /api/v1/namespaces', { metadata: { name: space } });
      const labels = { app: 'd' };
      const spec = { replicas: 2, selector: { matchLabels: labels }, template: template(labels) };
      const results = new Map<string, string | undefined>();
      results.set(
        'a ServiceAccount in a new namespace',
        await waitFor(async () => {
          return (await ask(place, `GET ${at}/serviceaccounts/default`))['kind'] === 'ServiceAccount';
        }),
      );
      await ask(place, `POST ${apps}/deployments`, { metadata: { name: 'd' }, spec });
      results.set(
        'Pods of a Deployment',
        await waitFor(async () => itemsOf(await ask(place, `GET ${at}/pods?labelSelector=app=d`)).length === 2),
      );
      const job = {
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      };
      await ask(place, `POST /apis/batch/v1/namespaces/${space}/jobs`, job);
      results.set(
        'a Pod of a Job',
        await waitFor(async () => itemsOf(await ask(place, `GET ${at}/pods?labelSelector=job-name=j`)).length === 1),
      );
      await ask(place, `POST ${at}/services`, {
        metadata: { name: 's' },
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      results.set(
        'slices of a Service',
        await waitFor(async () => {
          const slices = await ask(
            place,
            `GET /apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices?labelSelector=kubernetes.io/service-name=s`,
          );
          return itemsOf(slices).length > 0;
        }),
      );
      await ask(place, `DELETE ${apps}/deployments/d`);
      results.set(
        'what a deleted Deployment owned is collected',
        await waitFor(async () => {
          const left = await ask(place, `GET ${apps}/replicasets`);
          return itemsOf(left).length === 0;
        }),
      );
      await ask(place, `DELETE /api/v1/namespaces/${space}`);
      results.set(
        'a namespace is emptied and goes',
        await waitFor(async () => {
          const spaces = itemsOf(await ask(place, 'GET /api/v1/namespaces'));
          return !spaces.some((one) => (one['metadata'] as Plain)['name'] === space);
        }),
      );
      return countOf(results);
    },
  );
}

/** Without stages it does not start: those of our own control plane, by their name alone, from the folder where it runs. */
export async function kwokArguments({ folder, kubeconfig }: ProgramSetting): Promise<string[]> {
  await writeFile(join(folder, 'stages.yaml'), stagesText());
  return [
    `--kubeconfig=${kubeconfig}`,
    '--config=stages.yaml',
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
  ];
}

/** What kwok makes of a node and of a Pod that is bound to it. */
export async function fakeNodes(place: ProgramSetting): Promise<Count> {
  const name = `outside-${Date.now()}`;
  const space = '/api/v1/namespaces/default';
  return withProgram(place, ['kwok', await kwokArguments(place)], async () => {
    const results = new Map<string, string | undefined>();
    await ask(place, 'POST /api/v1/nodes', { metadata: { name, annotations: { 'kwok.x-k8s.io/node': 'fake' } } });
    const conditions = (status: unknown): Plain[] => ((status as Plain | undefined)?.['conditions'] ?? []) as Plain[];
    results.set(
      'a node is ready',
      await waitFor(async () => {
        const { status } = await ask(place, `GET /api/v1/nodes/${name}`);
        return conditions(status).some(({ type, status: now }) => type === 'Ready' && now === 'True');
      }),
    );
    results.set(
      'its lease is renewed',
      await waitFor(async () => {
        return (
          (await ask(place, `GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`))['kind'] ===
          'Lease'
        );
      }),
    );
    await ask(place, `POST ${space}/serviceaccounts`, { metadata: { name: 'default' } }).catch(() => undefined);
    await ask(place, `POST ${space}/pods`, {
      metadata: { name },
      spec: { nodeName: name, containers: [{ name: 'c', image: 'i' }] },
    });
    results.set(
      'a Pod runs',
      await waitFor(async () => {
        const { status } = await ask(place, `GET ${space}/pods/${name}`);
        return (status as Plain)['phase'] === 'Running';
      }),
    );
    await ask(place, `DELETE ${space}/pods/${name}`);
    results.set(
      'a deleted Pod goes',
      await waitFor(async () => {
        const pods = itemsOf(await ask(place, `GET ${space}/pods`));
        return !pods.some((pod) => (pod['metadata'] as Plain)['name'] === name);
      }),
    );
    await ask(place, `DELETE /api/v1/nodes/${name}`);
    return countOf(results);
  });
}
