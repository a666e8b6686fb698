import { keyOfRef, type KubeObject, type NamedRef } from '../api/index.ts';
import type { Informer } from '../cache/index.ts';
import { KilterError } from '../errors/index.ts';
import { type IndexDeclaration, indexKeys } from './index-keys.ts';
import { verdictOf } from './predicate.ts';
import { reportOf, type TriggerContext } from './report.ts';

/** What triggers need of the informer of a controller's own objects. */
export type PrimaryStore<T extends KubeObject = KubeObject> = Pick<
  Informer<T>,
  'kind' | 'index' | 'by' | 'refs' | 'get'
>;

/** The controller's objects, as mappers see them. */
export interface Primaries<I extends string, out T extends KubeObject = KubeObject> {
  /** Those with this key in a declared index; none without a key. */
  by(index: I, key: string | undefined): readonly NamedRef[];
  all(): readonly NamedRef[];
  /**
   * Those that pass the test, which gets each object decoded: for conditions that no index can express, such as a text
   * that contains a word of theirs. Use it only if there are few objects.
   */
  where(test: (object: T) => boolean): readonly NamedRef[];
}

/** One index a controller declares over its objects. */
export type PrimaryIndex<T extends KubeObject> = IndexDeclaration<T>;

export interface PrimariesOptions<T extends KubeObject> extends TriggerContext {
  readonly informer: PrimaryStore<T>;
  readonly indexes: readonly PrimaryIndex<T>[];
}

/** Declares the indexes and gives the view of mappers. */
export function primariesOf<T extends KubeObject>(options: PrimariesOptions<T>): Primaries<string, T> {
  const { informer, controller, indexes } = options;
  const report = reportOf(options, 'primary');
  for (const index of indexes) informer.index(index.name, indexKeys(index, report));
  const declared = new Set(indexes.map(({ name }) => name));
  return {
    all: () => informer.refs(),
    where: (test) =>
      informer.refs().filter((ref) => {
        const object = informer.get(keyOfRef(ref));
        return object !== undefined && verdictOf(test(object));
      }),
    by: (index, key) => {
      if (!declared.has(index)) {
        const known = [...declared].join(', ') || 'none';
        throw new KilterError('CONTROLLER_INDEX_UNKNOWN', `${controller} has no index ${index}; it has: ${known}`);
      }
      return key === undefined ? [] : informer.by(index, key);
    },
  };
}
