// Real control planes of our own, one for each world that is asked for, over one etcd.
import {
  clusterControllers,
  controlPlane,
  type ControlPlane,
  findBinaries,
  workloadControllers,
} from '@kilter/testing';
import type { World } from './case.ts';
import type { Server } from './server.ts';
import type { ServedWorlds } from './servers-file.ts';

const tokens = {
  'alice-token': { name: 'alice', groups: ['team'] },
  'bob-token': { name: 'bob', groups: [] },
};

const beside: Readonly<Record<World, object>> = {
  api: {},
  controllers: { controllers: clusterControllers },
  workloads: { controllers: workloadControllers, nodes: 1 },
};

function serverOf(plane: ControlPlane): Server {
  const { binaries } = findBinaries();
  return {
    name: 'real',
    url: plane.url,
    ca: plane.ca,
    patience: 30_000,
    tokens: { admin: plane.token, alice: 'alice-token', bob: 'bob-token', 'wrong-token': 'no-such-token' },
    programs: { 'kube-apiserver': binaries?.['kube-apiserver'] ?? '', etcd: binaries?.etcd ?? '' },
  };
}

export interface Worlds {
  readonly versions: { readonly kubernetes: string; readonly etcd: string };
  of(world: World): Promise<Server>;
  stop(): Promise<void>;
}

export async function startWorlds(): Promise<Worlds> {
  const first = await controlPlane({ tokens });
  const planes = new Map<World, Promise<ControlPlane>>([['api', Promise.resolve(first)]]);
  const of = async (world: World): Promise<Server> => {
    const plane = planes.get(world) ?? first.another({ tokens, ...beside[world] });
    planes.set(world, plane);
    return serverOf(await plane);
  };
  const stop = async (): Promise<void> => {
    const started = await Promise.allSettled(planes.values());
    for (const plane of started) if (plane.status === 'fulfilled') await plane.value.stop();
  };
  return { versions: first.versions, of, stop };
}

/** All worlds at once, for a control plane that stays. */
export async function everyWorld(pid: number): Promise<{ readonly served: ServedWorlds; stop(): Promise<void> }> {
  const started = await startWorlds();
  const [api, controllers, workloads] = [
    await started.of('api'),
    await started.of('controllers'),
    await started.of('workloads'),
  ];
  const served = { pid, versions: started.versions, worlds: { api, controllers, workloads } };
  return { served, stop: () => started.stop() };
}
