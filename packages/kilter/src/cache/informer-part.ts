import type { KindNames } from '../api/index.ts';
import type { Received } from './intake.ts';
import { ObjectCodec } from './object-codec.ts';
import type { ChangeType, Reflector } from './reflector.ts';
import type { SourceOf } from './source.ts';
import type { StoreReader } from './store.ts';
import type { VerifiedPart } from './verifier.ts';
import type { WatchReports } from './watch-reports.ts';

/** One reflector's part of an informer. */
export interface Part {
  readonly namespace: string | undefined;
  readonly reflector: Reflector;
  readonly reports: WatchReports;
  /** Everything up to this version is in the store; undefined before the first complete state. */
  progress: string | undefined;
  /** Handlers have processed the first complete state. */
  delivered: boolean;
  /** Monotonic time of the last event or bookmark. */
  heardAt: number | undefined;
  /** Keys of objects that are there and cannot be used. */
  unusable: Set<string>;
  /** Set while this part is compared with the server: receives every key that changes, or undefined for all. */
  changed: ((key: string | undefined) => void) | undefined;
}

/** What a comparison with the server must know of an object that arrives. */
export function noteUse(part: Part, type: ChangeType, { key, usable }: Received): void {
  if (key === undefined) return;
  part.changed?.(key);
  if (type !== 'DELETED' && !usable) part.unusable.add(key);
  else if (part.unusable.size > 0) part.unusable.delete(key);
}

/** A part as it is compared with the server's list. */
export function verified(
  part: Part,
  { store, source, names }: { store: StoreReader; source: SourceOf; names: KindNames },
): VerifiedPart {
  const { namespace } = part;
  return {
    namespace,
    source: () => {
      // What it keeps of the list goes with it.
      const intake = new ObjectCodec({ names, metadataOnly: true, ownManager: () => false });
      return source(namespace, { metadataOnly: () => true, intake });
    },
    progress: () => part.progress,
    held: () => store.all(namespace),
    versionOf: (key) => store.get(key)?.resourceVersion,
    isUnusable: (key) => part.unusable.has(key),
    follow: (changed) => {
      part.changed = changed;
      return () => (part.changed = undefined);
    },
    resync: () => part.reflector.resync(),
  };
}
