/**
 * What is wrong with a patch, as far as the answer depends on it: `malformed` is not a patch at all (400), `too-large`
 * asks for too much (413), `inapplicable` does not fit the document (422), and `contradictory` is what the server
 * reports as its own failure, though it is the patch's (500).
 */
export type PatchFailure = 'malformed' | 'too-large' | 'inapplicable' | 'contradictory';

/** A patch that cannot be applied; the document is as it was. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly failure: PatchFailure;

  constructor(failure: PatchFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
