import { inWordsWithCauses, KilterError, type KilterErrorOptions } from '../errors/index.ts';

export interface RunIdentity {
  readonly controller: string;
  readonly key: string;
  readonly reconcileID: string;
}

/** A text says what to do once: where the cause knows it, the general cure of a failed run has nothing to add. */
function optionsFor(error: unknown): KilterErrorOptions {
  return error instanceof KilterError
    ? { cause: error, cure: error.cure, shownCode: error.code }
    : { cause: error ?? undefined };
}

/**
 * What a user's code threw, for logs, metrics and the journal, with where it was thrown. The original is its `cause`, and
 * predicates look through it.
 */
export class ReconcileError extends KilterError {
  override readonly name: string = 'ReconcileError';
  readonly controller: string;
  readonly key: string;
  readonly reconcileID: string;

  constructor(error: unknown, { controller, key, reconcileID }: RunIdentity) {
    super('RECONCILE_FAILED', `${controller} ${key}: ${inWordsWithCauses(error)}`, optionsFor(error));
    this.controller = controller;
    this.key = key;
    this.reconcileID = reconcileID;
  }
}
