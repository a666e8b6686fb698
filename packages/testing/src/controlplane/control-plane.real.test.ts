import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { connect } from 'kilter';
import { Deployment, ReplicaSet } from 'kilter/k8s/apps/v1';
import type { SelfSubjectReview } from 'kilter/k8s/authentication/v1';
import { Job } from 'kilter/k8s/batch/v1';
import { ConfigMap, Namespace, Node, Pod } from 'kilter/k8s/core/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { realServer } from './available.test-support.ts';
import { type ControlPlane, controlPlane } from './control-plane.ts';
import { workloadControllers } from './options.ts';
import { isRunning, soon } from './process-state.test-support.ts';
import type { ToldPlane } from './real-program.test-support.ts';

// A start takes 3 s on an idle machine; tests of other files start their own at the same time.
const timeout = 180_000;
const without = (...names: readonly string[]): boolean =>
  names.some((name) => (realServer.binaries as Record<string, string> | undefined)?.[name] === undefined);

/** Why a part is left out: the whole control plane may be missing, or only some executables. */
const reasonFor = (missing: boolean, names: string): string =>
  missing && realServer.binaries !== undefined ? `skipped: no ${names} beside kube-apiserver` : realServer.reason;

const folderOf = (plane: ControlPlane): string => dirname(dirname(plane.kubeconfigFile));
const processesOf = (plane: ControlPlane): number[] => Object.values(plane.pids);
const deployment = (name: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] } },
  },
});

describe.skipIf(without('etcd'))(`a control plane (${realServer.reason})`, { timeout }, () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await controlPlane({
      tokens: { 'jane-token': { name: 'jane', groups: ['devs', 'qa'] } },
      apiServerFlags: ['--default-watch-cache-size=50'],
    });
  }, timeout);
  afterAll(() => plane?.stop(), timeout);

  test('API-G6: answers with its own certificate when it is handed over, and its default namespace is there', async () => {
    const { ca, token, url } = plane;
    expect(await ask({ url: `${url}/readyz`, tls: { ca }, token })).toEqual({ status: 200, body: 'ok' });
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    expect((await client.get(Namespace, 'default')).status?.phase).toBe('Active');
  });

  test('forgets its first versions, as a server does that has run for some minutes', async () => {
    const { ca, token, url } = plane;
    const path = '/api/v1/configmaps?resourceVersion=1&resourceVersionMatch=Exact';
    expect((await ask({ url: `${url}${path}`, tls: { ca }, token })).status).toBe(410);
  });

  test('says which versions run, as the server itself does', async () => {
    const answer = await ask({ url: `${plane.url}/version`, tls: { ca: plane.ca }, token: plane.token });
    expect((JSON.parse(answer.body) as { gitVersion: string }).gitVersion).toBe(plane.versions.kubernetes);
    expect(plane.versions.etcd).toMatch(/^3\.\d+\.\d+$/);
  });

  test('keeps what it writes from other users', () => {
    expect(statSync(folderOf(plane)).mode & 0o077).toBe(0);
    expect(statSync(plane.kubeconfigFile).mode & 0o077).toBe(0);
  });

  test('has the logs of its processes at hand', () => {
    expect(Object.keys(plane.logs())).toEqual(['etcd', 'kube-apiserver']);
    expect(plane.logs()['kube-apiserver']).toMatch(/\S/);
  });

  test('knows users by token; RBAC decides what they may', async () => {
    const url = `${plane.url}/api/v1/namespaces/default/configmaps`;
    const as = async (token: string): Promise<number> => (await ask({ url, tls: { ca: plane.ca }, token })).status;
    expect([await as(plane.token), await as('jane-token'), await as('made-up')]).toEqual([200, 403, 401]);
  });

  test('knows users by client certificate', async () => {
    const { certificate, key } = plane.clientCertificate('joe', ['ops', 'dev']);
    const answer = await ask({
      url: `${plane.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      tls: { ca: plane.ca, cert: certificate, key },
      method: 'POST',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    });
    const { status } = JSON.parse(answer.body) as SelfSubjectReview;
    expect(status?.userInfo).toMatchObject({ username: 'joe', groups: ['ops', 'dev', 'system:authenticated'] });
  });

  test('signs tokens of service accounts that it accepts itself', async () => {
    const admin = { tls: { ca: plane.ca }, token: plane.token, method: 'POST' };
    const accounts = `${plane.url}/api/v1/namespaces/default/serviceaccounts`;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } };
    expect((await ask({ ...admin, url: accounts, body: account })).status).toBe(201);
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const issued = await ask({ ...admin, url: `${accounts}/robot/token`, body: request });
    const { status } = JSON.parse(issued.body) as { status: { token: string } };
    const answer = await ask({ url: `${plane.url}/api`, tls: { ca: plane.ca }, token: status.token });
    expect(answer.status).toBe(200);
  });

  test('API-G7: another one shares its etcd and sees nothing of it; ending it leaves the first alone', async () => {
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine', namespace: 'default' } });
    const other = await plane.another();
    expect(other.pids['etcd']).toBe(plane.pids['etcd']);
    expect([other.url, other.token, other.ca]).not.toEqual(expect.arrayContaining([plane.url]));
    await using stranger = await connect({ kubeconfig: other.kubeconfigFile });
    expect(await stranger.find(ConfigMap, { name: 'mine', namespace: 'default' })).toBeUndefined();
    const refused = await ask({ url: `${other.url}/api`, tls: { ca: other.ca }, token: plane.token });
    expect(refused.status).toBe(401);
    await other.stop();
    expect(isRunning(other.pids['kube-apiserver'] ?? 0)).toBe(false);
    expect(existsSync(dirname(other.kubeconfigFile))).toBe(false);
    expect(await client.find(ConfigMap, { name: 'mine', namespace: 'default' })).toBeDefined();
    expect(plane.failure.aborted).toBe(false);
  });

  test('does not start with a flag the server refuses: the end of its log is in the message', async () => {
    const error = await plane.another({ apiServerFlags: ['--no-such-flag=1'] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringMatching(/kube-apiserver \(pid \d+\) ended with code 1.*unknown flag: --no-such-flag/s),
    });
  });

  test('does not start on a port that is taken, and names it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const error = await plane.another({ apiServerFlags: [`--secure-port=${port}`] }).catch((reason: unknown) => reason);
    server.close();
    expect(error).toMatchObject({
      code: 'TESTING_PORT_TAKEN',
      message: expect.stringContaining(`kube-apiserver cannot listen on port ${port} of 127.0.0.1`),
    });
  });

  test('a start that is aborted half way leaves the others alone, and nothing behind', async () => {
    const wanted = new AbortController();
    const starting = plane.another({ signal: wanted.signal });
    const other = folderOf(plane);
    const entries = (): string[] => readdirSync(other).filter((name) => name.startsWith('cluster-'));
    expect(await soon(() => entries().length === 2)).toBe(true);
    wanted.abort(new Error('changed my mind'));
    await expect(starting).rejects.toThrow('changed my mind');
    expect(entries()).toEqual(['cluster-1']);
    expect(processesOf(plane).every(isRunning)).toBe(true);
  });
});

describe.skipIf(without('etcd'))(`the end of a control plane (${realServer.reason})`, { timeout }, () => {
  test('leaves no process and no file; asking twice is asking once', async () => {
    const plane = await controlPlane();
    const [pids, folder] = [processesOf(plane), folderOf(plane)];
    expect(pids.every(isRunning)).toBe(true);
    await Promise.all([plane.stop(), plane.stop(), plane[Symbol.asyncDispose]()]);
    expect({ running: pids.filter(isRunning), folder: existsSync(folder) }).toEqual({ running: [], folder: false });
    expect(plane.failure.aborted).toBe(false);
    expect(plane.logs()['kube-apiserver']).toMatch(/\S/);
  });

  test('a server that dies is noticed at once: which, how, and the end of its log', async () => {
    await using plane = await controlPlane();
    const failed = once(plane.failure, 'abort');
    process.kill(plane.pids['kube-apiserver'] ?? 0, 'SIGKILL');
    await failed;
    expect(plane.failure.reason).toMatchObject({
      code: 'TESTING_PROCESS_DIED',
      message: expect.stringMatching(/kube-apiserver \(pid \d+\) was ended by SIGKILL.*the end of its log:\n.+/s),
    });
  });

  test('a guardian that is killed takes its servers along, and that is said', async () => {
    await using plane = await controlPlane();
    const failed = once(plane.failure, 'abort');
    const etcd = plane.pids['etcd'] ?? 0;
    const guardian = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(etcd)], { encoding: 'utf8' }));
    process.kill(guardian, 'SIGKILL');
    await failed;
    expect(plane.failure.reason).toMatchObject({
      code: 'TESTING_PROCESS_DIED',
      message: expect.stringMatching(/its guardian \(pid \d+\) was ended by SIGKILL/),
    });
    expect(processesOf(plane).filter(isRunning)).toEqual([]);
    await plane.stop();
    expect(existsSync(folderOf(plane))).toBe(false);
  });

  test('an etcd that dies fails all that share it, and the next one has a new one', async () => {
    const first = await controlPlane();
    const etcd = first.pids['etcd'] ?? 0;
    const failed = once(first.failure, 'abort');
    process.kill(etcd, 'SIGKILL');
    await failed;
    expect(String(first.failure.reason)).toContain('etcd (pid');
    await using next = await controlPlane();
    expect(next.pids['etcd']).not.toBe(etcd);
    await first.stop();
    expect(processesOf(next).every(isRunning)).toBe(true);
  });

  test.each([
    ['is killed', 'wait', 'SIGKILL'],
    ['ends by an exception nobody caught', 'throw', undefined],
    ['calls process.exit', 'exit', undefined],
  ] as const)('comes with the end of the program that %s', async (_, way, signal) => {
    const args = ['--conditions=@kilter/source', '--disable-warning=ExperimentalWarning'];
    const program = new URL('real-program.test-support.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [...args, program, way], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const { pids, folder } = JSON.parse(text.toString()) as ToldPlane;
    expect(pids).toHaveLength(2);
    if (signal !== undefined) {
      expect(pids.every(isRunning) && existsSync(folder)).toBe(true);
      child.kill(signal);
    }
    await ended;
    await soon(() => !pids.some(isRunning) && !existsSync(folder));
    expect({ running: pids.filter(isRunning), folder: existsSync(folder) }).toEqual({ running: [], folder: false });
  });
});

const alone = without('kube-controller-manager');
describe.skipIf(alone)(`controllers (${reasonFor(alone, 'kube-controller-manager')})`, { timeout }, () => {
  test('API-G8: those that were chosen run, and no others', async () => {
    await using plane = await controlPlane({ controllers: ['namespace-controller'] });
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await client.create(deployment('web'));
    await client.delete(Namespace, 'shop');
    await expect.poll(() => client.find(Namespace, 'shop'), { timeout: 30_000 }).toBeUndefined();
    expect(await client.list(ReplicaSet, { namespace: 'default' })).toEqual([]);
  });

  test('one that does not exist is named by the process itself', async () => {
    const error = await controlPlane({ controllers: ['no-such-controller'] }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'TESTING_START_FAILED',
      message: expect.stringMatching(/kube-controller-manager \(pid \d+\) ended with code 1.*no-such-controller/s),
    });
  });
});

const empty = without('kube-controller-manager', 'kube-scheduler', 'kwok');
describe.skipIf(empty)(`nodes (${reasonFor(empty, 'kube-scheduler or kwok')})`, { timeout }, () => {
  test('API-G10: Deployments become Available, deleted Pods go, Jobs complete', async () => {
    await using plane = await controlPlane({ controllers: workloadControllers, nodes: 2 });
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    const nodes = await client.list(Node);
    expect(nodes.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2']);
    expect(nodes.map(({ spec }) => spec?.taints ?? [])).toEqual([[], []]);

    await client.create(deployment('web'));
    const available = async (): Promise<number | undefined> =>
      (await client.find(Deployment, { name: 'web', namespace: 'default' }))?.status?.availableReplicas;
    await expect.poll(available, { timeout: 30_000 }).toBe(2);
    const pods = (): Promise<Pod[]> => client.list(Pod, { namespace: 'default' });
    expect((await pods()).map(({ status }) => [status?.phase, status?.podIP !== undefined])).toEqual([
      ['Running', true],
      ['Running', true],
    ]);

    await client.delete(Deployment, { name: 'web', namespace: 'default' });
    await expect.poll(async () => (await pods()).length, { timeout: 30_000 }).toBe(0);

    await client.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once', namespace: 'default' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1' }] } } },
    });
    const succeeded = async (): Promise<number | undefined> =>
      (await client.find(Job, { name: 'once', namespace: 'default' }))?.status?.succeeded;
    await expect.poll(succeeded, { timeout: 30_000 }).toBe(1);
  });
});
