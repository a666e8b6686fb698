import type { Answers, At, Claim, Condition, Json } from './case.ts';

export const keysOf = (at: At): readonly string[] => (typeof at === 'string' ? at.split('.') : at);

export const textOf = (at: At): string => keysOf(at).join('.');

/** The item of a list that `[metadata.name=a]` means, or whose place it is. */
function itemOf(list: readonly Json[], key: string): Json | undefined {
  const [, at, wanted] = /^\[([^=]+)=(.*)\]$/.exec(key) ?? [];
  return at === undefined ? list.at(Number(key)) : list.find((item) => valueAt(item, at) === wanted);
}

/** The value at a place, or undefined. A number walks into a list; -1 is its last item, `[kind=Pod]` the first such. */
export function valueAt(root: Json | Answers | undefined, at: At): Json | undefined {
  let value = root as Json | undefined;
  for (const key of keysOf(at)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Array.isArray(value) ? itemOf(value, key) : (value as { readonly [key: string]: Json })[key];
  }
  return value;
}

export const isEqual = (a: Json | undefined, b: Json | undefined): boolean => canonical(a) === canonical(b);

/** JSON with sorted keys: equal values have equal texts. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

const asText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');

function contains(value: Json | undefined, part: Json): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part);
  if (Array.isArray(value)) return value.some((item) => isEqual(item, part) || contains(item, part));
  if (typeof value !== 'object' || value === null || typeof part !== 'object' || part === null) return false;
  return Object.entries(part).every(([key, field]) => isEqual((value as Record<string, Json>)[key], field));
}

/** Undefined when the condition holds, else what exists instead. */
export function unmet(condition: Condition, answers: Answers): string | undefined {
  const value = valueAt(answers, condition.at);
  const found = `${textOf(condition.at)} is ${asText(value).slice(0, 500)}`;
  if ('is' in condition) return isEqual(value, condition.is) ? undefined : found;
  if ('present' in condition) return (value !== undefined) === condition.present ? undefined : found;
  if ('matches' in condition) return new RegExp(condition.matches).test(asText(value)) ? undefined : found;
  return contains(value, condition.contains) ? undefined : found;
}

/** What is not an integer is below all. */
const integerIn = (value: Json | undefined): string => (/^\d+$/.test(asText(value)) ? asText(value) : '-1');

const numberAt = (answers: Answers, at: At | number): bigint =>
  BigInt(typeof at === 'number' ? at : integerIn(valueAt(answers, at)));

function isInOrder(value: Json | undefined, wanted: readonly string[]): boolean {
  const all = Array.isArray(value) ? value.map(asText) : Object.keys(value ?? {});
  const places = wanted.map((key) => all.indexOf(key));
  return places.every((place, index) => place >= 0 && (index === 0 || place > (places[index - 1] ?? 0)));
}

function holds(claim: Claim, answers: Answers): boolean {
  const value = valueAt(answers, claim.at);
  if ('isNot' in claim) return !isEqual(value, claim.isNot);
  if ('length' in claim) {
    if (value === undefined || value === null) return false;
    return (typeof value === 'string' ? value.length : Object.keys(value).length) === claim.length;
  }
  if ('inOrder' in claim) return isInOrder(value, claim.inOrder);
  if ('sameAs' in claim) return value !== undefined && isEqual(value, valueAt(answers, claim.sameAs));
  if ('within' in claim) {
    const part = asText(value).replace(/^"(.*)"$/, '$1');
    return value !== undefined && part !== '' && asText(valueAt(answers, claim.within)).includes(part);
  }
  if ('differsFrom' in claim) return !isEqual(value, valueAt(answers, claim.differsFrom));
  if ('greaterThan' in claim) return numberAt(answers, claim.at) > numberAt(answers, claim.greaterThan);
  if ('atLeast' in claim) return numberAt(answers, claim.at) >= numberAt(answers, claim.atLeast);
  if ('secondsAfter' in claim) {
    const [late, early] = [value, valueAt(answers, claim.secondsAfter.time)].map((time) => Date.parse(asText(time)));
    return Math.abs(((late ?? NaN) - (early ?? NaN)) / 1000 - claim.secondsAfter.seconds) <= 1;
  }
  return unmet(claim, answers) === undefined;
}

/** Undefined when the clause holds, else what exists instead. */
export function broken(claim: Claim, answers: Answers): string | undefined {
  if (holds(claim, answers)) return undefined;
  return `${claim.clause}: ${textOf(claim.at)} is ${asText(valueAt(answers, claim.at)).slice(0, 500)}`;
}
