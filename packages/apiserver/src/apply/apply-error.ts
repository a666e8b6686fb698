/** One field that another manager owns with another value. */
export interface Conflict {
  /** The other manager as messages name it: `"m1"`, `"m2" with subresource "status" using apps/v1`. */
  readonly manager: string;
  /** `.spec.env[name="A"].value` */
  readonly field: string;
}

export type ApplyProblem =
  /** The configuration does not fit the schema. */
  | { readonly kind: 'typing' }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }
  /** The request itself is wrong. */
  | { readonly kind: 'invalid' };

/** Why an apply was refused; the message is that of the Status a client gets. */
export class ApplyError extends Error {
  override readonly name = 'ApplyError';
  readonly problem: ApplyProblem;

  constructor(message: string, problem: ApplyProblem) {
    super(message);
    this.problem = problem;
  }

  get kind(): ApplyProblem['kind'] {
    return this.problem.kind;
  }

  get conflicts(): readonly Conflict[] {
    return this.problem.kind === 'conflict' ? this.problem.conflicts : [];
  }

  /** The causes of the Status: one for each conflict. */
  get causes(): { reason: string; message: string; field: string }[] {
    return this.conflicts.map(({ manager, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${manager}`,
      field,
    }));
  }
}
