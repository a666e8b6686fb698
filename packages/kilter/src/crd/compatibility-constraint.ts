import { deepEqual } from '../internal/index.ts';
import type { JSONSchemaProps, ValidationRule } from '../k8s/apiextensions/v1.ts';
import { type Judgement, judgements } from './compatibility-change.ts';

const { loosened, tightened, visible } = judgements;

/** A judgement of one keyword, with its values. */
export interface Judged extends Judgement {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What two schemas of one place demand of a value, keyword by keyword. */
export function constraintChanges(before: JSONSchemaProps, after: JSONSchemaProps): Judged[] {
  return [
    ...bounds(before, after),
    ...patterns(before, after),
    ...texts(before, after),
    ...enumeration(before, after),
    ...junctors(withoutPatterns(before), withoutPatterns(after)),
    ...rules(before['x-kubernetes-validations'] ?? [], after['x-kubernetes-validations'] ?? []),
  ];
}

type Limit = readonly [number, number];

/** The lower a bound of `min…` sorts, the looser it is: an exclusive one stands just above its number. */
function limitOf(schema: JSONSchemaProps, key: (typeof limits)[number]): Limit | undefined {
  const value = schema[key];
  // No length is below zero, so a minimum of zero says nothing.
  if (typeof value !== 'number' || (value === 0 && /^min[A-Z]/.test(key))) return undefined;
  const isExclusive =
    (key === 'minimum' && schema.exclusiveMinimum === true) || (key === 'maximum' && schema.exclusiveMaximum === true);
  if (isExclusive && schema.type === 'integer' && Number.isInteger(value))
    return [key === 'minimum' ? value + 1 : value - 1, 0];
  return [value, isExclusive ? 1 : 0];
}

const limits = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

function bounds(before: JSONSchemaProps, after: JSONSchemaProps): Judged[] {
  return limits.flatMap((key) => {
    const [old, now] = [limitOf(before, key), limitOf(after, key)];
    if (deepEqual(old, now)) return [];
    const values = { key, before: shown(old), after: shown(now) };
    return [{ ...(isTighter(key, old, now) ? tightened(`${key} tightened`) : loosened(`${key} loosened`)), ...values }];
  });
}

function isTighter(key: string, old: Limit | undefined, now: Limit | undefined): boolean {
  if (now === undefined) return false;
  if (old === undefined) return true;
  const [difference, flags] = [now[0] - old[0], now[1] - old[1]];
  return (key.startsWith('min') ? difference : -difference) > 0 || (difference === 0 && flags > 0);
}

function shown(limit: Limit | undefined): unknown {
  return limit === undefined ? undefined : limit[1] === 1 ? `${limit[0]}, exclusive` : limit[0];
}

/** All patterns of a place: one is at it, several below `allOf`. */
function patternsIn({ pattern, allOf = [] }: JSONSchemaProps): string[] {
  const all = [pattern, ...allOf.filter(isPattern).map((part) => part.pattern)];
  return all.filter((text) => text !== undefined);
}

function isPattern(part: JSONSchemaProps): boolean {
  return part.pattern !== undefined && Object.keys(part).length === 1;
}

function withoutPatterns({ allOf = [], ...schema }: JSONSchemaProps): JSONSchemaProps {
  const others = allOf.filter((part) => !isPattern(part));
  return others.length === 0 ? schema : { ...schema, allOf: others };
}

/** Patterns cannot be compared: another one is a tighter one. */
function patterns(before: JSONSchemaProps, after: JSONSchemaProps): Judged[] {
  const [old, now] = [patternsIn(before), patternsIn(after)];
  if (deepEqual(old.toSorted(), now.toSorted())) return [];
  const isLooser = now.every((text) => old.includes(text));
  const values = { key: 'pattern', before: shownTexts(old), after: shownTexts(now) };
  return [{ ...(isLooser ? loosened('pattern loosened') : tightened('pattern changed')), ...values }];
}

function shownTexts(texts: readonly string[]): unknown {
  return texts.length > 1 ? texts : texts[0];
}

/** Formats cannot be compared either, but for a wider integer. */
function texts(before: JSONSchemaProps, after: JSONSchemaProps): Judged[] {
  return (['format', 'multipleOf'] as const).flatMap((key) => {
    const [old, now] = [before[key], after[key]];
    if (old === now) return [];
    const isWider =
      now === undefined ||
      (old === 'int32' && now === 'int64') ||
      (typeof old === 'number' && typeof now === 'number' && old % now === 0) ||
      (key === 'format' && old === undefined && now === 'int64');
    const values = { key, before: old, after: now };
    return [{ ...(isWider ? loosened(`${key} loosened`) : tightened(`${key} changed`)), ...values }];
  });
}

function enumeration({ enum: old }: JSONSchemaProps, { enum: now }: JSONSchemaProps): Judged[] {
  if (deepEqual(old, now)) return [];
  const values = { key: 'enum', before: old, after: now };
  const lacks = (list: readonly unknown[] | undefined, value: unknown): boolean =>
    list !== undefined && !list.some((other) => deepEqual(other, value));
  const removed = now !== undefined && (old === undefined || old.some((value) => lacks(now, value)));
  const added = old !== undefined && (now === undefined || now.some((value) => lacks(old, value)));
  return [
    ...(removed ? [{ ...tightened(old === undefined ? 'enum added' : 'enum value removed'), ...values }] : []),
    ...(added ? [{ ...visible(now === undefined ? 'enum removed' : 'enum value added'), ...values }] : []),
  ];
}

/** More alternatives or fewer demands are looser; anything else may be tighter. */
function junctors(before: JSONSchemaProps, after: JSONSchemaProps): Judged[] {
  return (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) => {
    const [old = [], now = []] = [before[key], after[key]];
    if (deepEqual(old, now)) return [];
    const hasAll = (outer: readonly unknown[], inner: readonly unknown[]): boolean =>
      inner.every((part) => outer.some((other) => deepEqual(other, part)));
    const isLooser =
      now.length === 0 ||
      (key === 'anyOf' && old.length > 0 && hasAll(now, old)) ||
      (key === 'allOf' && hasAll(old, now));
    const values = { key, before: before[key], after: after[key] };
    if (key === 'oneOf' && old.length > 0 && hasAll(now, old) && excludeEachOther(now))
      return [{ ...visible('branch of a union added'), ...values }];
    return [{ ...(isLooser ? loosened(`${key} loosened`) : tightened(`${key} changed`)), ...values }];
  });
}

/** Whether no value fits two branches: each requires one field, with values of its own. */
function excludeEachOther(branches: readonly JSONSchemaProps[]): boolean {
  const names = branches[0]?.required ?? [];
  return names.some((name) => {
    const enums = branches.map(({ required = [], properties }) =>
      required.includes(name) ? properties?.[name]?.enum : undefined,
    );
    const all = enums.flatMap((values) => values ?? []);
    return !enums.includes(undefined) && new Set(all).size === all.length;
  });
}

/** The server knows a rule by its text: another message is not another rule. */
function rules(before: readonly ValidationRule[], after: readonly ValidationRule[]): Judged[] {
  const texts = (list: readonly ValidationRule[]): string[] => list.map(({ rule }) => rule);
  const [old, now] = [texts(before), texts(after)];
  const key = 'x-kubernetes-validations';
  const runsOnCreate = (list: readonly ValidationRule[], rule: string): boolean =>
    list.some((other) => other.rule === rule && other.optionalOldSelf === true);
  return [
    ...now
      .filter((rule) => old.includes(rule) && runsOnCreate(before, rule) !== runsOnCreate(after, rule))
      .map((rule) => ({
        ...(runsOnCreate(after, rule) ? tightened('rule runs on create too') : loosened('rule runs on update only')),
        key,
        before: rule,
        after: rule,
      })),
    ...now
      .filter((rule) => !old.includes(rule))
      .map((rule) => ({ ...tightened('rule added'), key, before: undefined, after: rule })),
    ...old
      .filter((rule) => !now.includes(rule))
      .map((rule) => ({ ...loosened('rule removed'), key, before: rule, after: undefined })),
  ];
}
