import type { FieldsOf, Kind, KindName, KubeObject, Ref } from '../api/index.ts';
import { apiErrorOf, isNotFound, KilterError } from '../errors/index.ts';
import { type Logger, type Metrics, silentLogger } from '../telemetry/index.ts';
import type { ApiRequest, Transport } from '../transport/index.ts';
import type { Client, DeleteOptions, ListPage, PageOptions, PatchOptions, WatchOptions } from './client.ts';
import { decodeFields, decodePage, type Expected, typed } from './decode.ts';
import { lockedPatch } from './draft.ts';
import { kindLookup } from './kind-lookup.ts';
import { allPages, eachItem } from './pager.ts';
import { encodePatch } from './patch.ts';
import {
  deleteBody,
  listRequest,
  readRequest,
  type RequestDefaults,
  watchRequest,
  type Write,
  writeRequest,
} from './requests.ts';
import { refuseRounded } from './rounded-number.ts';
import { namespaceOf, type Target, targetOf } from './target.ts';
import { WatchChanges } from './watch-changes.ts';

export interface ClientOptions extends RequestDefaults {
  /** The field manager of writes that name none. Default: the user agent's, chosen by the server. */
  readonly manager?: string | undefined;
  /** Every write but a dry run is leader-only work: the transport's gate is asked before each attempt. Default: false. */
  readonly guarded?: boolean | undefined;
  /** The pool of connections for all requests but watches. Default: 'default'. */
  readonly session?: RequestDefaults['session'];
  /** For each request, over all its attempts, in milliseconds. Default: the transport's. */
  readonly deadline?: number | undefined;
  /** For writes, in milliseconds; the server is told it too. Default: `deadline`. */
  readonly writeDeadline?: number | undefined;
  /** Told of what a watch sends and is no change. Default: silent. */
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  /** What disposing the client closes. Default: nothing, because a transport is shared. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** What `patch` and its kin take as the object, complete or not. */
type Written = KubeObject | FieldsOf<KubeObject>;

/** The 404 of a path the server does not serve: the kind is missing, not the object. */
function isKindMissing(error: unknown): boolean {
  const status = apiErrorOf(error)?.status;
  return (
    status?.message === '404 page not found' || status?.message === 'the server could not find the requested resource'
  );
}

const isKind = (value: Kind | KubeObject): value is Kind => 'names' in value;

/** The body of an apply: without what the server refuses in one, and without a lock. */
function applied(object: Written): string {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata as KubeObject['metadata'];
  return JSON.stringify({ ...object, metadata });
}

/** Typed verbs over a transport. Holds nothing but the kinds it has discovered. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const lookup = kindLookup(transport);
  const { logger = silentLogger, metrics } = options;

  const ask = async <T extends KubeObject>(request: ApiRequest, expected: Expected): Promise<T> =>
    typed<T>(decodeFields(await transport.send(request), request), expected);
  const at = (kind: Kind, ref: Ref, subresource?: string): Target => ({
    ...targetOf(kind.names, ref, transport.namespace),
    subresource,
  });
  const collection = (kind: KindName, namespace: string | undefined): Target => ({
    kind,
    namespace: kind.scope === 'Cluster' ? undefined : namespace,
  });
  /** The place of an object; of a collection, where it is to be created without a subresource. */
  const place = async (object: Written, { subresource, signal }: PatchOptions): Promise<Target & { name: string }> => {
    const kind = await lookup(object, signal);
    const { name, namespace } = object.metadata;
    return { kind, name, namespace: namespaceOf(kind, namespace, transport.namespace), subresource };
  };
  const write = <T extends KubeObject>(target: Target, change: Write): Promise<T> =>
    ask<T>(writeRequest(target, options, change), target);
  const page = async <T extends KubeObject>(kind: Kind<T>, wanted: PageOptions): Promise<ListPage<T>> => {
    const request = listRequest(collection(kind.names, wanted.namespace), options, wanted);
    const fields = decodeFields(await transport.send(request), request);
    return decodePage<T>(fields, request, { kind: kind.names, metadataOnly: wanted.metadataOnly });
  };
  const remove = async (target: Target, wanted: DeleteOptions, uid?: string): Promise<void> => {
    const body = deleteBody(wanted, uid);
    await transport.send(writeRequest(target, options, { method: 'DELETE', body, options: wanted }));
  };

  const client: Client = {
    get: async (kind, ref, wanted = {}) => ask(readRequest(at(kind, ref), options, wanted), { kind: kind.names }),
    find: async (kind, ref, wanted) => {
      try {
        return await client.get(kind, ref, wanted);
      } catch (error) {
        if (isNotFound(error) && !isKindMissing(error)) return undefined;
        throw error;
      }
    },
    list: (kind, wanted = {}) => allPages((token) => page(kind, { ...wanted, continue: token })),
    listPage: (kind, wanted = {}) => page(kind, wanted),
    each: (kind, wanted = {}) => eachItem((token) => page(kind, { ...wanted, continue: token })),
    watch: <T extends KubeObject>(kind: Kind<T>, wanted: WatchOptions = {}) => {
      const request = watchRequest(collection(kind.names, wanted.namespace), options, wanted);
      const expected = { kind: kind.names, metadataOnly: wanted.metadataOnly };
      return new WatchChanges<T>({ transport, request, expected, logger, metrics });
    },
    create: async (object, wanted = {}) => {
      const { name, ...target } = await place(object, wanted);
      const body = JSON.stringify(object);
      const to = target.subresource === undefined ? target : { ...target, name };
      return write(to, { method: 'POST', body, options: wanted });
    },
    update: async (object, wanted = {}) => {
      refuseRounded(object, `${object.kind} ${object.metadata.name}`);
      return write(await place(object, wanted), { method: 'PUT', body: JSON.stringify(object), options: wanted });
    },
    edit: async (object, change, wanted = {}) => {
      const patch = lockedPatch(object, change as (draft: unknown) => unknown, wanted.subresource);
      if (patch === undefined) return object;
      const contentType = 'application/merge-patch+json';
      const body = JSON.stringify(patch);
      return write(await place(object, wanted), { method: 'PATCH', contentType, body, options: wanted });
    },
    patch: async (kind, ref, ...[patch, wanted = {}]) => {
      const target = at(kind, ref, wanted.subresource);
      return write(target, { method: 'PATCH', ...encodePatch(patch), options: wanted });
    },
    apply: async (object, wanted) => {
      if ((wanted.manager ?? options.manager ?? '') === '') {
        throw new KilterError('CLIENT_MANAGER_MISSING', `apply of ${object.kind} ${object.metadata.name}`);
      }
      const target = await place(object as Written, wanted);
      const contentType = 'application/apply-patch+yaml';
      const { force } = wanted;
      return write(target, { method: 'PATCH', contentType, body: applied(object as Written), options: wanted, force });
    },
    delete: async (what: Kind | KubeObject, second?: Ref | DeleteOptions, third?: DeleteOptions) => {
      if (isKind(what)) return remove(at(what, second as Ref), third ?? {});
      const wanted = (second ?? {}) as DeleteOptions;
      const { uid } = what.metadata;
      if (uid === undefined || uid === '') {
        throw new KilterError('CLIENT_UID_MISSING', `${what.kind} ${what.metadata.name} has no UID`);
      }
      return remove(await place(what, wanted), wanted, uid);
    },
    [Symbol.asyncDispose]: () => options.close?.() ?? Promise.resolve(),
  };
  return client;
}
