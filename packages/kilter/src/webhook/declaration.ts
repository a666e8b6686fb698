import type { Draft, FieldPath, Kind, KubeObject, Labels } from '../api/index.ts';
import type { SubresourceBody } from '../client/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** Who sent a request. */
export interface RequestUser {
  readonly name: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  /** What the authenticator knows beside: by name, texts. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** One request to the API server, and how a webhook can respond to it. */
export interface Review<T extends KubeObject, Op extends Operation = Operation> {
  readonly operation: Op;
  /** The stored object. A private copy: changing it has no effect. */
  readonly old: Op extends 'CREATE' ? undefined : T;
  readonly user: RequestUser;
  /** Nothing will be stored: a webhook with side effects must skip them. */
  readonly dryRun: boolean;
  /** The options of the request: `fieldManager`, `propagationPolicy`, … */
  readonly options: Readonly<Record<string, unknown>>;
  /** Also known if the object has none yet, such as one with `generateName`. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** Aborts when the API server no longer waits. */
  readonly signal: AbortSignal;
  /**
   * Refuses the request; may be called several times. With a field, it is reported as the server reports invalid
   * fields.
   */
  readonly deny: {
    <P extends string>(field: FieldPath<T, P>, message: string): void;
    (message: string): void;
  };
  /** Sends a warning to the client, whether or not the request succeeds. */
  readonly warn: (message: string) => void;
}
/** One member per operation, so that `review.operation === 'UPDATE'` narrows `review.old`. */
export type ReviewOf<T extends KubeObject, Op extends Operation> = Op extends unknown ? Review<T, Op> : never;

/** The options of one webhook: which requests it gets, and what happens if it does not answer. */
export interface WebhookOptions<Op extends Operation, S extends string = string> {
  /** The operations it is called for. Default: CREATE and UPDATE. DELETE only for `validating`. */
  on?: readonly Op[];
  /**
   * Called for a subresource instead of the object: `status`, `scale`, `eviction`, …; the function gets what is sent to
   * it. Default: none, the object itself.
   */
  subresource?: S;
  /**
   * What the API server does when the webhook cannot be reached or does not answer in time. Default: 'Fail'. Use
   * 'Ignore' if letting a request through unchecked does less harm than refusing it, as with kinds that the cluster
   * itself depends on.
   */
  failurePolicy?: 'Fail' | 'Ignore';
  /**
   * How long the API server waits, '1s' to '30s'. Default: '10s'. Every matching request waits for the webhook: keep it
   * low.
   */
  timeout?: `${number}s`;
  /**
   * Whether the function changes anything besides the object. Default: 'None'. Use 'NoneOnDryRun' if it does and
   * respects `review.dryRun`.
   */
  sideEffects?: 'None' | 'NoneOnDryRun';
  /** CEL expressions by name, all of which must be true for the webhook to be called. Default: none. */
  matchConditions?: Readonly<Record<string, string>>;
  /**
   * Labels of the namespaces whose requests it is called for. Default: all. Set it for built-in kinds, to exclude at
   * least the operator's own namespace; otherwise the operator cannot be started again once it is down.
   */
  namespaceSelector?: Labels;
  /** Labels of the objects, old or new, that it is called for. Default: all. */
  objectSelector?: Labels;
  /**
   * Whether it is also called for requests in other versions of the kind, with the object in this version. Default:
   * 'Equivalent'. Use 'Exact' if each version has its own webhook.
   */
  matchPolicy?: 'Equivalent' | 'Exact';
  /** For `mutating`: whether it is called again when a later webhook changed the object. Default: 'Never'. */
  reinvocation?: 'Never' | 'IfNeeded';
  /**
   * Where it is served. Default: `/mutate-…` or `/validate-…` with group, version and kind. Required for a second
   * webhook of the same kind.
   */
  path?: `/${string}`;
}

/** A webhook as data, for `operator({ webhooks: [...] })`. */
export interface Webhook {
  readonly type: 'mutating' | 'validating';
  readonly kind: Kind;
  readonly options: WebhookOptions<Operation>;
  readonly run: (object: KubeObject, review: Review<KubeObject>) => void | Promise<void>;
}

/** What a function is given: the object, or what is sent to its subresource. */
type Sent<T extends KubeObject, S extends string> = string extends S ? T : SubresourceBody<T, S>;

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

/** Changes objects before they are stored: assign to the draft; the changes are sent as a patch. */
export function mutating<T extends KubeObject>(kind: Kind<T>, run: Mutate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function mutating<
  T extends KubeObject,
  const Op extends Exclude<Operation, 'DELETE'> = 'CREATE' | 'UPDATE',
  const S extends string = string,
>(kind: Kind<T>, options: WebhookOptions<Op, S>, run: Mutate<Sent<T, S>, Op>): Webhook;
export function mutating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('mutating', kind, given as unknown as Given);
}

/**
 * Refuses what the schema cannot: `review.deny(field, message)`. On DELETE it gets the object that would be deleted.
 */
export function validating<T extends KubeObject>(kind: Kind<T>, run: Validate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function validating<
  T extends KubeObject,
  const Op extends Operation = 'CREATE' | 'UPDATE',
  const S extends string = string,
>(kind: Kind<T>, options: WebhookOptions<Op, S>, run: Validate<Sent<T, S>, Op>): Webhook;
export function validating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('validating', kind, given as unknown as Given);
}
