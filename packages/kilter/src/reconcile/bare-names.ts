import { type Kind, kindLabel, type NamedRef, type Ref } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Reader } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import type { IndexedCache } from './context.ts';

/** Where bare names are in a run: the namespace of its object, or '' where that has none. */
export function homeOf({ namespace }: NamedRef): string {
  return namespace ?? '';
}

/** What a reference means in a run. The object's own namespace where none is said; nothing is guessed where it has none. */
export function qualified({ names }: Kind, ref: Ref, home: string): Ref {
  if (names.scope === 'Cluster') return ref;
  const { name, namespace } = typeof ref === 'string' ? { name: ref, namespace: undefined } : (ref ?? {});
  if ((namespace ?? home) === '') throw homeless(kindLabel(names), name);
  return { name: name as string, namespace: namespace ?? home };
}

/** A bare name of something with a namespace, where the object of the run has none to share. */
export function homeless(label: string, name: string | undefined): KilterError {
  const message = `${label} ${name ?? ''} is named without a namespace, and the object of this run has none`;
  return new KilterError('CLIENT_NAMESPACE_MISSING', message);
}

interface Readers {
  readonly live: Reader;
  readonly cache: IndexedCache;
}

/** By environment and home: runs of one namespace share what they read with, as it is frozen and keeps nothing. */
const readers = new WeakMap<object, Map<string, Readers>>();

// Whoever has more namespaces than this pays for some of them again.
const mostHomes = 1000;

/** What runs in one namespace read with. */
export function readersOf(environment: { readonly live: Reader; readonly cache: CacheView }, home: string): Readers {
  const homes = readers.get(environment) ?? new Map<string, Readers>();
  const known = homes.get(home);
  if (known !== undefined) return known;
  const made = { live: liveReader(environment.live, home), cache: cacheReader(environment.cache, home) };
  if (homes.size >= mostHomes) homes.clear();
  homes.set(home, made);
  readers.set(environment, homes);
  return made;
}

/** Reads from the server, and nothing but reads: what is behind it could write past the guard. */
export function liveReader(live: Reader, home: string): Reader {
  const reader: Reader = {
    get: async (kind, ref, options) => live.get(kind, qualified(kind, ref, home), options),
    find: async (kind, ref, options) => live.find(kind, qualified(kind, ref, home), options),
    list: (kind, options) => live.list(kind, options),
  };
  return Object.freeze(reader);
}

/** The cache, with the controller's own indexes. */
export function cacheReader(cache: CacheView, home: string): IndexedCache {
  const reader: IndexedCache = {
    get: (kind, ref, options) => cache.get(kind, qualified(kind, ref, home), options),
    find: (kind, ref, options) => cache.find(kind, qualified(kind, ref, home), options),
    list: (kind, options) => cache.list(kind, options),
    each: (kind, options) => cache.each(kind, options),
    by: (kind, index, key) => (key === undefined ? [] : cache.list(kind, { fields: { [index]: key } })),
  };
  return Object.freeze(reader);
}
