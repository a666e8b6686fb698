import type { KubeObject } from '../kind/object.ts';

/** A name in the default namespace, or a name and its namespace. */
export type Ref = string | NamedRef;
/** A name, with a namespace if there is one. */
export interface NamedRef {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** `namespace/name`, or only the name without a namespace. */
export function keyOfRef({ name, namespace }: NamedRef): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** `namespace/name` of an object, or only its name if it has no namespace. */
export function keyOf(object: KubeObject): string {
  return keyOfRef(object.metadata);
}

export function refOfKey(key: string): NamedRef {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
