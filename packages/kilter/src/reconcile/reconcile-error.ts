import { hasCode, inWords, KilterError } from '../errors/index.ts';

export interface RunIdentity {
  readonly controller: string;
  readonly key: string;
  readonly reconcileID: string;
}

/** A verdict is not retried: the table's general cure would say otherwise. */
function cureFor(error: unknown): string | undefined {
  return hasCode(error, 'RECONCILE_TERMINAL')
    ? 'see the cause; the next change of the object runs it again'
    : undefined;
}

/** What a user's code threw, with where it was thrown; the original is its `cause`, and predicates look through it. */
export class ReconcileError extends KilterError {
  override readonly name: string = 'ReconcileError';
  readonly controller: string;
  readonly key: string;
  readonly reconcileID: string;

  constructor(error: unknown, { controller, key, reconcileID }: RunIdentity) {
    super('RECONCILE_FAILED', `${controller} ${key}: ${inWords(error)}`, { cause: error, cure: cureFor(error) });
    this.controller = controller;
    this.key = key;
    this.reconcileID = reconcileID;
  }
}
