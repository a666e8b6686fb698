import { kindLabel } from '../api/index.ts';
import type { Informer, SharedCache } from '../cache/index.ts';
import type { Clock } from '../internal/index.ts';
import {
  connectEvery,
  connectOwned,
  connectPrimary,
  connectReferences,
  connectSource,
  connectWatched,
  declarationOf,
  type Primaries,
  primariesOf,
  predicatesOf,
  type TriggerContext,
} from '../trigger/index.ts';
import type { ControllerSpec } from './spec.ts';

export interface TriggerSetup {
  readonly spec: ControllerSpec;
  readonly cache: SharedCache;
  readonly clock: Clock;
  readonly context: TriggerContext;
  /** Resolves when the controller runs. */
  readonly started: Promise<void>;
  /** An object of the controller is gone, whether or not that wakes anybody. */
  readonly gone: (key: string) => void;
}

export interface Connected {
  readonly primaries: Primaries<string>;
  /** By `Kind.group`: what the controller owns. */
  readonly children: ReadonlyMap<string, Informer>;
  readonly disconnect: () => void;
}

/** Declares every watch of a controller and leads its changes into the queue. */
export function connectTriggers(setup: TriggerSetup): Connected {
  const { spec, cache, context } = setup;
  const { kind, labels, fields, namespaces, indexes } = spec;
  const informer = cache.informer(declarationOf(kind, { labels, fields, namespaces }));
  for (const read of spec.reads) cache.informer({ kind: read });
  const view = primariesOf({ ...context, informer, indexes });
  const children = new Map(
    spec.owns.map((owned) => [kindLabel(owned.kind.names), cache.informer(declarationOf(owned.kind, owned.options))]),
  );
  const disconnects = [
    informer.handle(({ type, key }) => {
      if (type === 'delete') setup.gone(key);
    }),
    connectPrimary({ ...context, informer, predicates: spec.when, skipStatusUpdates: spec.skipStatusUpdates }),
    ...connectChildren(setup, informer),
    ...connectOthers(setup, informer, view),
  ];
  return { primaries: view, children, disconnect: () => disconnects.forEach((disconnect) => disconnect()) };
}

function connectChildren({ spec, cache, context }: TriggerSetup, primaries: Informer): (() => void)[] {
  const owned = spec.owns.map(({ kind, options }) =>
    connectOwned({
      ...context,
      informer: cache.informer(declarationOf(kind, options)),
      predicates: predicatesOf(options),
      primaries,
    }),
  );
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
  return [...owned, ...referenced];
}

function connectOthers(
  { spec, cache, context, clock, started }: TriggerSetup,
  primaries: Informer,
  view: Primaries<string>,
): (() => void)[] {
  const watched = spec.watches.map(({ kind, map, options }) =>
    connectWatched({
      ...context,
      informer: cache.informer(declarationOf(kind, options)),
      predicates: predicatesOf(options),
      primaries,
      view,
      map,
    }),
  );
  const sources = spec.sources.map(({ source, map }) =>
    connectSource({ ...context, source, map, primaries, view, started }),
  );
  const every = spec.every === undefined ? [] : [connectEvery({ ...context, primaries, clock, period: spec.every })];
  return [...watched, ...sources, ...every];
}
