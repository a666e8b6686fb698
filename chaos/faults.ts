// What is done to the world. Each resolves when the fault is over: from then on the world may only get better.
import { type Client, isNotFound } from 'kilter';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Lease } from 'kilter/k8s/coordination/v1';
import { Namespace } from 'kilter/k8s/core/v1';
import { systemRuntime } from 'kilter/runtime';
import type { ControlPlane } from '@kilter/testing';
import { WebApp } from '../examples/webapp/src/webapp.ts';
import { type Churn, namespaces } from './churn.ts';
import type { FaultName, Turn } from './fault-names.ts';
import type { RunningOperator } from './operators.ts';
import { webappDefinition } from './definition.ts';

const { clock } = systemRuntime;

export interface Ground {
  readonly plane: ControlPlane;
  /** Of the administrator, not through any proxy. */
  readonly client: Client;
  readonly operators: readonly RunningOperator[];
  readonly churn: Churn;
  /** The user of whoever holds the Lease, by the server's record. */
  readonly leader: () => string | undefined;
  readonly burst: number;
}

/** What there is to say about one that was injected. */
type Injected = string;

/** Milliseconds between the two, by the weight of the turn. */
const between = (least: number, most: number, { weight }: Turn): number => Math.round(least + (most - least) * weight);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Tries until it works: what the fault itself needs from the server must not be the victim of another. */
export async function untilDone<T>(act: () => Promise<T>, within = 120_000): Promise<T> {
  const over = clock.monotonic() + within;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (clock.monotonic() > over) throw error;
      await clock.sleep(500);
    }
  }
}

async function untilTrue(what: string, look: () => Promise<boolean>, within = 180_000): Promise<void> {
  const over = clock.monotonic() + within;
  while (!(await look().catch(() => false))) {
    if (clock.monotonic() > over) throw new Error(`waited ${within / 1000} s for ${what}`);
    await clock.sleep(250);
  }
}

function leading({ operators, leader }: Ground): RunningOperator {
  const name = leader();
  return operators.find((operator) => operator.name === name) ?? (operators[0] as RunningOperator);
}

const killLeader = async (ground: Ground, signal: NodeJS.Signals): Promise<Injected> => {
  const leader = leading(ground);
  const { pid } = leader;
  leader.signal(signal);
  await untilTrue(`the end of ${leader.name}`, async () => leader.pid !== pid, 60_000);
  return leader.name;
};

const freeze = async (pid: number | undefined, ms: number): Promise<Injected> => {
  if (pid === undefined) return 'not running';
  process.kill(pid, 'SIGSTOP');
  try {
    await clock.sleep(ms);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  return seconds(ms);
};

async function stopLeader(ground: Ground, turn: Turn): Promise<Injected> {
  const leader = leading(ground);
  // From a pause the Lease survives to one that costs it.
  const ms = between(3000, 30_000, turn);
  return `${leader.name} ${await freeze(leader.pid, ms)}`;
}

async function restart({ plane }: Ground, name: string, down: number): Promise<Injected> {
  await plane.restart(name, { down });
  return `down for ${seconds(down)}`;
}

async function cutConnections({ operators }: Ground, turn: Turn): Promise<Injected> {
  const ms = between(0, 12_000, turn);
  for (const { proxy } of operators) proxy.refuse();
  await clock.sleep(ms);
  for (const { proxy } of operators) proxy.heal();
  return `refused for ${seconds(ms)}`;
}

async function partitionLeader(ground: Ground, turn: Turn): Promise<Injected> {
  const leader = leading(ground);
  const ms = between(5000, 30_000, turn);
  leader.proxy.stall();
  await clock.sleep(ms);
  leader.proxy.heal();
  return `${leader.name} ${seconds(ms)}`;
}

/** Who has just started knows of no holder and would create it at once: not before all have been around for a while. */
const acquainted = 20;

async function deleteLease({ client, operators, leader }: Ground): Promise<Injected> {
  const lease = { namespace: 'default', name: 'webapp-operator' };
  await untilTrue('operators that know who leads', async () => operators.every(({ age }) => age > acquainted));
  const before = leader();
  await untilDone(() => client.delete(Lease, lease));
  const deleted = clock.monotonic();
  await untilTrue('a new Lease', async () => (await client.find(Lease, lease)) !== undefined);
  return `${before}'s, there again after ${seconds(clock.monotonic() - deleted)}`;
}

async function deleteDefinition({ client, churn }: Ground): Promise<Injected> {
  await churn.pause();
  churn.forget();
  const definition = webappDefinition();
  const { name } = definition.metadata;
  await untilDone(() => client.delete(CustomResourceDefinition, name));
  await untilTrue(
    'the end of the definition',
    async () => (await client.find(CustomResourceDefinition, name)) === undefined,
  );
  await clock.sleep(2000);
  await untilDone(() => client.create(definition));
  await untilTrue('the definition to be served', async () => (await client.list(WebApp)).length === 0);
  await churn.fill();
  churn.start();
  return '';
}

async function deleteNamespace({ client, churn }: Ground): Promise<Injected> {
  const [, name] = namespaces;
  await churn.pause();
  churn.forget(name);
  await untilDone(() => client.delete(Namespace, name));
  churn.start();
  await untilTrue(`the end of ${name}`, async () => (await client.find(Namespace, name)) === undefined);
  await churn.pause();
  churn.forget(name);
  await untilDone(() => client.create(Namespace.build({ name })));
  churn.start();
  return name;
}

async function rival({ client }: Ground, turn: Turn): Promise<Injected> {
  const over = clock.monotonic() + between(3000, 10_000, turn);
  const manager = { manager: 'rival' };
  const all = await untilDone(() => client.list(Deployment, { namespace: namespaces[0] }));
  const victims = all.slice(0, 3);
  let writes = 0;
  while (clock.monotonic() < over) {
    for (const { metadata } of victims) {
      const edit = { metadata: { annotations: { 'example.com/rival': String(writes) } }, spec: { replicas: 7 } };
      await client
        .patch(Deployment, { namespace: namespaces[0], name: metadata.name }, edit, manager)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      writes += 1;
    }
    await clock.sleep(50);
  }
  return `${writes} writes to ${victims.length} Deployments`;
}

async function burst({ client, burst: count }: Ground): Promise<Injected> {
  const [namespace] = namespaces;
  const names = Array.from({ length: count }, (_, i) => `burst-${i}`);
  const spec = { image: 'nginx:1.0', replicas: 0, port: 80 };
  const inParallel = async (act: (name: string) => Promise<unknown>): Promise<void> => {
    const left = [...names];
    const worker = async (): Promise<void> => {
      for (let name = left.pop(); name !== undefined; name = left.pop()) {
        const one = name;
        await untilDone(() => act(one));
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
  };
  const begun = clock.monotonic();
  await inParallel(async (name) => client.create(WebApp.build({ namespace, name, spec })));
  const made = async (): Promise<boolean> => {
    const apps = await client.list(WebApp, { namespace });
    const ready = apps.filter(
      ({ metadata, status }) =>
        metadata.name.startsWith('burst-') && status?.observedGeneration === metadata.generation,
    );
    return ready.length === count;
  };
  await untilTrue(`${count} WebApps to be reconciled`, made, Math.max(600_000, 2000 * count));
  const took = seconds(clock.monotonic() - begun);
  await inParallel((name) =>
    client.delete(WebApp, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    }),
  );
  return `${count} reconciled within ${took}, then deleted`;
}

type Inject = (ground: Ground, turn: Turn) => Promise<Injected>;

const injections: Readonly<Record<FaultName, Inject>> = {
  'kill-leader': (ground) => killLeader(ground, 'SIGKILL'),
  'kill-standby': async (ground) => {
    const leader = leading(ground);
    const standby = ground.operators.find((operator) => operator !== leader);
    standby?.signal('SIGKILL');
    return standby?.name ?? 'none';
  },
  'terminate-leader': (ground) => killLeader(ground, 'SIGTERM'),
  'stop-leader': stopLeader,
  'kill-api-server': (ground, turn) => restart(ground, 'kube-apiserver', between(0, 15_000, turn)),
  'freeze-api-server': (ground, turn) => freeze(ground.plane.pids['kube-apiserver'], between(2000, 20_000, turn)),
  'kill-etcd': (ground, turn) => restart(ground, 'etcd', between(0, 10_000, turn)),
  'freeze-etcd': (ground, turn) => freeze(ground.plane.pids['etcd'], between(2000, 20_000, turn)),
  'cut-connections': cutConnections,
  'partition-leader': partitionLeader,
  'delete-lease': deleteLease,
  'delete-definition': deleteDefinition,
  'delete-namespace': deleteNamespace,
  rival,
  burst,
};

export function inject(ground: Ground, turn: Turn): Promise<Injected> {
  return injections[turn.fault](ground, turn);
}
