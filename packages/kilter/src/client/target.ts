import { apiVersionOf, type KindName, kindLabel, type Ref } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';

/** What a request is about: a collection, an object, or a part of one. */
export interface Target {
  readonly kind: KindName;
  /** Undefined: all namespaces, or a kind without. */
  readonly namespace?: string | undefined;
  /** Undefined: the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** A name as a path segment. An empty one would turn "this object" into "all of them"; `..` would leave the path. */
function segment(name: string, what: string): string {
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name) || !name.isWellFormed()) {
    throw new KilterError('CLIENT_NAME_INVALID', `${JSON.stringify(name)} is no ${what}`);
  }
  return encodeURIComponent(name);
}

export function pathOf({ kind, namespace, name, subresource }: Target): string {
  return [
    kind.group === '' ? '/api' : '/apis',
    ...apiVersionOf(kind).split('/'),
    ...(namespace === undefined ? [] : ['namespaces', segment(namespace, 'namespace')]),
    kind.plural,
    ...(name === undefined ? [] : [segment(name, `name of a ${kindLabel(kind)}`)]),
    ...(subresource === undefined ? [] : [segment(subresource, 'subresource')]),
  ].join('/');
}

/** The object a reference means: without a namespace, the one in the default namespace. */
export function targetOf(kind: KindName, ref: Ref, defaultNamespace: string): Target & { name: string } {
  const { name, namespace } = typeof ref === 'string' ? { name: ref, namespace: undefined } : ref;
  return { kind, name, namespace: namespaceOf(kind, namespace, defaultNamespace) };
}

/** The namespace of an object of this kind; none where the kind has none, whatever was given. */
export function namespaceOf(kind: KindName, given: string | undefined, defaultNamespace: string): string | undefined {
  if (kind.scope === 'Cluster') return undefined;
  const namespace = given ?? defaultNamespace;
  if (namespace === '') throw new KilterError('CLIENT_NAMESPACE_MISSING', `${kindLabel(kind)} is namespaced`);
  return namespace;
}
