import { keyOf, keyOfRef, type KubeObject } from '../api/index.ts';
import { listen, type Listening, resolved } from './listen.ts';
import type { PrimaryStore } from './primaries.ts';
import { reportOf } from './report.ts';
import type { Targets } from './targets.ts';

export interface ReferencesTrigger<K extends KubeObject, T extends KubeObject> extends Listening<K> {
  /** The objects that refer. */
  readonly primaries: PrimaryStore<T>;
  /** What an object refers to: a bare name means its own namespace. */
  readonly of: (object: T) => Targets;
  /** Tells several declarations of one controller apart. */
  readonly index: string;
}

/** What objects refer to: an index over them answers who refers to what changed. Returns how to stop. */
export function connectReferences<K extends KubeObject, T extends KubeObject>(
  options: ReferencesTrigger<K, T>,
): () => void {
  const { informer, primaries, of, controller } = options;
  const { scope } = informer.kind.names;
  const index = `${controller}/references/${options.index}`;
  const report = reportOf(options, 'referenced');
  primaries.index(index, (object) => {
    const failed = (error: unknown): void => report.failed(error, 'no reference could be read', keyOf(object));
    try {
      const place = { scope, namespace: object.metadata.namespace };
      return [...resolved(of(object), place, failed)].map(keyOfRef);
    } catch (error) {
      failed(error);
      return [];
    }
  });
  // The key alone tells who refers to it: a delete without an object needs nothing more.
  return listen(options, 'referenced', (change) => primaries.by(index, change.key));
}
