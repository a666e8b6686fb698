import type { Kind, KindName, KubeObject } from '../api/index.ts';
import { apiErrorOf, isNotFound } from '../errors/index.ts';
import { type Logger, type Metrics, silentLogger } from '../telemetry/index.ts';
import type { Transport } from '../transport/index.ts';
import type { Client, ListPage, PageOptions, WatchOptions } from './client.ts';
import { decodeFields, decodePage, typed } from './decode.ts';
import { allPages, eachItem } from './pager.ts';
import { listRequest, readRequest, type RequestDefaults, watchRequest } from './requests.ts';
import { type Target, targetOf } from './target.ts';
import { WatchChanges } from './watch-changes.ts';

export interface ReadingOptions extends RequestDefaults {
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** The 404 of a path the server does not serve: the kind is missing, not the object. */
function isKindMissing(error: unknown): boolean {
  const message = apiErrorOf(error)?.status.message;
  return message === '404 page not found' || message === 'the server could not find the requested resource';
}

const collection = (kind: KindName, namespace: string | undefined): Target => ({
  kind,
  namespace: kind.scope === 'Cluster' ? undefined : namespace,
});

/** The verbs that change nothing. */
export function reading(
  transport: Transport,
  options: ReadingOptions,
): Pick<Client, 'get' | 'find' | 'list' | 'listPage' | 'each' | 'watch'> {
  const { logger = silentLogger, metrics } = options;
  const get: Client['get'] = async (kind, ref, wanted = {}) => {
    const request = readRequest(targetOf(kind.names, ref, transport.namespace), options, wanted);
    return typed(decodeFields(await transport.send(request), request), { kind: kind.names });
  };
  const page = async <T extends KubeObject>(kind: Kind<T>, wanted: PageOptions): Promise<ListPage<T>> => {
    const request = listRequest(collection(kind.names, wanted.namespace), options, wanted);
    const fields = decodeFields(await transport.send(request), request);
    return decodePage<T>(fields, request, { kind: kind.names, metadataOnly: wanted.metadataOnly });
  };
  return {
    get,
    find: async (kind, ref, wanted) => {
      try {
        return await get(kind, ref, wanted);
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
  };
}
