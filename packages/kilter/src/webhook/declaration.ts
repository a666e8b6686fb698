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

/** One request to the API server, and what a webhook can say of it. */
export interface Review<T extends KubeObject, Op extends Operation = Operation> {
  readonly operation: Op;
  /** What is stored. Private: changing it changes nothing. */
  readonly old: Op extends 'CREATE' ? undefined : T;
  readonly user: RequestUser;
  /** Nothing will be stored: a webhook with effects leaves them out. */
  readonly dryRun: boolean;
  /** The options of the request: `fieldManager`, `propagationPolicy`, … */
  readonly options: Readonly<Record<string, unknown>>;
  /** Known also where the object has none yet, as one with `generateName`. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** Aborts when the API server waits no more. */
  readonly signal: AbortSignal;
  /** Refuses the request; may be called several times. With a field it is told as the server tells of invalid fields. */
  readonly deny: {
    <P extends string>(field: FieldPath<T, P>, message: string): void;
    (message: string): void;
  };
  /** Told to whoever sent the request, whatever becomes of it. */
  readonly warn: (message: string) => void;
}
/** One member per operation, so that `review.operation === 'UPDATE'` narrows `review.old`. */
export type ReviewOf<T extends KubeObject, Op extends Operation> = Op extends unknown ? Review<T, Op> : never;

/** Of one webhook: what it is asked about, and what follows where it does not answer. */
export interface WebhookOptions<Op extends Operation, S extends string = string> {
  /** Which requests are asked about. Default: CREATE and UPDATE. DELETE only for `validating`. */
  on?: readonly Op[];
  /**
   * Asks about a subresource instead of the object: `status`, `scale`, `eviction`, …; the function gets what is sent to it.
   * Default: none, the object itself.
   */
  subresource?: S;
  /**
   * What the API server does when the webhook cannot be reached or does not answer in time. Default: 'Fail'. 'Ignore' where
   * letting a request pass unseen does less harm than refusing it, as for kinds that the cluster itself depends on.
   */
  failurePolicy?: 'Fail' | 'Ignore';
  /** How long the API server waits, '1s' to '30s'. Default: '10s'. Every matching request waits for it: keep it low. */
  timeout?: `${number}s`;
  /**
   * Whether the function changes anything beside the object. Default: 'None'. 'NoneOnDryRun' where it does, and heeds
   * `review.dryRun`.
   */
  sideEffects?: 'None' | 'NoneOnDryRun';
  /** CEL expressions by name, all of which must be true for a request to be asked about. Default: none. */
  matchConditions?: Readonly<Record<string, string>>;
  /**
   * Labels of the namespaces whose requests are asked about. Default: all. To be set for built-in kinds: without the operator's own
   * namespace, at the least, or nobody can start it once it is down.
   */
  namespaceSelector?: Labels;
  /** Labels of the objects, old or new, that are asked about. Default: all. */
  objectSelector?: Labels;
  /**
   * Whether requests in other versions of the kind are asked about too, with the object in this version. Default:
   * 'Equivalent'. 'Exact' where each version has a webhook of its own.
   */
  matchPolicy?: 'Equivalent' | 'Exact';
  /** Of `mutating`: asked again when a later webhook changed the object. Default: 'Never'. */
  reinvocation?: 'Never' | 'IfNeeded';
  /** Where it is served. Default: `/mutate-…` or `/validate-…` with group, version and kind. To be given for a second one of a kind. */
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

/** Changes objects before they are stored: assign to the draft; what changed is answered as a patch. */
export function mutating<T extends KubeObject>(kind: Kind<T>, run: Mutate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function mutating<
  T extends KubeObject,
  const Op extends Exclude<Operation, 'DELETE'> = 'CREATE' | 'UPDATE',
  const S extends string = string,
>(kind: Kind<T>, options: WebhookOptions<Op, S>, run: Mutate<Sent<T, S>, Op>): Webhook;
export function mutating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('mutating', kind, given as unknown as Given);
}

/** Refuses what the schema cannot: `review.deny(field, message)`. On DELETE the object is the one that would go. */
export function validating<T extends KubeObject>(kind: Kind<T>, run: Validate<T, 'CREATE' | 'UPDATE'>): Webhook;
export function validating<
  T extends KubeObject,
  const Op extends Operation = 'CREATE' | 'UPDATE',
  const S extends string = string,
>(kind: Kind<T>, options: WebhookOptions<Op, S>, run: Validate<Sent<T, S>, Op>): Webhook;
export function validating(kind: Kind, ...given: unknown[]): Webhook {
  return declaration('validating', kind, given as unknown as Given);
}
