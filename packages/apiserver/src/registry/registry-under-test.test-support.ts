// A registry on a virtual clock, called as a client would: for the tests of this room.
import type { Json, JsonObject } from 'kilter/api';
import { seededRandom, type VirtualClock, virtualClock } from 'kilter/runtime';
import { onTestFinished } from 'vitest';
import type { Answer, Call, StoredChange, Verb, WatchEvent } from '../calls/index.ts';
import { builtinResources } from '../kinds/index.ts';
import { StatusError } from '../status/index.ts';
import { createRegistry, type RegistryOptions, type ServerRegistry } from './registry.ts';

export type Stored = JsonObject & {
  readonly metadata: JsonObject & { readonly name: string; readonly uid: string; readonly resourceVersion: string };
};

export interface Asking extends Partial<Omit<Call, 'verb' | 'resource' | 'query'>> {
  /** Query parameters, as a URL has them. */
  readonly query?: string;
  /** `v1`, `apps/v1`, …; v1 unless given. */
  readonly apiVersion?: string;
}

/** A list, with what is text in its metadata. */
export type List = JsonObject & {
  readonly items: Stored[];
  readonly metadata: JsonObject & { readonly resourceVersion: string; readonly continue: string };
};

export interface Refused {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly warnings: readonly string[];
}

export class RegistryUnderTest {
  readonly clock: VirtualClock = virtualClock();
  readonly registry: ServerRegistry;
  /** Every stored change so far. */
  readonly changes: StoredChange[] = [];

  constructor(options: Partial<RegistryOptions> = {}) {
    this.registry = createRegistry({
      clock: this.clock,
      random: seededRandom(7),
      resources: builtinResources(),
      ...options,
    });
    this.registry.onChange((change) => this.changes.push(change));
    onTestFinished(() => this.registry.close());
  }

  async ask(verb: Verb, plural: string, asking: Asking = {}): Promise<Answer> {
    const { apiVersion = 'v1', query = '', ...rest } = asking;
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const resource = this.registry.find(group, version, plural);
    if (resource === undefined) throw new Error(`${apiVersion} ${plural} is not served`);
    return this.registry.execute({
      verb,
      resource,
      namespace: resource.namespaced ? 'default' : undefined,
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(query),
      body: undefined,
      patchType: undefined,
      user: { name: 'admin', groups: ['system:masters'] },
      userAgent: 'tester/1.0',
      signal: new AbortController().signal,
      ...rest,
    });
  }

  /** As `ask`, for answers that are one object. */
  async object(verb: Verb, plural: string, asking: Asking = {}): Promise<Stored> {
    const answer = await this.ask(verb, plural, asking);
    if (answer.type !== 'object') throw new Error(`${verb} ${plural} answered a ${answer.type}`);
    return answer.object as Stored;
  }

  async list(plural: string, asking: Asking = {}): Promise<List> {
    const answer = await this.ask('list', plural, asking);
    if (answer.type !== 'list') throw new Error(`list ${plural} answered a ${answer.type}`);
    return answer.list as List;
  }

  /** The events of a watch as they come. */
  async watch(plural: string, asking: Asking = {}): Promise<AsyncIterator<WatchEvent>> {
    const answer = await this.ask('watch', plural, asking);
    if (answer.type !== 'watch') throw new Error(`watch ${plural} answered a ${answer.type}`);
    return answer.events[Symbol.asyncIterator]();
  }

  async create(plural: string, body: JsonObject, asking: Asking = {}): Promise<Stored> {
    return this.object('create', plural, { body, ...asking });
  }

  get(plural: string, name: string, asking: Asking = {}): Promise<Stored> {
    return this.object('get', plural, { name, ...asking });
  }

  update(plural: string, body: Stored | JsonObject, asking: Asking = {}): Promise<Stored> {
    const { name } = body['metadata'] as { name: string };
    return this.object('update', plural, { name, body, ...asking });
  }

  /** A merge patch, unless `patchType` says otherwise. */
  patch(plural: string, name: string, { body, ...asking }: Asking & { readonly body: Json }): Promise<Stored> {
    return this.object('patch', plural, { name, body, patchType: 'merge', ...asking });
  }

  remove(plural: string, name: string, asking: Asking = {}): Promise<Stored> {
    return this.object('delete', plural, { name, ...asking });
  }
}

/** The refusal of a call that must fail. */
export async function refusal(call: Promise<unknown>): Promise<Refused> {
  const error = await call.then(
    () => new Error('it was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw error;
  const { code, reason, message } = error.status as { code: number; reason?: string; message: string };
  return { code, reason: reason ?? '', message, warnings: error.warnings };
}

export function configMap(name: string, rest: JsonObject = {}): JsonObject {
  const { metadata, ...fields } = rest;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(metadata as JsonObject) }, ...fields };
}

const definitionsVersion = 'apiextensions.k8s.io/v1';

export const thingSchema: JsonObject = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer', default: 1 }, note: { type: 'string' } } },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};

/** The definition of Thing in example.com, with the status subresource; `spec` changes fields of its spec. */
export function thingDefinition(spec: JsonObject = {}): JsonObject {
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const schema = { openAPIV3Schema: thingSchema };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
  return {
    apiVersion: definitionsVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', names, scope: 'Namespaced', versions, ...spec },
  };
}

export const things = { apiVersion: 'example.com/v1' } as const;
export const definitions = { apiVersion: definitionsVersion } as const;

export function thing(name: string, rest: JsonObject = {}): JsonObject {
  const { metadata, ...fields } = rest;
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name, ...(metadata as JsonObject) }, ...fields };
}

/** A registry that serves Thing. */
export async function withThings(options?: Partial<RegistryOptions>): Promise<RegistryUnderTest> {
  const api = new RegistryUnderTest(options);
  await api.create('customresourcedefinitions', thingDefinition(), definitions);
  api.changes.length = 0;
  return api;
}
