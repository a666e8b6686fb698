// On a real control plane: what only it has, and what happens when it dies.
import { connect as openSocket } from 'node:net';
import type { Operator } from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap, Pod } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { cluster } from './index.ts';
import { realServer } from '../controlplane/available.test-support.ts';
import { Note, notesOperator } from './backends.test-support.ts';

const small = { controllers: [], nodes: 0 };
const labels = { app: 'web' };
const web = (name: string): Deployment =>
  Deployment.build({
    name,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  });

const isClosed = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(`https://${host}`);
    const socket = openSocket({ host: hostname, port: Number(port) });
    socket.on('connect', () => resolve((socket.destroy(), false)));
    socket.on('error', () => resolve(true));
  });

describe.skipIf(realServer.binaries === undefined)(`a cluster (${realServer.reason})`, { timeout: 180_000 }, () => {
  test('has what turns Deployments into Pods that run, unless it is told to have less', async () => {
    await using env = await cluster({ backend: 'control-plane', objects: [web('web')] });
    await env.eventually(Deployment, 'web', { status: { availableReplicas: 2 } });
    expect(Object.keys(env.controlPlane.pids)).toContain('kube-scheduler');
    await env.client.delete(Deployment, 'web');
    await env.gone(Deployment, 'web');
    const pods = async () =>
      (await env.client.list(Pod, { namespace: 'default' })).map(({ metadata }) => metadata.name);
    await env.eventually(ConfigMap, 'kube-root-ca.crt', async () => expect(await pods()).toEqual([]));

    await using less = await cluster({ backend: 'control-plane', objects: [web('web')], controlPlane: small });
    expect(Object.keys(less.controlPlane.pids).toSorted()).toEqual(['etcd', 'kube-apiserver']);
    expect((await less.client.get(Deployment, 'web')).status?.replicas).toBeUndefined();
  });

  test('ends every wait at once when a process dies, and is then disposed of in peace', async () => {
    const env = await cluster({ backend: 'control-plane', operator: notesOperator(), controlPlane: small });
    const died = { code: 'TESTING_PROCESS_DIED', message: expect.stringContaining('kube-apiserver') as string };
    const waits = [
      env.eventually(ConfigMap, 'never', {}, { within: '1h' }),
      env.gone(ConfigMap, 'never').then(() => env.eventually(ConfigMap, 'never', {}, { within: '1h' })),
    ];
    const ends = Promise.allSettled(waits);
    process.kill(env.controlPlane.pids['kube-apiserver'] ?? 0, 'SIGKILL');
    expect(await ends).toMatchObject([
      { status: 'rejected', reason: died },
      { status: 'rejected', reason: died },
    ]);
    await expect(env.client.create(ConfigMap.build({ name: 'late' }))).rejects.toMatchObject(died);
    await expect(env.start(notesOperator())).rejects.toMatchObject(died);
    // The test has failed with it: telling it once more would hide that behind another error.
    await env[Symbol.asyncDispose]();
  });

  test('tells at the end of a process that died where nobody has waited', async () => {
    const env = await cluster({ backend: 'control-plane', operator: notesOperator(), controlPlane: small });
    const { failure, pids } = env.controlPlane;
    process.kill(pids['kube-apiserver'] ?? 0, 'SIGKILL');
    await new Promise((resolve) => failure.addEventListener('abort', resolve, { once: true }));
    await expect(env[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'TESTING_PROCESS_DIED' });
  });

  test('leaves no process when cluster() fails half way', async () => {
    let host = '';
    const failing: Operator = {
      ...notesOperator(),
      start: async ({ connection } = {}) => {
        host = connection?.host ?? '';
        expect(await isClosed(host)).toBe(false);
        throw new Error('no licence');
      },
    };
    const opening = cluster({ backend: 'control-plane', operator: failing, controlPlane: small });
    await expect(opening).rejects.toMatchObject({ cause: expect.objectContaining({ message: 'no licence' }) as Error });
    expect(await isClosed(host)).toBe(true);
  });

  test('shows the ends of the logs where a wait was in vain', async () => {
    await using env = await cluster({ backend: 'control-plane', kinds: [Note], controlPlane: small });
    const wait = env.eventually(Note, 'never', {}, { within: '100ms' });
    await expect(wait).rejects.toThrow(
      /it does not exist\nthe end of the log of etcd:\n(.*\n)+the end of the log of kube-apiserver:\n/,
    );
  });
});
