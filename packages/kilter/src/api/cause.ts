import type { NamedRef } from './ref.ts';

/** Why a key is to be reconciled: for logs, traces and people, never for decisions. Contains no content of objects. */
export interface Cause {
  /** The declaration that it came through. */
  readonly source: 'primary' | 'owned' | 'watched' | 'referenced' | 'external' | 'timer' | 'retry';
  readonly change: 'add' | 'update' | 'delete' | 'resync' | 'timer' | 'retry' | 'external';
  /** The kind of the object that changed, such as `Deployment.apps`. */
  readonly kind?: string | undefined;
  /** The object that changed. */
  readonly ref?: NamedRef | undefined;
  readonly resourceVersion?: string | undefined;
  /** The reason given to `requeueAfter`, or the attempt and error code of a retry. */
  readonly reason?: string | undefined;
}

/** A cause, merged from all its occurrences since the last run. */
export interface MergedCause extends Cause {
  /** How often it occurred since the last run. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}
