import {
  kind,
  type Kind,
  type KubeObject,
  keyOf,
  keyOfRef,
  labelSelector,
  matchesLabels,
  parseLabelSelector,
  type Ref,
} from '../api/index.ts';
import {
  type Client,
  type ListOptions,
  type ListPage,
  type PageOptions,
  type RawIntake,
  rawReads,
  type RawReads,
  type WatchOptions,
  type WithRawReads,
} from '../client/index.ts';
import { ApiError } from '../errors/index.ts';

/** One line of a watch. `type` and `object` are what the server said, not what it should have said. */
export type SentEvent =
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: string; readonly object: unknown };

export interface Thing extends KubeObject {
  spec?: { size?: number; node?: string };
}
export const Thing: Kind<Thing> = kind<Thing>({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
});

export function thing(
  name: string,
  extra: { namespace?: string; size?: number; labels?: Record<string, string> } = {},
): Thing {
  const { namespace = 'default', size = 1, labels } = extra;
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name, namespace, ...(labels !== undefined && { labels }) },
    spec: { size },
  };
}

export function apiError(code: number, reason: string, causes: readonly { reason: string }[] = []): ApiError {
  const status = { code, reason, message: `${reason} for a test`, causes, retryAfterSeconds: undefined, details: {} };
  return new ApiError(status, { method: 'GET', path: '/apis/example.com/v1/things' });
}

interface HistoryEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  /** The object before the change: how a selector sees it leave. */
  readonly before: KubeObject | undefined;
  readonly version: number;
}

/** One open watch: events go in on one side and are read on the other. */
export class ModelStream implements AsyncIterableIterator<SentEvent> {
  readonly options: WatchOptions;
  readonly #queue: (SentEvent | { readonly error: unknown } | 'end')[] = [];
  #waiting: (() => void) | undefined;
  /** Up to which version history was looked at. */
  version: number;
  closed = false;

  constructor(options: WatchOptions, version: number) {
    this.options = options;
    this.version = version;
    options.signal?.addEventListener('abort', () => this.push({ error: options.signal?.reason }), { once: true });
  }

  push(item: SentEvent | { readonly error: unknown } | 'end'): void {
    this.#queue.push(item);
    this.#waiting?.();
  }

  async next(): Promise<IteratorResult<SentEvent>> {
    while (this.#queue.length === 0 && !this.closed) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    const item = this.#queue.shift() ?? 'end';
    if (item === 'end' || 'error' in item) this.closed = true;
    if (item === 'end') return { done: true, value: undefined };
    if ('error' in item) throw item.error;
    return { done: false, value: item };
  }

  return(): Promise<IteratorResult<SentEvent>> {
    this.closed = true;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

export interface LoggedRequest {
  readonly verb: 'list' | 'watch' | 'get' | 'create' | 'update' | 'delete';
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly continue?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly metadataOnly?: boolean | undefined;
}

/** A tiny API server for one kind, every fault of which is at a test's command. */
export class ModelServer {
  readonly requests: LoggedRequest[] = [];
  readonly objects = new Map<string, KubeObject>();
  streams: ModelStream[] = [];
  /** Does as servers before watch-list do: sends the present state and never says that it was all. */
  ignoresInitialEvents = false;
  /** While true, changes happen but no watch delivers them. */
  silent = false;
  version = 100;
  /** By key: the version of the last deletion. */
  readonly deletions = new Map<string, number>();
  #uids = 0;
  #history: HistoryEvent[] = [];
  #compacted = 0;
  readonly #failures: { readonly verb: LoggedRequest['verb']; readonly error: unknown; readonly initial?: boolean }[] =
    [];

  /** The next request of this verb fails; `initial` narrows it to watches that do or do not ask for the initial state. */
  failNext(verb: LoggedRequest['verb'], error: unknown, initial?: boolean): void {
    this.#failures.push({ verb, error, ...(initial !== undefined && { initial }) });
  }

  put(object: KubeObject): KubeObject {
    const before = this.objects.get(keyOf(object));
    this.version += 1;
    if (before === undefined) this.#uids += 1;
    const uid = before?.metadata.uid ?? `uid-${this.#uids}`;
    const metadata = { ...object.metadata, uid, resourceVersion: `${this.version}` };
    const stored: KubeObject = structuredClone({ ...object, metadata });
    this.objects.set(keyOf(stored), stored);
    this.#happened({
      type: before === undefined ? 'ADDED' : 'MODIFIED',
      object: stored,
      before,
      version: this.version,
    });
    return structuredClone(stored);
  }

  remove(key: string): void {
    const before = this.objects.get(key);
    if (before === undefined) return;
    this.version += 1;
    this.objects.delete(key);
    this.deletions.set(key, this.version);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: `${this.version}` } };
    this.#happened({ type: 'DELETED', object, before, version: this.version });
  }

  /** Older versions cannot be resumed from. */
  compact(): void {
    this.#compacted = this.version;
    this.#history = [];
  }

  /** A restore from a backup: these objects at this version. */
  restore(objects: ReadonlyMap<string, KubeObject>, version: number): void {
    this.objects.clear();
    for (const [key, object] of objects) this.objects.set(key, object);
    this.version = version;
    this.#history = [];
    this.#compacted = version;
  }

  open(): ModelStream[] {
    this.streams = this.streams.filter(({ closed }) => !closed);
    return this.streams;
  }

  /** The server ends every watch normally. */
  close(): void {
    for (const stream of this.open()) stream.push('end');
    this.streams = [];
  }

  break(error: unknown): void {
    for (const stream of this.open()) stream.push({ error });
    this.streams = [];
  }

  bookmark(): void {
    for (const stream of this.open()) {
      if (!this.silent) this.#catchUp(stream);
      stream.version = this.version;
      stream.push({ type: 'BOOKMARK', resourceVersion: `${this.version}`, initialEventsEnd: false });
    }
  }

  send(event: SentEvent): void {
    for (const stream of this.open()) stream.push(event);
  }

  /** Lets watches hear what happened while it was silent. */
  speak(): void {
    this.silent = false;
    for (const stream of this.open()) this.#catchUp(stream);
  }

  listPage(options: PageOptions = {}): Promise<ListPage<KubeObject>> {
    const { namespace, continue: token, pageSize, metadataOnly, resourceVersion } = options;
    this.requests.push({ verb: 'list', namespace, continue: token, pageSize, metadataOnly, resourceVersion });
    const failure = this.#failure('list');
    if (failure !== undefined) return Promise.reject(failure.error as Error);
    const all = [...this.objects.values()].filter((object) => visible(object, options));
    const start = token === undefined ? 0 : Number(token);
    const end = start + (pageSize ?? all.length);
    const items = structuredClone(all.slice(start, end));
    return Promise.resolve({
      items,
      resourceVersion: `${this.version}`,
      continue: end < all.length ? `${end}` : undefined,
    });
  }

  watch(options: WatchOptions = {}): ModelStream {
    const { namespace, resourceVersion, sendInitialEvents, timeoutSeconds, metadataOnly } = options;
    this.requests.push({ verb: 'watch', namespace, resourceVersion, sendInitialEvents, timeoutSeconds, metadataOnly });
    const initial = sendInitialEvents === true;
    const stream = new ModelStream(options, initial ? this.version : Number(resourceVersion));
    const failure = this.#failure('watch', initial);
    if (failure !== undefined) stream.push({ error: failure.error });
    else if (initial) this.#sendInitial(stream);
    else if (stream.version < this.#compacted) stream.push({ error: apiError(410, 'Expired') });
    else this.#catchUp(stream);
    if (failure === undefined) {
      this.streams.push(stream);
      options.onOpen?.();
    }
    return stream;
  }

  #sendInitial(stream: ModelStream): void {
    for (const object of this.objects.values()) {
      if (visible(object, stream.options)) stream.push({ type: 'ADDED', object: structuredClone(object) });
    }
    if (this.ignoresInitialEvents) return;
    stream.push({ type: 'BOOKMARK', resourceVersion: `${this.version}`, initialEventsEnd: true });
  }

  #happened(event: HistoryEvent): void {
    this.#history.push(event);
    if (!this.silent) for (const stream of this.open()) this.#catchUp(stream);
  }

  #catchUp(stream: ModelStream): void {
    if (this.silent) return;
    if (stream.version < this.#compacted) {
      stream.push({ error: apiError(410, 'Expired') });
      return;
    }
    for (const event of this.#history.filter(({ version }) => version > stream.version)) {
      const seen = selected(event, stream.options);
      if (seen !== undefined) stream.push(structuredClone(seen));
    }
    stream.version = this.version;
  }

  #failure(verb: LoggedRequest['verb'], initial?: boolean): { error: unknown } | undefined {
    const at = this.#failures.findIndex(
      (failure) => failure.verb === verb && (failure.initial === undefined || failure.initial === initial),
    );
    return at < 0 ? undefined : this.#failures.splice(at, 1)[0];
  }

  /** For writes: the failure planted for the verb, if any. */
  fail(verb: LoggedRequest['verb']): void {
    this.requests.push({ verb });
    const failure = this.#failure(verb);
    if (failure !== undefined) throw failure.error;
  }
}

function visible(object: KubeObject, { namespace, labels }: ListOptions): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
  const terms = labels === undefined ? [] : parseLabelSelector(labelSelector(labels));
  return matchesLabels(terms ?? [], object.metadata.labels);
}

/** As the real server: what leaves a selector is DELETED with its last matching content and the version of the event. */
function selected({ type, object, before }: HistoryEvent, options: WatchOptions): SentEvent | undefined {
  const now = type !== 'DELETED' && visible(object, options);
  const then = before !== undefined && visible(before, options);
  if (now) return { type: then ? 'MODIFIED' : 'ADDED', object };
  if (!then) return undefined;
  return {
    type: 'DELETED',
    object: { ...before, metadata: { ...before.metadata, resourceVersion: object.metadata.resourceVersion } },
  };
}

/** A client of the model server; verbs that no test needs are not there. */
export function modelClient(server: ModelServer): Client & WithRawReads {
  const refKey = (ref: Ref): string => (typeof ref === 'string' ? `default/${ref}` : keyOfRef(ref));
  const find = async (_: Kind, ref: Ref): Promise<KubeObject | undefined> => {
    server.fail('get');
    return structuredClone(server.objects.get(refKey(ref)));
  };
  const write = (verb: 'create' | 'update') => async (object: KubeObject, options?: { dryRun?: boolean }) => {
    server.fail(verb);
    if (options?.dryRun === true)
      return { ...object, metadata: { ...object.metadata, uid: 'dry', resourceVersion: '999999' } };
    return server.put(object);
  };
  const remove = async (
    what: Kind | KubeObject,
    second?: Ref | { dryRun?: boolean },
  ): Promise<KubeObject | undefined> => {
    server.fail('delete');
    const key = 'names' in what ? refKey(second as Ref) : keyOf(what);
    const held = server.objects.get(key);
    if (held === undefined) throw apiError(404, 'NotFound');
    if (second !== undefined && typeof second === 'object' && 'dryRun' in second) return undefined;
    if (held.metadata.finalizers !== undefined) {
      return server.put({ ...held, metadata: { ...held.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } });
    }
    server.remove(key);
    return undefined;
  };
  const client = {
    find,
    list: async (_: Kind, options: ListOptions) => (await server.listPage(options)).items,
    listPage: (_: Kind, options: PageOptions) => server.listPage(options),
    watch: (_: Kind, options: WatchOptions) => server.watch(options),
    [rawReads]: rawReadsOf(server),
    create: write('create'),
    update: write('update'),
    delete: remove,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return client as unknown as Client & WithRawReads;
}

/** The server's answers as the bytes a socket would bring. */
export function rawReadsOf(server: Pick<ModelServer, 'listPage' | 'watch'>): RawReads {
  const taken = <R>(object: unknown, intake: RawIntake<R>): R =>
    intake.take(Buffer.from(JSON.stringify(object)), 0).received;
  return {
    listPage: async (_, options, intake) => {
      const page = await server.listPage(options as PageOptions);
      return { ...page, items: page.items.map((item) => taken(item, intake)) };
    },
    async *watch(_, options, intake) {
      for await (const change of server.watch(options as WatchOptions)) {
        const type = change.type as 'ADDED';
        yield 'object' in change ? [{ type, received: taken(change.object, intake) }] : [change];
      }
    },
  };
}
