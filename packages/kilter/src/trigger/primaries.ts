import type { KubeObject, NamedRef } from '../api/index.ts';
import type { Informer } from '../cache/index.ts';
import { KilterError } from '../errors/index.ts';
import { reportOf, type TriggerContext } from './report.ts';

/** What triggers need of the informer of a controller's own objects. */
export type PrimaryStore<T extends KubeObject> = Pick<Informer<T>, 'kind' | 'index' | 'by' | 'refs'>;

/** The controller's objects, as mappers see them. */
export interface Primaries<I extends string> {
  /** Those with this key in a declared index; nobody without a key. */
  by(
    index: [I] extends [never] ? 'declare it first: .index(name, key)' : I,
    key: string | undefined,
  ): readonly NamedRef[];
  all(): readonly NamedRef[];
}

/** One index a controller declares over its objects. */
export interface PrimaryIndex<T extends KubeObject> {
  readonly name: string;
  readonly key: (object: T) => string | undefined | readonly string[];
}

/** Controllers share informers, so an index carries its controller's name. */
function indexName(controller: string, name: string): string {
  return `${controller}/${name}`;
}

function keysOf(keys: string | undefined | readonly string[]): readonly string[] {
  if (keys === undefined) return [];
  return typeof keys === 'string' ? [keys] : keys;
}

export interface PrimariesOptions<T extends KubeObject> extends TriggerContext {
  readonly informer: PrimaryStore<T>;
  readonly indexes: readonly PrimaryIndex<T>[];
}

/** Declares the indexes and gives the view of mappers. */
export function primariesOf<T extends KubeObject>(options: PrimariesOptions<T>): Primaries<string> {
  const { informer, controller, indexes } = options;
  const report = reportOf(options, 'primary');
  for (const { name, key } of indexes) {
    informer.index(indexName(controller, name), (object) => {
      try {
        return keysOf(key(object));
      } catch (error) {
        report.failed(error, `the index ${name} threw; the object is not in it`, object.metadata.name);
        return [];
      }
    });
  }
  const declared = new Set(indexes.map(({ name }) => name));
  return {
    all: () => informer.refs(),
    by: (index, key) => {
      if (!declared.has(index)) {
        const known = [...declared].join(', ') || 'none';
        throw new KilterError('CONTROLLER_INDEX_UNKNOWN', `${controller} has no index ${index}; it has: ${known}`);
      }
      return key === undefined ? [] : informer.by(indexName(controller, index), key);
    },
  };
}
