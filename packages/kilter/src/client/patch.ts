import type { KubeObject, Removable } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { encodeBody } from './encode-body.ts';

const brand: unique symbol = Symbol('kilter.patch');
/** A patch made by `strategic(…)`. */
export interface StrategicPatch<T extends KubeObject> {
  readonly [brand]: 'strategic';
  readonly body: PatchBody<T>;
  /** Ties the patch to its kind; there is nothing here at run time. */
  of?(object: T): void;
}
/** A patch made by `json(…)`. */
export interface JsonPatch {
  readonly [brand]: 'json';
  readonly operations: readonly JsonOperation[];
}
export type JsonOperation =
  | { op: 'add' | 'replace' | 'test'; path: `/${string}`; value: unknown }
  | { op: 'remove'; path: `/${string}` }
  | { op: 'move' | 'copy'; from: `/${string}`; path: `/${string}` };

export type PatchBody<T> = Removable<Omit<T, 'apiVersion' | 'kind'>>;
/** A plain body is a merge patch. */
export type Patch<T extends KubeObject> = PatchBody<T> | StrategicPatch<T> | JsonPatch;

/**
 * A strategic merge patch, for built-in kinds. NoInfer: the body is checked against the kind given before it, including
 * unknown fields.
 */
export function strategic<T extends KubeObject>(body: PatchBody<NoInfer<T>>): StrategicPatch<T> {
  return { [brand]: 'strategic', body };
}
/** A JSON patch (RFC 6902) for `patch`: operations applied in order, all of them or none. */
export function json(operations: readonly JsonOperation[]): JsonPatch {
  return { [brand]: 'json', operations };
}

/** What is sent for a patch. */
export function encodePatch(patch: Patch<KubeObject>, what: string): { contentType: string; body: string } {
  if (typeof patch !== 'object' || patch === null) {
    throw new KilterError('CLIENT_VALUE_INVALID', `${what}: ${inShort(patch)} is not a patch`, {
      cure: 'give an object of the fields to change, or the result of json(…) or strategic(…)',
    });
  }
  const kind = brand in patch ? patch[brand] : 'merge';
  const content =
    kind === 'json'
      ? (patch as JsonPatch).operations
      : kind === 'strategic'
        ? (patch as StrategicPatch<KubeObject>).body
        : patch;
  const type = kind === 'json' ? 'json-patch' : kind === 'strategic' ? 'strategic-merge-patch' : 'merge-patch';
  return { contentType: `application/${type}+json`, body: encodeBody(content, { what, rounded: 'refused' }) };
}
