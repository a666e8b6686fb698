import type { Draft, FieldPath, Kind, KubeObject } from '../api/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

export interface Review<T extends KubeObject, Op extends Operation = Operation> {
  readonly operation: Op;
  readonly old: Op extends 'CREATE' ? undefined : T;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Refuses the request; may be called several times. */
  deny<P extends string>(field: FieldPath<T, P>, message: string): void;
  deny(message: string): void;
  warn(message: string): void;
}
/** One member per operation, so that `review.operation === 'UPDATE'` narrows `review.old`. */
export type ReviewOf<T extends KubeObject, Op extends Operation> = Op extends unknown ? Review<T, Op> : never;

export interface WebhookOptions<Op extends Operation> {
  /** Default: CREATE and UPDATE. */
  on?: readonly Op[];
  /** What the API server does when the webhook cannot be reached. Default: 'Fail'. */
  failurePolicy?: 'Fail' | 'Ignore';
  /** Default: '10s'. */
  timeout?: `${number}s`;
}

/** A webhook as data, for `operator({ webhooks: [...] })`. */
export interface Webhook {
  readonly type: 'mutating' | 'validating';
  readonly kind: Kind;
  readonly options: WebhookOptions<Operation>;
  readonly run: (object: KubeObject, review: Review<KubeObject>) => void | Promise<void>;
}

type Mutate<T extends KubeObject, Op extends Operation> = (
  object: Draft<T>,
  review: ReviewOf<T, Op>,
) => void | Promise<void>;
type Validate<T extends KubeObject, Op extends Operation> = (
  object: T,
  review: ReviewOf<T, Op>,
) => void | Promise<void>;

type Given = readonly [WebhookOptions<Operation>, Webhook['run']] | readonly [Webhook['run']];

function declaration(type: Webhook['type'], kind: Kind, given: Given): Webhook {
  return given.length === 1
    ? { type, kind, options: {}, run: given[0] }
    : { type, kind, options: given[0], run: given[1] };
}

export function mutating<T extends KubeObject>(kind: Kind<T>, run: Mutate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function mutating<T extends KubeObject, const Op extends Operation = 'CREATE' | 'UPDATE'>(
  kind: Kind<T>,
  options: WebhookOptions<Op>,
  run: Mutate<T, Op>,
): Webhook;
export function mutating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('mutating', kind, given as unknown as Given);
}

export function validating<T extends KubeObject>(kind: Kind<T>, run: Validate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function validating<T extends KubeObject, const Op extends Operation = 'CREATE' | 'UPDATE'>(
  kind: Kind<T>,
  options: WebhookOptions<Op>,
  run: Validate<T, Op>,
): Webhook;
export function validating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('validating', kind, given as unknown as Given);
}
