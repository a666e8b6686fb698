import type { KubeObject } from '../api/index.ts';
import { fromBothVersions, isBare, listen, type Listening, resolved } from './listen.ts';
import type { Primaries, PrimaryStore } from './primaries.ts';
import type { Targets } from './targets.ts';

export interface WatchedTrigger<K extends KubeObject, T extends KubeObject> extends Listening<K> {
  /** The objects that are woken. */
  readonly primaries: PrimaryStore<T>;
  /** How mappers find them. */
  readonly view: Primaries<string>;
  readonly map: (object: K, at: { readonly primaries: Primaries<string> }) => Targets;
}

/** Anything else that concerns the controller's objects. Returns how to stop. */
export function connectWatched<K extends KubeObject, T extends KubeObject>(options: WatchedTrigger<K, T>): () => void {
  const { primaries, view, map } = options;
  const { scope } = primaries.kind.names;
  return listen(options, 'watched', (change, report) => {
    // Nothing is left to map; one of these has to notice.
    if (isBare(change)) return primaries.refs();
    const failed = (error: unknown): void =>
      report.failed(error, 'a mapper returned something that is not a reference', change.key);
    const place = { scope, namespace: change.ref.namespace };
    return fromBothVersions(change, (object) => resolved(map(object, { primaries: view }), place, failed), report);
  });
}
