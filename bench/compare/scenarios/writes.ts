import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { controlPlane, findBinaries } from '@kilter/testing';
import { type Client, connect } from 'kilter';
import type { Kind, KubeObject } from 'kilter/api';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import type { Namespace } from 'kilter/k8s/core/v1';
import { type Figures, firstState, type Ground, type Scenario } from '../scenario.ts';
import { objectText } from '../stub/objects.ts';

export interface Server extends AsyncDisposable {
  readonly kubeconfig: string;
}

const command = new URL('../../../packages/apiserver/src/command.ts', import.meta.url);

/** The command of @kilter/apiserver, its own process as the real server is. */
export async function embedded(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const flags = ['--conditions=@kilter/source', command.pathname, '--no-workloads', '--kubeconfig', kubeconfig];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface(child.stdout), 'line');
  return {
    kubeconfig,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function real(): Promise<Server> {
  const plane = await controlPlane();
  return { kubeconfig: plane.kubeconfigFile, [Symbol.asyncDispose]: () => plane.stop() };
}

const names = {
  ...{ group: 'bench.example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' },
  ...{ singular: 'widget', listKind: 'WidgetList', shortNames: [] },
} as const;
const Widget = { names } as unknown as Kind<KubeObject>;
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } } as const;
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    ...{ group: names.group, scope: names.scope, names: { kind: names.kind, plural: names.plural } },
    versions: [{ name: names.version, served: true, storage: true, schema, subresources: { status: {} } }],
  },
} as const;

/** Widgets are spread over `team-0` to `team-9`. */
const namespaces = 10;

/** Tries until the server knows the kind. */
async function known(client: Client): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return void (await client.list(Widget));
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(100);
    }
  }
}

/** Widgets without a status, and nothing else of their kind. */
export async function fill(client: Client, count: number): Promise<void> {
  if ((await client.find(CustomResourceDefinition, definition.metadata.name)) === undefined) {
    await client.create(definition as unknown as CustomResourceDefinition);
    for (let i = 0; i < namespaces; i += 1) {
      await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${i}` } } as Namespace);
    }
  }
  await known(client);
  for (let i = 0; i < namespaces; i += 1) await client.deleteAll(Widget, { namespace: `team-${i}` });
  const create = async (index: number): Promise<void> => {
    const text = objectText('widgets', { index, resourceVersion: '1', generation: 0 });
    const { apiVersion, kind, metadata, spec } = JSON.parse(text) as Record<string, Record<string, unknown>>;
    const { name, labels, annotations } = metadata as Record<string, unknown>;
    const namespace = `team-${index % namespaces}`;
    await client.create({ apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec } as never);
  };
  for (let i = 0; i < count; i += 16) {
    await Promise.all(Array.from({ length: Math.min(16, count - i) }, (_, j) => create(i + j)));
  }
}

interface Load {
  readonly name: string;
  readonly workers: number;
  readonly count: number;
}

const loads: readonly Load[] = [
  ...[1, 16, 64].map((workers) => ({ name: `${workers} at a time`, workers, count: 500 })),
  // Five hundred writes are the first second of a process: in JavaScript most of it is code that is not compiled yet.
  { name: '5,000 by 16 at a time', workers: 16, count: 5000 },
];
const small: readonly Load[] = [{ name: '16 at a time', workers: 16, count: 20 }];

/** Every object is reconciled, and its status written once. */
async function writing(ground: Ground, server: Server): Promise<Figures> {
  const { kubeconfig } = server;
  await using client = await connect({ kubeconfig });
  const figures: Record<string, number> = {};
  for (const { name, workers, count } of ground.smoke ? small : loads) {
    await fill(client, count);
    await using process = ground.start({ mode: 'follow', kind: 'widgets', count, workers, write: true, kubeconfig });
    const { settled } = await firstState(process, ground);
    if (settled.runs !== count) throw new Error(`${settled.runs} writes for ${count} objects`);
    figures[`CPU, ${name}`] = (settled.cpu / count) * 1000;
    figures[`wall, ${name}`] = (settled.wall / count) * 1000;
  }
  return figures;
}

function scenario(name: string, title: string, start: () => Promise<Server>): Scenario {
  let server: Promise<Server> | undefined;
  return {
    name,
    title,
    how: '500 custom resources without a status: each is reconciled and its status written once, by 1, 16 and 64 workers; and 5,000 of them by 16; CPU of the client and wall time per write, the run and the event that follows included. kube-rs counts its sync as well.',
    mode: 'follow',
    rounds: 3,
    figures: loads.flatMap(({ name: load }) =>
      ['CPU', 'wall'].map((what) => ({ name: `${what}, ${load}`, unit: 'µs' })),
    ),
    ...(start === real && {
      unavailable: () => (findBinaries().missing === undefined ? undefined : 'not installed: npm run kube:install'),
    }),
    measure: async (ground) => writing(ground, await (server ??= start())),
    close: async () => {
      await (await server)?.[Symbol.asyncDispose]();
      server = undefined;
    },
  };
}

export const writes: readonly Scenario[] = [
  scenario('writes-real', 'Status writes on kube-apiserver', real),
  scenario('writes-embedded', 'Status writes on the embedded server', embedded),
];
