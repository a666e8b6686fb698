import { formatTime, type JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import { StatusError } from '../status/index.ts';
import { Caller } from './caller.ts';
import type { WorkloadStage } from './reconcile-stage.ts';
import type { Node } from './workload-objects.ts';

const capacity = { cpu: '8', 'ephemeral-storage': '100Gi', memory: '32Gi', pods: '110' };

const pressures = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
] as const;

function conditions(now: string): JsonObject[] {
  const times = { lastHeartbeatTime: now, lastTransitionTime: now };
  return [
    ...pressures.map(([type, reason, message]) => ({ type, status: 'False', reason, message, ...times })),
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status', ...times },
  ];
}

/** The n-th fake node, counted from 1: Ready, with room, without taints. */
export function fakeNode(number: number, now: string): JsonObject {
  const name = `node-${number}`;
  const podCIDR = `10.244.${number % 256}.0/24`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
      },
    },
    spec: { podCIDR, podCIDRs: [podCIDR], providerID: `fake://${name}` },
    status: {
      addresses: [
        { type: 'InternalIP', address: `10.0.${Math.floor(number / 256)}.${number % 256}` },
        { type: 'Hostname', address: name },
      ],
      allocatable: { ...capacity },
      capacity: { ...capacity },
      conditions: conditions(now),
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'fake://1',
        kernelVersion: 'fake',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'fake',
        systemUUID: '',
      },
    },
  };
}

/** Registers the fake nodes once, as kubelets do when they start: one that is deleted stays away. */
class Nodes implements WorkloadStage {
  readonly #registry: Registry;
  readonly #caller: Caller;
  /** Numbers of the nodes still to be registered. */
  #left: number[];
  /** Names of nodes that were registered just now. */
  #tainted: string[] = [];

  constructor(registry: Registry, count: number, caller: Caller) {
    this.#registry = registry;
    this.#caller = caller;
    this.#left = Array.from({ length: count }, (_, index) => index + 1);
  }

  next(): (() => Promise<void>) | undefined {
    const [name] = this.#tainted;
    if (name !== undefined) return () => this.#lift(name);
    const [number] = this.#left;
    return number === undefined ? undefined : () => this.#register(number);
  }

  dueAt(): undefined {
    return undefined;
  }

  close(): void {
    this.#left = [];
    this.#tainted = [];
  }

  async #register(number: number): Promise<void> {
    const node = fakeNode(number, formatTime(this.#registry.clock.now()));
    await this.#caller.create(undefined, node).catch((error: unknown) => {
      // A restored server has its nodes already.
      if (!(error instanceof StatusError && error.code === 409)) throw error;
    });
    this.#left.shift();
    this.#tainted.push(`node-${number}`);
  }

  /** Every new node starts with a taint; these are ready. */
  async #lift(name: string): Promise<void> {
    const resource = this.#registry.find('', 'v1', 'nodes');
    const nodes = resource === undefined ? [] : this.#registry.peek(resource);
    const created = nodes.map((node) => node as unknown as Node).find(({ metadata }) => metadata.name === name);
    if (created !== undefined) await this.#caller.patch(created.metadata, { spec: { taints: null } });
    this.#tainted.shift();
  }
}

/** `count` fake nodes; undefined where nodes are not served. */
export function nodes(registry: Registry, count: number): WorkloadStage | undefined {
  const served = registry.find('', 'v1', 'nodes');
  const identity = { user: 'system:node', agent: 'kubelet' };
  return served && new Nodes(registry, count, new Caller(registry, served, identity));
}
