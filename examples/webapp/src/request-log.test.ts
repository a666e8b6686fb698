// The operator in this process and as its own process ask the server the same things.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer, type ApiServer, type RecordedRequest } from '@kilter/testing';
import { Deployment } from 'kilter/k8s/apps/v1';
import { connectTo } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { program } from './demo/child-process.ts';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };
function ignore(): void {}

/** Identities, versions, times and random numbers differ from run to run; nothing else may. */
function withoutVolatile({ method, path, status, body }: RecordedRequest): string {
  const text = `${method} ${path} -> ${status} ${body ?? ''}`;
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/"holderIdentity":"[^"]*"|"reportingInstance":"[^"]*"/g, '<identity>')
    .replaceAll(/\\"holder\\":\\"[^"]*"|\\"began\\":\d+/g, '<reign>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/("resourceVersion":"|resourceVersion=)\d+/g, '$1<rv>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<address>')
    .replaceAll(/"(caBundle|[a-z]+\.(?:crt|key))":"[^"]*"/g, '"$1":<pem>')
    .replaceAll(/timeoutSeconds=\d+/g, 'timeoutSeconds=<s>')
    .replaceAll(/(nginx-app|webapp-operator)\.[0-9a-f]{10,}/g, '$1.<event>');
}

const isWrite = ({ method, path }: RecordedRequest): boolean =>
  method !== 'GET' && !['/leases', '/events'].some((part) => path.includes(part));

/** Nobody waits for the answers to questions about rights: how many were asked by the end depends on how busy the machine is. */
const isCompared = ({ path }: RecordedRequest): boolean => !path.includes('/selfsubjectaccessreviews');

interface Log {
  /** In order: what changed the WebApp and its children. */
  readonly writes: string[];
  /** As sets: watches, lease and events, whose number depends on how long it took. */
  readonly rest: string[];
}

function logOf(all: readonly RecordedRequest[]): Log {
  const requests = all.filter(isCompared);
  return {
    writes: requests.filter(isWrite).map(withoutVolatile),
    rest: [...new Set(requests.filter((request) => !isWrite(request)).map(withoutVolatile))].toSorted(),
  };
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const over = Date.now() + 30_000;
  while (!(await look())) {
    if (Date.now() > over) throw new Error(`waited 30 s for ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Instead of a controller of Deployments: how much of a rollout an operator gets to see depends on how busy the machine is. */
const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
const conditions = [
  { type: 'Available', status: 'True' },
  { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
];
const rolledOut = { observedGeneration: 1, ...counts, conditions };
const controllers = { workloads: false };

async function scenario(server: ApiServer): Promise<void> {
  const client = connectTo(server.connection('user'));
  await client.create(WebApp.build({ name: 'nginx-app', namespace: 'default', spec: { image: 'nginx:1.25' } }));
  const reasonOfReady = async (): Promise<string | undefined> =>
    (await client.get(WebApp, 'nginx-app')).status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
  await until('its children', async () => (await reasonOfReady()) === 'Creating');
  await client.patch(Deployment, 'nginx-app', { status: rolledOut }, { subresource: 'status' });
  await until('Ready', async () => (await reasonOfReady()) === 'Available');
  await client.delete(WebApp, 'nginx-app');
  await until('the end', async () => (await client.find(WebApp, 'nginx-app')) === undefined);
}

const webhooks = { address: '127.0.0.1:0', url: 'https://127.0.0.1' };
const conversion = { url: 'https://127.0.0.1/convert' };

async function install(server: ApiServer): Promise<void> {
  await connectTo(server.connection('user')).create(WebApp.manifest({ conversion }));
}

async function inProcess(): Promise<Log> {
  await using server = apiServer({ controllers });
  await install(server);
  const operator = webappOperator({ dns: memoryDns(), logger: quiet });
  const manager = await operator.start({ connection: server.connection('operator'), webhooks });
  await manager.ready;
  await scenario(server);
  await manager.stop();
  return logOf(server.requests.filter(({ user }) => user === 'operator'));
}

async function asProcess(folder: string): Promise<Log> {
  await using server = apiServer({ controllers });
  await install(server);
  const { kubeconfig } = await server.listen();
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig);
  const quietly = [
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    '--webhook-bind-address=127.0.0.1:0',
    '--webhook-url=https://127.0.0.1',
  ];
  await using operator = program('main.ts', ['--kubeconfig', file, ...quietly], folder);
  await operator.says('this replica leads');
  await scenario(server);
  operator.kill('SIGTERM');
  expect(await operator.ended).toBe(0);
  return logOf(server.requests.filter(({ user }) => user === 'admin'));
}

test('the request log is the same up to volatile fields', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-log-'));
  try {
    const [inside, outside] = [await inProcess(), await asProcess(folder)];
    expect(inside.writes.length).toBeGreaterThanOrEqual(6);
    expect(inside.rest.length).toBeGreaterThanOrEqual(7);
    expect(outside).toEqual(inside);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 90_000);
