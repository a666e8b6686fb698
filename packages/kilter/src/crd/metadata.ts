import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';

/** One entry of `x-kubernetes-validations`. */
export interface Rule {
  readonly rule: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: RuleReason | undefined;
  /** Relative to the location of the rule, such as `.image`. */
  readonly fieldPath?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
}
/** The reason that clients see when a rule refuses an object. */
export type RuleReason = 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
/** The options of one rule: reason, path, whether it also runs without an old value. */
export type RuleOptions = Omit<Rule, 'rule' | 'message'>;
/** What `rule` puts into `.meta()`. */
export type RuleMetadata = { readonly [key: `x-kilter-rule:${string}`]: Rule };

/** Fields of which some number must be set. */
export interface OneOf {
  readonly bound: 'atMost' | 'exactly' | 'atLeast';
  readonly fields: readonly string[];
}
type OneOfMetadata = { readonly [key: `x-kilter-one-of:${string}`]: OneOf };

export const ruleKey = 'x-kilter-rule:';
export const oneOfKey = 'x-kilter-one-of:';
export const immutableKey = 'x-kilter-immutable';
export const matchedByKey = 'x-kilter-matched-by';
export const quantityKey = 'x-kilter-quantity';
export const durationKey = 'x-kilter-duration';

const ruleOptions: OptionNames<RuleOptions> = {
  messageExpression: true,
  reason: true,
  fieldPath: true,
  optionalOldSelf: true,
};

/**
 * A CEL rule for the schema it is put on: `z.object({…}).meta(rule('self.a < self.b', 'a is below b'))`.
 *
 * Each rule has its own key, because `.meta()` merges by key and the later call wins. Call it last: `.extend()`,
 * `.pick()`, `.omit()`, `.partial()` and the like drop the metadata of an object.
 */
export function rule(cel: string, message?: string, options: RuleOptions = {}): RuleMetadata {
  const [mistake] = optionMistakes('rule()', options, ruleOptions);
  if (mistake !== undefined) throw new KilterError('CRD_RULE_INVALID', mistake);
  const entry: Rule = { rule: cel, ...(message !== undefined && { message }), ...options };
  return { [`${ruleKey}${JSON.stringify([cel, message ?? ''])}`]: entry };
}

/** The path of a column that shows a condition: `True`, `False` or `Unknown`. */
export function condition(type: string): `.status.conditions[?(@.type=="${string}")].status` {
  return `.status.conditions[?(@.type=="${type}")].status`;
}

/** A list whose items are identified by these fields: apply merges it item by item. */
export function listMap(...keys: [string, ...string[]]): {
  readonly 'x-kubernetes-list-type': 'map';
  readonly 'x-kubernetes-list-map-keys': string[];
} {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

/** A list of distinct values: apply adds and removes single values. */
export function listSet(): { readonly 'x-kubernetes-list-type': 'set' } {
  return { 'x-kubernetes-list-type': 'set' };
}

/**
 * The fields by which conversions match the items of a list that has no keys on the server: data that an older version
 * does not show is restored to the item with the same values in these fields. Items with equal values cannot be told
 * apart, and lose that data when one of them changes.
 */
export function matchedBy(...keys: [string, ...string[]]): { readonly [matchedByKey]: string[] } {
  return { [matchedByKey]: keys };
}

/** A list that is replaced as a whole, which is also the default. */
export function listAtomic(): { readonly 'x-kubernetes-list-type': 'atomic' } {
  return { 'x-kubernetes-list-type': 'atomic' };
}

/** An object or record that is replaced as a whole. */
export function atomic(): { readonly 'x-kubernetes-map-type': 'atomic' } {
  return { 'x-kubernetes-map-type': 'atomic' };
}

/** How many entries a record may have. */
export function entries({ min, max }: { min?: number | undefined; max?: number | undefined }): {
  readonly minProperties?: number;
  readonly maxProperties?: number;
} {
  return { ...(min !== undefined && { minProperties: min }), ...(max !== undefined && { maxProperties: max }) };
}

/** A Kubernetes quantity (`500m`, `1Gi`, `3`), on `z.union([z.int(), z.string()])`. */
export function quantity(): { readonly [quantityKey]: true } {
  return { [quantityKey]: true };
}

/** A Go duration (`1h30m`), on `z.string()`. */
export function duration(): { readonly [durationKey]: true } {
  return { [durationKey]: true };
}

/** A whole Kubernetes object as a field, on `z.looseObject({…})` or `z.any()`. */
export function embedded(): { readonly 'x-kubernetes-embedded-resource': true } {
  return { 'x-kubernetes-embedded-resource': true };
}

/** A value that cannot change once it is set. */
export function immutable(): { readonly [immutableKey]: true } {
  return { [immutableKey]: true };
}

function oneOf(bound: OneOf['bound'], fields: readonly string[]): OneOfMetadata {
  return { [`${oneOfKey}${JSON.stringify([bound, ...fields])}`]: { bound, fields } };
}

/** At most one of these optional fields is set. */
export function atMostOneOf(...fields: [string, string, ...string[]]): OneOfMetadata {
  return oneOf('atMost', fields);
}

/** Exactly one of these optional fields is set. */
export function exactlyOneOf(...fields: [string, string, ...string[]]): OneOfMetadata {
  return oneOf('exactly', fields);
}

/** At least one of these optional fields is set. */
export function atLeastOneOf(...fields: [string, string, ...string[]]): OneOfMetadata {
  return oneOf('atLeast', fields);
}
