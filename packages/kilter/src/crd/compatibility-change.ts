/** How severe a change is, from harmless to impossible. */
export type CompatibilityVerdict = 'safe' | 'visible' | 'warning' | 'breaking' | 'refused';

/** One difference between two CustomResourceDefinitions. */
export interface CompatibilityChange {
  /** For example `spec.image` for the objects of a version, or `names.kind` for the definition itself. */
  readonly path: string;
  /** The version whose objects the path refers to. */
  readonly version?: string | undefined;
  readonly verdict: CompatibilityVerdict;
  /** The contract statement behind the verdict. */
  readonly statement: `CRD-K${number}`;
  readonly what: string;
  /** `undefined` if there was nothing. */
  readonly before: unknown;
  readonly after: unknown;
  readonly cure?: string | undefined;
  /** The reason given by the waiver that allows it. */
  readonly waived?: string | undefined;
}

/** A verdict with its statement and its remedy, to which a place and two values are added. */
export type Judgement = Pick<CompatibilityChange, 'verdict' | 'statement' | 'what' | 'cure'>;

export const judgements = {
  added: (what: string): Judgement => ({ verdict: 'safe', statement: 'CRD-K1', what }),
  loosened: (what: string): Judgement => ({ verdict: 'safe', statement: 'CRD-K1', what }),
  visible: (what: string): Judgement => ({
    verdict: 'visible',
    statement: 'CRD-K2',
    what,
    cure: 'make sure that readers of older objects expect it',
  }),
  tightened: (what: string): Judgement => ({
    verdict: 'warning',
    statement: 'CRD-K3',
    what,
    cure: 'unchanged old values stay valid; whoever changes one must satisfy it',
  }),
  breaking: (statement: 'CRD-K4' | 'CRD-K5' | 'CRD-K6' | 'CRD-K7', what: string, cure?: string): Judgement => ({
    verdict: 'breaking',
    statement,
    what,
    cure,
  }),
  refused: (what: string, cure?: string): Judgement => ({ verdict: 'refused', statement: 'CRD-K8', what, cure }),
} as const;
