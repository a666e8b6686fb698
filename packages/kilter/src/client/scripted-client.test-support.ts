// Test support: a client of a server that answers from a script.
import { type BuiltinKind, kind, type KubeObject } from '../api/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { type Gate, inMemory, transport } from '../transport/index.ts';
import type { Client } from './client.ts';
import { type ClientOptions, createClient } from './create-client.ts';

export interface WebApp extends KubeObject {
  spec: { image: string; replicas?: number; env?: { name: string; value: string }[] };
  status?: { ready?: boolean };
}
export const WebApp: BuiltinKind<WebApp> = kind<WebApp>({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  plural: 'webapps',
  scope: 'Namespaced',
});
export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean };
}
export const Node: BuiltinKind<Node> = kind<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
});

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly type: string | undefined;
  readonly body: unknown;
}
export interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly type?: string;
}

/** A client of a server that gives these answers in turn, the last one again and again, or the one for each request. */
export function world(
  answers: readonly Answer[] | ((request: Seen) => Answer),
  options: ClientOptions & { gate?: Gate } = {},
): { client: Client; seen: Seen[]; accepted: (string | undefined)[]; clock: VirtualClock } {
  const runtime = virtualRuntime();
  const seen: Seen[] = [];
  const accepted: (string | undefined)[] = [];
  const connection = inMemory(
    ({ method, path, headers, body }) => {
      const [at = '', search = ''] = path.split('?');
      const text = body === undefined ? '' : new TextDecoder().decode(body);
      const query = Object.fromEntries(new URLSearchParams(search));
      const request = {
        method,
        path: at,
        query,
        type: headers['content-type'],
        body: text === '' ? undefined : JSON.parse(text),
      };
      seen.push(request);
      accepted.push(headers.accept);
      const scripted = typeof answers === 'function' ? [] : answers;
      const answer =
        typeof answers === 'function'
          ? answers(request)
          : (scripted[Math.min(seen.length, scripted.length) - 1] as Answer);
      const content = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      return Promise.resolve({
        status: answer.status ?? 200,
        headers: { 'content-type': answer.type ?? 'application/json' },
        body: (async function* () {
          yield new TextEncoder().encode(content);
        })(),
      });
    },
    { namespace: 'mine' },
  );
  const wire = transport(connection, {
    runtime,
    logger: silentLogger,
    userAgent: 'test/1',
    gate: options.gate,
  });
  return { client: createClient(wire, { clock: runtime.clock, ...options }), seen, accepted, clock: runtime.clock };
}

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

export const stored: WebApp = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: {
    name: 'shop',
    namespace: 'mine',
    uid: 'u1',
    resourceVersion: '7',
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': {} },
      },
    ],
  },
  spec: { image: 'nginx:1', replicas: 1, env: [{ name: 'A', value: '1' }], future: { unknown: ['kept'] } },
} as unknown as WebApp;
export const app = (): WebApp => frozen(structuredClone(stored));
export const refused = (status: number, reason: string, details: object = {}): Answer => ({
  status,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: status,
    reason,
    message: `said ${status} ${reason}`,
    details,
  },
});
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
