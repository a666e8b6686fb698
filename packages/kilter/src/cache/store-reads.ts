import {
  type Kind,
  kindLabel,
  type KubeObject,
  type LabelTerm,
  matchesLabels,
  type NamedRef,
  type Ref,
} from '../api/index.ts';
import { namesOf, type Seen } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { parseLabels } from './declaration.ts';
import { type FieldTerm, parseFieldTerms } from './field-terms.ts';
import type { InformerCore } from './informer-core.ts';
import { ageOf } from './store.ts';
import type { StoredObject } from './stored-object.ts';
import type { CachedListOptions } from './view.ts';

/** An object as it was asked for: whole, or nothing but its metadata. */
export function seen<T extends KubeObject, M extends boolean>(object: T, metadataOnly: M | undefined): Seen<T, M> {
  if (metadataOnly !== true) return object as Seen<T, M>;
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata } as Seen<T, M>;
}

/** A reference with its namespace, or without one where the kind has none. */
export function resolveRef(kind: Kind, ref: Ref, defaultNamespace: string | undefined): NamedRef {
  const names = namesOf(kind);
  const { name, namespace = defaultNamespace } = typeof ref === 'string' ? { name: ref } : (ref ?? {});
  // Types forbid it; programs that read the name from somewhere do it.
  if (typeof name !== 'string' || name === '') {
    throw new KilterError('CLIENT_NAME_INVALID', `${JSON.stringify(ref)} does not name a ${kindLabel(names)}`);
  }
  if (names.scope === 'Cluster') return { name };
  if (namespace === undefined || namespace === '') {
    throw new KilterError('CLIENT_NAMESPACE_MISSING', `${kindLabel(names)} ${name} was requested without a namespace`);
  }
  return { name, namespace };
}

/** Undefined: all namespaces, or a kind that has none. */
export function resolveNamespace(kind: Kind, namespace: string | undefined): string | undefined {
  return namesOf(kind).scope === 'Cluster' || namespace === '' ? undefined : namespace;
}

/** The newest of what several informers hold for one key. */
export function newestOf(informers: readonly InformerCore[], key: string): StoredObject | undefined {
  const held = informers.flatMap(({ store }) => store.get(key) ?? []);
  return held.reduce<StoredObject | undefined>(newer, undefined);
}

function newer(a: StoredObject | undefined, b: StoredObject): StoredObject {
  return a !== undefined && ageOf(b, a) === 'older' ? a : b;
}

/**
 * What a cached list lets through; made before anything is waited for, so that a bad selector fails at once. Of several
 * indexes of one name, that of `user` is meant.
 */
export function listQuery(options: Omit<CachedListOptions, 'metadataOnly'>, user?: string): ListQuery {
  const labelTerms = options.labels === undefined ? [] : parseLabels(options.labels);
  const fieldTerms = options.fields === undefined ? [] : parseFieldTerms(options.fields);
  for (const { path, operator } of fieldTerms) {
    if (operator === '=') continue;
    throw new KilterError('CACHE_SELECTOR_INVALID', `no index can answer ${path}!=…; list through \`live\``);
  }
  const [first, ...more] = fieldTerms.filter(({ path }) => !isBuiltin(path));
  const builtin = fieldTerms.filter(({ path }) => isBuiltin(path));
  const walk = function* (informer: InformerCore): Generator<StoredObject> {
    const namespace = resolveNamespace(informer.declaration.kind, options.namespace);
    const candidates =
      first === undefined
        ? labelled(informer, labelTerms, namespace)
        : informer.indexes.by({ name: first.path, user }, first.value);
    for (const object of candidates) {
      const matches =
        (namespace === undefined || object.ref.namespace === namespace) &&
        matchesLabels(labelTerms, object.labels) &&
        builtin.every((term) => matchesBuiltin(term, object)) &&
        more.every(({ path, value }) => informer.indexes.has({ name: path, user }, value, object.key));
      if (matches) yield object;
    }
  };
  return { walk, limit: options.limit ?? Infinity };
}

/** By the index of a label, where a term names values of one; else all there are. */
function labelled(
  { store }: InformerCore,
  terms: readonly LabelTerm[],
  namespace: string | undefined,
): Iterable<StoredObject> {
  const named = terms.find(({ operator }) => operator === '=' || operator === 'in');
  return named === undefined ? store.each(namespace) : store.labelled(named.key, named.values);
}

// The key itself answers these two.
const isBuiltin = (path: string): boolean => path === 'metadata.name' || path === 'metadata.namespace';

function matchesBuiltin({ path, value }: FieldTerm, { ref }: StoredObject): boolean {
  return (path === 'metadata.name' ? ref.name : (ref.namespace ?? '')) === value;
}

/** What a list asks for. Nothing is decoded to find it, and no more is looked at than is wanted. */
export interface ListQuery {
  /** What one informer has of it, for a walk that ends before anything changes. */
  readonly walk: (informer: InformerCore) => Iterable<StoredObject>;
  readonly limit: number;
}

/** Over several informers each key once, in its newest state. */
export function listFrom(informers: readonly InformerCore[], { walk, limit }: ListQuery): StoredObject[] {
  const [only] = informers;
  if (informers.length === 1 && only !== undefined) return firstOf(walk(only), limit);
  const found = new Map<string, StoredObject>();
  for (const informer of informers) {
    for (const object of walk(informer)) found.set(object.key, newer(found.get(object.key), object));
  }
  return firstOf(found.values(), limit);
}

function firstOf(objects: Iterable<StoredObject>, limit: number): StoredObject[] {
  const first: StoredObject[] = [];
  if (!(limit > 0)) return first;
  for (const object of objects) {
    first.push(object);
    if (first.length >= limit) break;
  }
  return first;
}
