import type { Kind, KubeObject } from '../api/index.ts';
import { apiErrorOf, isNotFound } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { type Logger, type Metrics, rareLog, silentLogger } from '../telemetry/index.ts';
import type { Transport } from '../transport/index.ts';
import type { Change, ListPage } from './answers.ts';
import type { Client } from './client.ts';
import { decodeFields, decodePage, typed } from './decode.ts';
import { checkOptions } from './option-names.ts';
import type { EachOptions, ListOptions, PageOptions, ReadOptions, Seen, WatchOptions } from './options.ts';
import { allPages, eachItem, type NextPage } from './pager.ts';
import { takePage } from './raw-list.ts';
import { rawReads, type RawReads, type WithRawReads } from './raw-reads.ts';
import { rawChanges } from './raw-watch.ts';
import { listRequest, readRequest, type RequestDefaults, watchRequest } from './read-requests.ts';
import { collectionOf, namesOf, type Target, targetOf } from './target.ts';
import { watchChanges, type ChangeSource } from './watch-changes.ts';

export interface ReadingOptions extends RequestDefaults {
  /** Where everything is that names none: that of `with({ namespace })`. */
  readonly namespace?: string | undefined;
  /** Where objects are that name none. Lists are not narrowed to it. */
  readonly fallback: string;
  readonly clock: Pick<Clock, 'monotonic' | 'pause'>;
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

/** The 404 of a path the server does not serve: the kind is missing, not the object. */
function isKindMissing(error: unknown): boolean {
  const message = apiErrorOf(error)?.status.message;
  return message === '404 page not found' || message === 'the server could not find the requested resource';
}

type Reading = Pick<Client, 'get' | 'find' | 'list' | 'listPage' | 'each' | 'watch'> & WithRawReads;

/** The verbs that change nothing. */
class Reads implements Omit<Reading, typeof rawReads> {
  readonly #transport: Transport;
  readonly #options: ReadingOptions;
  readonly #rarely: ReturnType<typeof rareLog>;

  constructor(transport: Transport, options: ReadingOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#rarely = rareLog(options.clock);
  }

  get = async <T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    ref: Parameters<Client['get']>[1],
    wanted: ReadOptions<M> = {},
  ): Promise<Seen<T, M>> => {
    checkOptions('get', wanted);
    const names = namesOf(kind);
    const named = targetOf(names, ref, this.#options.namespace ?? this.#options.fallback);
    const request = readRequest({ ...named, subresource: wanted.subresource }, this.#options, wanted);
    const fields = decodeFields(await this.#transport.send(request), request);
    return typed<Seen<T, M>>(fields, { kind: names, metadataOnly: wanted.metadataOnly });
  };

  find: Reading['find'] = async (kind, ref, wanted) => {
    checkOptions('find', wanted);
    try {
      return await this.get(kind, ref, wanted);
    } catch (error) {
      if (isNotFound(error) && !isKindMissing(error)) return undefined;
      throw error;
    }
  };

  listPage = async <T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    wanted: PageOptions<M> = {},
  ): Promise<ListPage<Seen<T, M>>> => {
    checkOptions('listPage', wanted);
    return this.#page(kind, wanted);
  };

  list: Reading['list'] = async (kind, wanted = {}) => {
    checkOptions('list', wanted);
    return allPages(this.#pages(kind, wanted), wanted);
  };

  each = <T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    wanted: EachOptions<M> = {},
  ): AsyncIterableIterator<Seen<T, M>> => {
    checkOptions('each', wanted);
    return eachItem(this.#pages(kind, wanted), wanted);
  };

  watch = <T extends KubeObject, const M extends boolean = false>(
    kind: Kind<T>,
    wanted: WatchOptions<M> = {},
  ): AsyncIterableIterator<Change<Seen<T, M>>> => {
    checkOptions('watch', wanted);
    return watchChanges<Seen<T, M>>(this.#watchSource(kind, wanted));
  };

  readonly raw: RawReads = {
    listPage: async (kind, wanted, intake) => {
      const request = listRequest(this.#collection(kind, wanted), this.#options, wanted);
      const response = await this.#transport.sendForBytes(request);
      return takePage({ response, request, clock: this.#options.clock }, intake);
    },
    watch: (kind, wanted, intake) => rawChanges(this.#watchSource(kind, wanted), intake),
  };

  #watchSource(kind: Kind, wanted: WatchOptions<boolean>): ChangeSource {
    const { logger = silentLogger, metrics } = this.#options;
    const request = watchRequest(this.#collection(kind, wanted), this.#options, wanted);
    const expected = { kind: kind.names, metadataOnly: wanted.metadataOnly };
    const told = { logger, rarely: this.#rarely, metrics, onOpen: wanted.onOpen };
    return { transport: this.#transport, request, expected, ...told };
  }

  #pages<T extends KubeObject, M extends boolean>(kind: Kind<T>, wanted: ListOptions<M>): NextPage<Seen<T, M>> {
    return (token, limit) => this.#page<T, M>(kind, { ...wanted, limit, continue: token });
  }

  async #page<T extends KubeObject, M extends boolean>(
    kind: Kind<T>,
    wanted: PageOptions<M>,
  ): Promise<ListPage<Seen<T, M>>> {
    const request = listRequest(this.#collection(kind, wanted), this.#options, wanted);
    const fields = decodeFields(await this.#transport.send(request), request);
    return decodePage(fields, request, { kind: kind.names, metadataOnly: wanted.metadataOnly });
  }

  #collection(kind: Kind, { namespace = this.#options.namespace }: { namespace?: string | undefined }): Target {
    return collectionOf(namesOf(kind), namespace);
  }
}

export function reading(transport: Transport, options: ReadingOptions): Reading {
  const { get, find, list, listPage, each, watch, raw } = new Reads(transport, options);
  return { get, find, list, listPage, each, watch, [rawReads]: raw };
}
