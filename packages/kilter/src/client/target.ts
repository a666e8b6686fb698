import { apiVersionOf, type Kind, type KindName, kindLabel, type Ref } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';

/** What a request is about: a collection, an object, or a part of one. */
export interface Target {
  readonly kind: KindName;
  /** Undefined: all namespaces, or a kind without. */
  readonly namespace?: string | undefined;
  /** Undefined: the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Types demand a kind; modules that import each other have none yet while they load. */
export function namesOf(kind: Kind): KindName {
  const names = (kind as Partial<Kind> | null | undefined)?.names;
  if (names !== undefined) return names;
  throw new KilterError('CLIENT_OPTION_INVALID', `${inShort(kind)} is not a kind`, {
    cure: 'pass the kind itself, such as ConfigMap or WebApp; if it is undefined, the cause is usually a circular import',
  });
}

function invalidName(name: unknown, what: string): KilterError {
  return new KilterError('CLIENT_NAME_INVALID', `${JSON.stringify(name) ?? 'undefined'} is not a ${what}`);
}

const plainName = /^[a-z0-9][-a-z0-9.]*$/;

/** A name as a path segment. An empty one would turn "this object" into "all of them"; `..` would leave the path. */
function segment(name: string, of: KindName | 'subresource'): string {
  // Almost all names are of this form and stand for themselves.
  if (typeof name === 'string' && plainName.test(name)) return name;
  const what = of === 'subresource' ? of : `name of a ${kindLabel(of)}`;
  if (typeof name !== 'string' || name === '' || name === '.' || name === '..') throw invalidName(name, what);
  if (/[/%]/.test(name) || !name.isWellFormed()) throw invalidName(name, what);
  return encodeURIComponent(name);
}

// RFC 1123, as the server demands it of every namespace.
const namespaceForm = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

function namespaceSegment(namespace: string): string {
  if (typeof namespace !== 'string' || !namespaceForm.test(namespace)) throw invalidName(namespace, 'namespace');
  return namespace;
}

export function pathOf({ kind, namespace, name, subresource }: Target): string {
  const root = kind.group === '' ? '/api' : '/apis';
  const place = namespace === undefined ? '' : `/namespaces/${namespaceSegment(namespace)}`;
  const object = name === undefined ? '' : `/${segment(name, kind)}`;
  const part = subresource === undefined ? '' : `/${segment(subresource, 'subresource')}`;
  return `${root}/${apiVersionOf(kind)}${place}/${kind.plural}${object}${part}`;
}

/**
 * The object a reference means: without a namespace, the one in the default namespace. A name that is missing, which
 * types forbid and programs do, would mean all of them.
 */
export function targetOf(kind: KindName, ref: Ref, defaultNamespace: string): Target & { name: string } {
  const { name, namespace } = typeof ref === 'string' ? { name: ref, namespace: undefined } : (ref ?? {});
  if (typeof name !== 'string') throw invalidName(name, `name of a ${kindLabel(kind)}`);
  return { kind, name, namespace: namespaceOf(kind, namespace, defaultNamespace) };
}

/** The namespace of an object of this kind; none where the kind has none, whatever was given. */
export function namespaceOf(kind: KindName, given: string | undefined, defaultNamespace: string): string | undefined {
  if (kind.scope === 'Cluster') return undefined;
  const namespace = given ?? defaultNamespace;
  if (namespace === '') throw new KilterError('CLIENT_NAMESPACE_MISSING', `${kindLabel(kind)} is namespaced`);
  return namespace;
}

/** All objects of a kind, in a namespace or in all. */
export function collectionOf(kind: KindName, namespace: string | undefined): Target {
  return { kind, namespace: kind.scope === 'Cluster' ? undefined : namespace };
}
