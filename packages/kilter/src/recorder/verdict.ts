import { apiErrorOf, isAlreadyExists, isNotFound, KilterError } from '../errors/index.ts';

// client-go's: two minutes in all; recording is not worth more.
const mostTries = 12;
const pause = 10_000;

/** What follows from a failed request. */
export type Verdict =
  /** The Event is there. */
  | { readonly type: 'exists' }
  /** The Event of this series is gone: it is created again. */
  | { readonly type: 'recreate' }
  | { readonly type: 'retry'; readonly afterMs: number }
  /** It will not be written; `silent` where that is nothing to worry about. */
  | { readonly type: 'give-up'; readonly silent: boolean };

export interface Failure {
  readonly error: unknown;
  readonly verb: 'create' | 'patch';
  /** Requests made for this occurrence so far. */
  readonly tries: number;
  /** In [0, 1). */
  readonly chance: number;
}

/** Answers of the server are final; what never reached it, or whose answer was lost, is tried again. */
export function verdictOn({ error, verb, tries, chance }: Failure): Verdict {
  const status = apiErrorOf(error)?.status;
  if (status !== undefined) {
    if (verb === 'patch' && isNotFound(error)) return { type: 'recreate' };
    if (verb === 'create' && isAlreadyExists(error)) return { type: 'exists' };
    return { type: 'give-up', silent: status.causes.some(({ reason }) => reason === 'NamespaceTerminating') };
  }
  if (!(error instanceof KilterError) || tries >= mostTries) return { type: 'give-up', silent: false };
  // The first retry is spread: replicas that lost the server together do not come back together.
  return { type: 'retry', afterMs: tries === 1 ? chance * pause : pause };
}
