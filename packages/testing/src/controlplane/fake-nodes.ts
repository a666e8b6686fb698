import { KilterError } from 'kilter';
import { type Answer, ask, type Question } from './ask.ts';

/** Who asks the API server, and where it is. */
export interface Administrator {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

interface Taint {
  readonly key: string;
}

export interface NodeObject {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly taints?: readonly Taint[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** A Node that nobody runs; its resources are many, so that Pods fit. */
export function fakeNode(number: number, version: string): NodeObject & Record<string, unknown> {
  const name = `node-${number}`;
  const resources = { cpu: '64', memory: '256Gi', pods: '1000', 'ephemeral-storage': '1Ti' };
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels } } as NodeObject['metadata'],
    status: {
      capacity: resources,
      allocatable: resources,
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: version,
        kubeProxyVersion: version,
        containerRuntimeVersion: 'kwok://fake',
        kernelVersion: '',
        osImage: 'fake',
        bootID: '',
        machineID: '',
        systemUUID: '',
      },
    } as NodeObject['status'] & object,
  };
}

async function done(what: string, question: Question): Promise<Answer> {
  const answer = await ask(question);
  if (answer.status < 300) return answer;
  throw new KilterError('TESTING_START_FAILED', `${what}: the API server answers ${answer.status}: ${answer.body}`);
}

function at({ url, ca, token }: Administrator, path: string): Pick<Question, 'url' | 'tls' | 'token'> {
  return { url: `${url}${path}`, tls: { ca }, token };
}

export async function createNodes(admin: Administrator, count: number, version: string): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    admin.signal.throwIfAborted();
    const body = fakeNode(number, version);
    await done(`creating ${body.metadata.name}`, { ...at(admin, '/api/v1/nodes'), method: 'POST', body });
  }
}

const ready = ({ status }: NodeObject): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

/** What is missing until the nodes can take Pods, or undefined. */
export function unready(nodes: readonly NodeObject[], count: number): string | undefined {
  if (nodes.length < count) return `${nodes.length} of ${count} nodes exist`;
  const waiting = nodes.filter((node) => !ready(node)).map(({ metadata }) => metadata.name);
  return waiting.length === 0 ? undefined : `not Ready: ${waiting.join(', ')}`;
}

export async function nodesProblem(admin: Administrator, count: number): Promise<string | undefined> {
  const { body } = await done('listing nodes', at(admin, '/api/v1/nodes'));
  return unready((JSON.parse(body) as { items: readonly NodeObject[] }).items, count);
}

/** Admission taints every new Node as not ready; the controller that takes this back is mostly not running here. */
export async function untaintNodes(admin: Administrator, count: number): Promise<undefined> {
  for (let number = 1; number <= count; number += 1) {
    admin.signal.throwIfAborted();
    const name = `node-${number}`;
    await done(`making ${name} schedulable`, {
      ...at(admin, `/api/v1/nodes/${name}`),
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { spec: { taints: null } },
    });
  }
}
