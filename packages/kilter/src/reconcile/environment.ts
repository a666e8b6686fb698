import type { Kind, KubeObject, MergedCause, NamedRef } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { AppliedStates } from './apply.ts';
import type { RunContext } from './context.ts';
import type { OwnedFields } from './owned-fields.ts';

/** A kind the controller may apply. */
export interface DeclaredChild {
  readonly kind: Kind;
  /** Watched and given an owner reference; else only written. */
  readonly owned: boolean;
}

/** Whose children: the key of its run and its UID. */
export interface Owner {
  readonly key: string;
  readonly uid: string;
}
/** Those of every declaration of the kind, or only of the declarations with `prune`. */
export type ChildrenOf = 'all' | 'pruned';

/** What all runs of one controller share. */
export interface ReconcileEnvironment {
  readonly kind: Kind;
  /** By `apiVersion/kind`. */
  readonly children: ReadonlyMap<string, DeclaredChild>;
  readonly live: Reader;
  readonly cache: CacheView;
  /** What this controller's field manager owns of a cached child. */
  readonly ownedFieldsOf: (kind: Kind, ref: NamedRef) => OwnedFields | undefined;
  /** Whether a selector may keep such an object out of the cache. */
  readonly hides: (kind: Kind, ref: NamedRef) => boolean;
  /** The cached children of an owner, once the writes made for its key have arrived. */
  readonly childrenOf: (kind: Kind, owner: Owner, of?: ChildrenOf) => Promise<KubeObject[]>;
  readonly primaries: RunContext['primaries'];
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly manager: string;
  readonly states: AppliedStates;
  /** The user's own metrics. */
  readonly metric: RunContext['metric'];
  leadership(): RunContext['leadership'];
  fence<R>(effect: (signal: AbortSignal) => Promise<R>, signal: AbortSignal): Promise<R>;
  /** A write that was not needed. */
  readonly skipped: () => void;
}

/** What one run is about. */
export interface Run {
  readonly ref: NamedRef;
  readonly key: string;
  /** That of the key in the store of its objects; below zero where it has none. Default: not known. */
  readonly number?: number | undefined;
  /** A list of its own at each look: the journal tells them after the run, whatever the reconciler did with those it was given. */
  readonly causes: readonly MergedCause[];
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reads from the cache and waits for own writes; writes are guarded and remembered for this run's key. */
  readonly client: Client;
  /** Where its time goes, in milliseconds, written as it goes. Default: nobody asks. */
  readonly timing?: { settle: number } | undefined;
  /** Told the object as the run found it, once the framework has decoded it for itself. Default: nobody asks. */
  found?(object: KubeObject): void;
  /** Told that the user's function has returned, before what the framework does after it. Default: nobody asks. */
  left?(): void;
}
