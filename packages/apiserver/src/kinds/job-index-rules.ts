// The rules of Jobs whose pods have numbers: how many, how many may fail, and which of them are enough.
import type { Json, JsonObject } from 'kilter/api';
import { invalidValue, negative, required, tooLong, tooMany, unsupported } from '../status/index.ts';
import { isSet, type Issue, objectIfIn, objectsIn, quote, textOf } from '../values/index.ts';

const modes = ['NonIndexed', 'Indexed'];
const mostIndexed = 100_000;
const mostOfMany = 10_000;

const atMost = (field: string, value: Json | undefined, [most, when = '']: readonly [number, string?]): Issue[] =>
  typeof value === 'number' && value > most
    ? [invalidValue(field, value, `must be less than or equal to ${most}${when}`)]
    : [];

/** Of so many that each index fails for itself, only few at once. */
function manyIssues(spec: JsonObject, path: string): Issue[] {
  const { completions, parallelism, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (typeof completions !== 'number' || completions <= mostIndexed || !isSet(backoffLimitPerIndex)) return [];
  const needed = `must be specified when completions is above ${mostIndexed}`;
  const when = ` when completions are above ${mostIndexed} and used with backoff limit per index`;
  return [
    ...(isSet(maxFailedIndexes) ? [] : [required(`${path}.maxFailedIndexes`, needed)]),
    ...atMost(`${path}.parallelism`, parallelism, [mostOfMany, when]),
    ...atMost(`${path}.maxFailedIndexes`, maxFailedIndexes, [mostOfMany, when]),
  ];
}

function indexedIssues(spec: JsonObject, path: string): Issue[] {
  const { completions, parallelism, maxFailedIndexes } = spec;
  const failed = `${path}.maxFailedIndexes`;
  const more =
    typeof completions === 'number' && typeof maxFailedIndexes === 'number' && maxFailedIndexes > completions;
  return [
    ...(isSet(completions) ? [] : [required(`${path}.completions`, 'when completion mode is Indexed')]),
    ...atMost(`${path}.parallelism`, parallelism, [mostIndexed, ' when completion mode is Indexed']),
    ...(more ? [invalidValue(failed, maxFailedIndexes, 'must be less than or equal to completions')] : []),
    ...atMost(failed, maxFailedIndexes, [mostIndexed]),
    ...manyIssues(spec, path),
  ];
}

export function indexIssues(spec: JsonObject, path: string): Issue[] {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const needless = 'requires indexed completion mode';
  const plain = mode === 'NonIndexed' || !isSet(mode);
  return [
    ...(isSet(maxFailedIndexes) && !isSet(backoffLimitPerIndex)
      ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]
      : []),
    ...(isSet(mode) && !modes.includes(textOf(mode)) ? [unsupported(`${path}.completionMode`, mode, modes)] : []),
    ...(mode === 'Indexed' ? indexedIssues(spec, path) : []),
    ...['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((field) =>
      plain && isSet(spec[field]) ? [invalidValue(`${path}.${field}`, spec[field] ?? null, needless)] : [],
    ),
  ];
}

interface Interval {
  readonly first: number;
  readonly last: number;
}

function numberOf(text: string, completions: number): number | string {
  if (!/^[+-]?\d+$/.test(text)) return `cannot convert string to integer for index: ${quote(text)}`;
  return Number(text) >= completions ? `too large index: ${quote(text)}` : Number(text);
}

const falling = (before: number, now: number): string => `non-increasing order, previous: ${before}, current: ${now}`;

function intervalIn(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
  if (parts.length > 2) return `the fragment ${quote(text)} ${rule}`;
  const first = numberOf(parts[0] ?? '', completions);
  if (typeof first === 'string') return first;
  const last = parts[1] === undefined ? first : numberOf(parts[1], completions);
  if (typeof last === 'string') return last;
  return parts.length > 1 && first >= last ? falling(first, last) : { first, last };
}

/** How many indexes `1,3-5` names; why it names none. */
function indexesIn(text: string, completions: number): number | string {
  let [total, before] = [0, -Infinity];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = intervalIn(part, completions);
    if (typeof interval === 'string') return interval;
    if (before >= interval.first) return falling(before, interval.first);
    total += interval.last - interval.first + 1;
    before = interval.last;
  }
  return total;
}

const longestIndexes = 65_536;

function successRuleIssues(rule: JsonObject, at: string, completions: number): Issue[] {
  const { succeededCount: count, succeededIndexes } = rule;
  const needed = 'at least one of succeededCount or succeededIndexes must be specified';
  if (!isSet(count) && !isSet(succeededIndexes)) return [required(at, needed)];
  const field = `${at}.succeededIndexes`;
  const text = textOf(succeededIndexes ?? '');
  const indexes = isSet(succeededIndexes) ? indexesIn(text, completions) : Infinity;
  const named = typeof indexes === 'number' ? indexes : 0;
  const inField = ` (the number of indexes in the specified succeededIndexes field)`;
  return [
    ...(text.length > longestIndexes ? [tooLong(field, longestIndexes)] : []),
    ...(typeof indexes === 'string' ? [invalidValue(field, text, `error parsing succeededIndexes: ${indexes}`)] : []),
    ...negative(`${at}.succeededCount`, count),
    ...atMost(`${at}.succeededCount`, count, [completions, ' (the number of specified completions)']),
    ...atMost(`${at}.succeededCount`, count, [named, inField]),
  ];
}

const mostRules = 20;

export function successIssues(spec: JsonObject, path: string): Issue[] {
  const policy = objectIfIn(spec, 'successPolicy');
  if (policy === undefined) return [];
  const at = `${path}.successPolicy`;
  if (spec['completionMode'] !== 'Indexed') {
    return [invalidValue(at, { Rules: policy['rules'] ?? null }, 'requires indexed completion mode')];
  }
  // Without completions the real server breaks the connection: here only their absence is reported.
  const completions = typeof spec['completions'] === 'number' ? spec['completions'] : Infinity;
  const rules = objectsIn(policy, 'rules');
  return [
    ...(rules.length === 0
      ? [required(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > mostRules ? [tooMany(`${at}.rules`, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => successRuleIssues(rule, `${at}.rules[${index}]`, completions)),
  ];
}
