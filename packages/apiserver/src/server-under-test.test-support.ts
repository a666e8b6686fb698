// A server on a virtual clock with short ways to ask it: for the tests of this folder.
import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from 'kilter/api';
import { type VirtualClock, virtualRuntime } from 'kilter/runtime';
import { apiServer } from './api-server.ts';
import type { WatchEvent } from './calls/index.ts';
import type { ApiServer, ApiServerOptions } from './server-interface.ts';

export interface Reply {
  readonly code: number;
  /** The parsed JSON; {} for anything else. */
  readonly body: JsonObject;
  readonly text: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

export interface Asking {
  /** The Content-Type of the body; JSON unless given. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a watch has sent so far. */
export interface WatchLog {
  readonly events: WatchEvent[];
  /** `ADDED a`, `BOOKMARK 7`: type and name, or type and resourceVersion. */
  readonly seen: string[];
  done: boolean;
  stop(): void;
}

export const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

const admin = { authorization: 'Bearer admin', 'user-agent': 'tester/1.0' };

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): JsonObject {
  return text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
}

/** The fields of metadata that are text wherever they are. */
export interface Metadata extends JsonObject {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  continue: string;
}

export function metadataOf(object: JsonObject): Metadata {
  return object['metadata'] as Metadata;
}

function shown({ type, object }: WatchEvent): string {
  const { name, resourceVersion } = (object['metadata'] ?? {}) as Record<string, string>;
  return `${type} ${name ?? resourceVersion ?? (object['message'] as string)}`;
}

export interface ServerUnderTestOptions extends ApiServerOptions {
  /** Chance instead of the seeded one. */
  readonly random?: (() => number) | undefined;
}

export class ServerUnderTest implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly server: ApiServer;

  constructor({ random, ...options }: ServerUnderTestOptions = {}) {
    const virtual = virtualRuntime();
    const runtime = random === undefined ? virtual : { ...virtual, random };
    this.clock = virtual.clock;
    this.server = apiServer({
      runtime,
      users: { admin: { name: 'admin', groups: ['system:masters'] } },
      controllers: { gc: false, workloads: false },
      ...options,
    });
  }

  async send(request: string, body?: unknown, { type, headers, signal }: Asking = {}): Promise<Reply> {
    const [method = '', path = ''] = request.split(' ');
    const response = await this.server.handle({
      method,
      path,
      headers: { ...admin, ...(body !== undefined && { 'content-type': type ?? 'application/json' }), ...headers },
      body: bytesOf(body),
      signal: signal ?? new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString('utf8');
    const { status: code, headers: answered, warnings } = response;
    return { code, body: parsed(text), text, bytes, headers: answered, warnings };
  }

  /** As `send`, for what must succeed. */
  async ok(request: string, body?: unknown, asking?: Asking): Promise<JsonObject> {
    const { code, body: answer, text } = await this.send(request, body, asking);
    if (code >= 300) throw new Error(`${request}: ${code} ${text}`);
    return answer;
  }

  /** Follows a watch in the background. */
  async watch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<WatchLog> {
    const stop = new AbortController();
    const request = { method: 'GET', path, headers: { ...admin, ...headers }, signal: stop.signal };
    const response = await this.server.handle(request);
    const log: WatchLog = { events: [], seen: [], done: false, stop: () => stop.abort() };
    void (async () => {
      for await (const chunk of response.body) {
        const event = JSON.parse(Buffer.from(chunk).toString('utf8')) as WatchEvent;
        log.events.push(event);
        log.seen.push(shown(event));
      }
      log.done = true;
    })();
    await this.clock.settle();
    return log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

export const paths = {
  configMaps: '/api/v1/namespaces/default/configmaps',
  webApps: '/apis/example.com/v1/namespaces/default/webapps',
  definitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  pods: '/api/v1/namespaces/default/pods',
} as const;

export function configMap(name: string, rest: JsonObject = {}): JsonObject {
  const { metadata, ...fields } = rest;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(metadata as JsonObject) }, ...fields };
}

export function webApp(name: string, rest: JsonObject = {}): JsonObject {
  const { metadata, ...fields } = rest;
  return { apiVersion: 'example.com/v1', kind: 'WebApp', metadata: { name, ...(metadata as JsonObject) }, ...fields };
}

const specSchema: Json = {
  type: 'object',
  properties: { image: { type: 'string' }, replicas: { type: 'integer', default: 1, maximum: 10 } },
};
const statusSchema: Json = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
};

export const webAppVersion: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: specSchema, status: statusSchema } } },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
  ],
  selectableFields: [{ jsonPath: '.spec.image' }],
};

/** The definition of WebApp; `spec` changes fields of its spec. */
export function webAppDefinition(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'webapps.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'webapps', kind: 'WebApp', shortNames: ['wa'], categories: ['all'] },
      scope: 'Namespaced',
      versions: [structuredClone(webAppVersion)],
      ...spec,
    },
  };
}

/** A server that serves WebApp. */
export async function withWebApps(options?: ServerUnderTestOptions): Promise<ServerUnderTest> {
  const api = new ServerUnderTest(options);
  await api.ok(`POST ${paths.definitions}`, webAppDefinition());
  return api;
}
