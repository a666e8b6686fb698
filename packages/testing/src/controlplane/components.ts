import { KilterError } from 'kilter';
import { ask } from './ask.ts';
import type { Binaries } from './binaries.ts';
import { type Component, startComponent } from './component.ts';
import { writePrivate } from './credentials.ts';
import { createNodes, nodesProblem, untaintNodes } from './fake-nodes.ts';
import {
  apiServerFlags,
  type ClusterFiles,
  controllerManagerFlags,
  kwokFlags,
  schedulerFlags,
  withFlags,
} from './flags.ts';
import type { Guard } from './guard.ts';
import type { EtcdShare } from './shared-etcd.ts';
import { stagesText } from './stages.ts';

/** What every process of one cluster is started with. */
export interface ProcessEnvironment {
  readonly guard: Guard;
  readonly files: ClusterFiles;
  readonly binaries: Binaries;
  readonly token: string;
  readonly ca: string;
  readonly signal: AbortSignal;
}

/** …once its API server is there. */
export interface ServedPlace extends ProcessEnvironment {
  readonly url: string;
}

async function problemAt(place: ProcessEnvironment, url: string): Promise<string | undefined> {
  const { status, body } = await ask({ url, tls: { ca: place.ca }, token: place.token });
  return status === 200 ? undefined : `${new URL(url).pathname} answers ${status}: ${body}`;
}

export interface ApiServerOrder {
  readonly share: EtcdShare;
  /** Given by the user. */
  readonly flags: readonly string[];
  readonly port: number | undefined;
}

export function startApiServer(place: ProcessEnvironment, { share, flags, port }: ApiServerOrder): Promise<Component> {
  const { files } = place;
  return startComponent(place.guard, {
    name: 'kube-apiserver',
    file: place.binaries['kube-apiserver'],
    folder: files.folder,
    ports: 1,
    fixedPort: port,
    args: ([chosen = 0]) =>
      withFlags(apiServerFlags({ files, port: chosen, etcd: share, prefix: share.prefix }), flags),
    problem: async ([chosen]) => {
      const url = `https://127.0.0.1:${chosen}`;
      // The namespace is made soon after the server turns ready, and tests write to it first.
      return (await problemAt(place, `${url}/readyz`)) ?? problemAt(place, `${url}/api/v1/namespaces/default`);
    },
    signal: place.signal,
  });
}

function needed(place: ProcessEnvironment, name: 'kube-controller-manager' | 'kube-scheduler' | 'kwok'): string {
  const file = place.binaries[name];
  if (file !== undefined) return file;
  throw new KilterError('TESTING_BINARY_MISSING', `there is no ${name} in ${place.binaries.directory}`);
}

/** Its health is good before it has a single controller; each adds its own line when it is about to run. */
export function controllersProblem(status: number, body: string): string | undefined {
  if (status !== 200) return `/healthz answers ${status}: ${body}`;
  return body.includes('[+]') ? undefined : 'no controller runs yet';
}

export function startControllerManager(place: ServedPlace, controllers: readonly string[]): Promise<Component> {
  return startComponent(place.guard, {
    name: 'kube-controller-manager',
    file: needed(place, 'kube-controller-manager'),
    folder: place.files.folder,
    ports: 1,
    args: ([port = 0]) => controllerManagerFlags({ files: place.files, port }, controllers),
    problem: async ([port]) => {
      const { status, body } = await ask({ url: `https://127.0.0.1:${port}/healthz?verbose`, tls: { ca: place.ca } });
      return controllersProblem(status, body);
    },
    signal: place.signal,
  });
}

export function startScheduler(place: ServedPlace): Promise<Component> {
  return startComponent(place.guard, {
    name: 'kube-scheduler',
    file: needed(place, 'kube-scheduler'),
    folder: place.files.folder,
    ports: 1,
    args: ([port = 0]) => schedulerFlags({ files: place.files, port }),
    problem: ([port]) => problemAt(place, `https://127.0.0.1:${port}/readyz`),
    signal: place.signal,
  });
}

/** Makes the nodes and kwok, which brings them to life. */
export async function startNodes(place: ServedPlace, count: number, version: string): Promise<Component> {
  writePrivate(place.files.stages, stagesText());
  await createNodes(place, count, version);
  return await startComponent(place.guard, {
    name: 'kwok',
    file: needed(place, 'kwok'),
    folder: place.files.folder,
    ports: 0,
    args: () => kwokFlags(place.files),
    problem: async () => (await nodesProblem(place, count)) ?? untaintNodes(place, count),
    signal: place.signal,
  });
}
