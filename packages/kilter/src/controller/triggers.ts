import { keyOfRef, kindLabel, type NamedRef, refOfKey } from '../api/index.ts';
import type { Informer, SharedCache } from '../cache/index.ts';
import { toMilliseconds } from '../internal/index.ts';
import {
  connectEvery,
  connectOwned,
  connectPrimary,
  connectReferences,
  connectSource,
  connectWatched,
  declarationOf,
  indexKeys,
  type Primaries,
  primariesOf,
  type PrimaryStore,
  predicatesOf,
  reportOf,
  type TriggerContext,
} from '../trigger/index.ts';
import { isSameKind } from './kinds.ts';
import type { ControllerSpec, IndexSpec, WatchedSpec } from './spec.ts';

export interface TriggerSetup {
  readonly spec: ControllerSpec;
  readonly cache: Pick<SharedCache, 'informer' | 'index'>;
  readonly context: TriggerContext;
  /** Resolves when the controller runs. */
  readonly started: Promise<void>;
  /** An object of the controller is gone, whether or not that wakes anybody. */
  readonly gone: (key: string) => void;
  /** Every change of this object wakes it, whatever predicates say. */
  readonly held: (key: string) => boolean;
}

/** What one `.owns()` watches. */
export interface ChildInformer {
  readonly informer: Informer;
  readonly prune: boolean;
}

export interface Connected {
  /** The controller's own objects: what its selectors let in, and no more. */
  readonly primary: Informer;
  readonly primaries: Primaries<string>;
  /** By `Kind.group`: what the controller owns, an informer per declaration. */
  readonly children: ReadonlyMap<string, readonly ChildInformer[]>;
  /** One more kind whose changes concern objects of the controller. Gives how to end that. */
  readonly watch: (watched: WatchedSpec) => () => void;
  readonly disconnect: () => void;
}

/** Declares every watch of a controller and leads its changes into the queue. */
export function connectTriggers(given: TriggerSetup): Connected {
  const { spec, cache, context } = given;
  const { kind, labels, fields, namespaces } = spec;
  const primary = cache.informer(declarationOf(kind, { labels, fields, namespaces }));
  for (const read of spec.reads) cache.informer(declarationOf(read.kind, read.options));
  const own = spec.indexes.filter((index) => isSameKind(index.kind, kind));
  const primaries = primariesOf({ ...context, informer: indexedPrimaries(given, primary), indexes: own });
  declareIndexes(
    given,
    spec.indexes.filter((index) => !own.includes(index)),
  );
  // Its own objects have to be woken before anybody can be known to be one of them.
  const others = { ...given, context: { ...context, queue: boundedQueue(given, primary) } };
  const { children, disconnects: owned } = connectChildren(others, primary);
  const disconnects = new Set([
    primary.handle(({ type, key }) => {
      if (type === 'delete') given.gone(key);
      else if (given.held(key))
        context.queue.add(key, { source: 'primary', change: 'update', reason: 'in quarantine' });
    }),
    connectPrimary({ ...context, informer: primary, predicates: spec.when, skipStatusUpdates: spec.skipStatusUpdates }),
    ...owned,
    ...connectOthers(others, primary, primaries),
  ]);
  return {
    primary,
    primaries,
    children,
    watch: (watched) => {
      const disconnect = connectWatch(others, watched, { primary, primaries });
      disconnects.add(disconnect);
      return () => {
        disconnects.delete(disconnect);
        disconnect();
      };
    },
    disconnect: () => disconnects.forEach((disconnect) => disconnect()),
  };
}

/** Indexes over the controller's objects serve reads too, so they belong to the cache and not to one informer. */
function indexedPrimaries({ spec, cache }: TriggerSetup, primary: Informer): PrimaryStore {
  const user = spec.name;
  return {
    kind: primary.kind,
    refs: () => primary.refs(),
    get: (key) => primary.get(key),
    index: (name, keys) => cache.index(spec.kind, { name, user, keys }),
    by: (name, key) => primary.by(name, key, user),
  };
}

function declareIndexes({ spec, cache, context }: TriggerSetup, indexes: readonly IndexSpec[]): void {
  const report = reportOf(context, 'watched');
  for (const index of indexes) {
    cache.index(index.kind, { name: index.name, user: spec.name, keys: indexKeys(index, report) });
  }
}

/**
 * A controller that is bounded by selectors or namespaces is not woken for what lies outside, whoever names it. Nothing is
 * lost by that: an object that comes in later brings its own change.
 */
function boundedQueue({ spec, context }: TriggerSetup, primary: Informer): TriggerContext['queue'] {
  const { queue } = context;
  const { labels, fields, reconcileKey } = spec;
  const inside = (ref: NamedRef): boolean => {
    if (!primary.covers(ref.namespace)) return false;
    // By key, a controller of all objects also runs for those that are gone or not there yet.
    if (reconcileKey !== undefined && labels === undefined && fields === undefined) return true;
    return primary.has(keyOfRef(ref));
  };
  const refOf = (target: Parameters<TriggerContext['queue']['add']>[0]): NamedRef => {
    if (typeof target === 'string') return refOfKey(target);
    return 'key' in target ? refOfKey(target.key) : target;
  };
  return {
    add: (target, cause, options) => inside(refOf(target)) && queue.add(target, cause, options),
    addAfter: (ref, ms, cause) => inside(ref) && queue.addAfter(ref, ms, cause),
  };
}

function connectChildren(
  { spec, cache, context }: TriggerSetup,
  primaries: Informer,
): { children: Map<string, ChildInformer[]>; disconnects: (() => void)[] } {
  const children = new Map<string, ChildInformer[]>();
  const owned = spec.owns.map(({ kind, options }) => {
    const informer = cache.informer(declarationOf(kind, options));
    const label = kindLabel(kind.names);
    children.set(label, [...(children.get(label) ?? []), { informer, prune: options.prune === true }]);
    return connectOwned({ ...context, informer, predicates: predicatesOf(options), primaries });
  });
  const referenced = spec.references.map(({ kind, of, options }, i) =>
    connectReferences({
      ...context,
      informer: cache.informer(declarationOf(kind, options)),
      predicates: predicatesOf(options),
      primaries,
      of,
      index: String(i),
    }),
  );
  return { children, disconnects: [...owned, ...referenced] };
}

function connectWatch(
  { cache, context }: TriggerSetup,
  { kind, map, options }: WatchedSpec,
  { primary, primaries }: Pick<Connected, 'primary' | 'primaries'>,
): () => void {
  return connectWatched({
    ...context,
    informer: cache.informer(declarationOf(kind, options)),
    predicates: predicatesOf(options),
    settle: options.settle === undefined ? 0 : toMilliseconds(options.settle),
    primaries: primary,
    view: primaries,
    map,
  });
}

function connectOthers(given: TriggerSetup, primaries: Informer, view: Primaries<string>): (() => void)[] {
  const { spec, context, started } = given;
  const watched = spec.watches.map((one) => connectWatch(given, one, { primary: primaries, primaries: view }));
  const sources = spec.sources.map(({ source, map }) =>
    connectSource({ ...context, source, map, primaries, view, started }),
  );
  const every = spec.every === undefined ? [] : [connectEvery({ ...context, primaries, period: spec.every })];
  return [...watched, ...sources, ...every];
}
