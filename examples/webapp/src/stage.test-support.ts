// Where the WebApp tests run: in this process on the embedded server, or three processes beside a real control plane.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, cluster } from '@kilter/testing';
import { type Program, program } from './demo/child-process.ts';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

export interface Stage extends AsyncDisposable {
  readonly env: Cluster;
  /** Whether the name of a WebApp is in the name server. */
  readonly isPublished: (name: string) => boolean;
  /** The processes of the operator; none where it runs in this one. */
  readonly replicas: readonly Program[];
}

async function inProcess(): Promise<Stage> {
  const dns = memoryDns();
  const env = await cluster({ operator: webappOperator({ dns }), rbac: 'derived' });
  return {
    env,
    replicas: [],
    isPublished: (name) => dns.names.has(name),
    [Symbol.asyncDispose]: () => env[Symbol.asyncDispose](),
  };
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((done) => server.close(done));
  return port;
}

/** What the Service is in a cluster: one address, in front of every replica that answers. */
async function serviceBefore(ports: readonly number[]): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const pass = (incoming: Socket, tries: number): void => {
    const port = ports[(turn += 1) % ports.length];
    if (port === undefined || tries === 0) return void incoming.destroy();
    const onward = connect(port, '127.0.0.1');
    onward.once('error', () => pass(incoming, tries - 1));
    onward.once('connect', () => {
      onward.removeAllListeners('error').on('error', () => incoming.destroy());
      incoming.once('close', () => onward.destroy());
      incoming.pipe(onward).pipe(incoming);
    });
  };
  const server = createServer((incoming) => {
    sockets.add(incoming);
    incoming.on('error', () => incoming.destroy()).once('close', () => sockets.delete(incoming));
    pass(incoming, ports.length);
  });
  const port = await listening(server);
  return {
    port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function threeProcesses(): Promise<Stage> {
  const env = await cluster({ backend: 'control-plane', kinds: [WebApp] });
  const folder = mkdtempSync(join(tmpdir(), 'kilter-webapp-'));
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const service = await serviceBefore(ports);
  const start = (port: number): Program => {
    const served = [`--webhook-bind-address=127.0.0.1:${port}`, `--webhook-url=https://127.0.0.1:${service.port}`];
    const quiet = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
    const where = ['--kubeconfig', env.controlPlane.kubeconfigFile];
    return program('replica.child.test-support.ts', [folder, ...where, ...served, ...quiet], folder);
  };
  const replicas = ports.map(start);
  const stage: Stage = {
    env,
    replicas,
    isPublished: (name) => existsSync(join(folder, name)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
      service.close();
      await env[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(replicas.map((replica) => replica.says('caches are synced', 200_000)));
    return stage;
  } catch (error) {
    await stage[Symbol.asyncDispose]();
    throw error;
  }
}

/** By `KILTER_BACKEND`, as everywhere. */
export const isInProcess = (): boolean => process.env['KILTER_BACKEND'] !== 'control-plane';

export const openStage = (): Promise<Stage> => (isInProcess() ? inProcess() : threeProcesses());
