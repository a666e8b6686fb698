import type { Json } from '../api/index.ts';
import { restore, type Restoring } from './conversion-restore.ts';
import { child, element } from './field-path.ts';
import { isRecord } from './json-schema.ts';
import { type Fault, isMissing, isRounded, valueProblems } from './value.ts';

/** A value with what may be put back of a delta, and what may not. */
export interface Restored {
  readonly value: Json;
  /** Where something was kept that the schema forbids, and why; it counts as absent. */
  readonly refused: readonly Fault[];
}

export interface Verifying extends Restoring {
  /** Where the value stands. */
  readonly path: string;
  /** Whether required parts of the object are missing, as in what the server converts to learn who owns which field. */
  readonly isPart: boolean;
}

/** So many parts of a delta are tried one by one, and so many rounds are made: each costs a look at the whole value. */
const maximumTried = 32;

/**
 * The value with what a delta keeps put back, as far as the outcome satisfies the schema. What is kept may be anything: the
 * part that breaks the schema counts as absent, the others come back.
 */
export function restoreVerified(plain: Json, delta: unknown, verifying: Verifying): Restored {
  const court = courtOf(plain, verifying);
  const refused: Fault[] = [];
  let kept = delta;
  for (let round = 0; round < maximumTried; round += 1) {
    const value = restore(plain, kept, verifying) ?? plain;
    const faults = court(value);
    const [fault] = faults;
    if (fault === undefined) return { value, refused };
    const parts = partsOf(kept, verifying.path);
    const certain = faults.flatMap((each) => culpritsOf(each, parts));
    refused.push(...(certain.length > 0 ? faults.slice(0, maximumTried) : [fault]));
    const judge = (draft: unknown): readonly Fault[] => court(restore(plain, draft, verifying) ?? plain);
    kept = without(kept, certain.length > 0 ? certain : suspected(fault, { kept, parts, judge }));
  }
  return { value: plain, refused };
}

/** The one part without which a fault is gone; all that may be to blame where there is none, or too many to try. */
function suspected(
  fault: Fault,
  { kept, parts, judge }: { kept: unknown; parts: readonly Part[]; judge: (draft: unknown) => readonly Fault[] },
): readonly Part[] {
  const place = placeOf(fault);
  const near = parts.filter(({ path }) => isWithin(path, place) || isWithin(place, path));
  const cures = (part: Part): boolean => judge(without(kept, [part])).every(({ path }) => path !== fault.path);
  const culprit = near.length <= maximumTried ? near.find(cures) : undefined;
  if (culprit !== undefined) return [culprit];
  return near.length > 0 ? near : parts;
}

/** What is wrong with a value that is not wrong without the delta. */
function courtOf(plain: Json, { schema, path, isPart }: Verifying): (value: Json) => Fault[] {
  const textOf = (fault: Fault): string => `${fault.path} ${fault.message}`;
  const faultsOf = (value: Json): Fault[] => (schema === undefined ? [] : valueProblems(schema, value, path));
  const before = new Set(faultsOf(plain).map(textOf));
  const isForgiven = ({ message }: Fault): boolean => (isPart && isMissing(message)) || isRounded(message);
  return (value) => faultsOf(value).filter((fault) => !before.has(textOf(fault)) && !isForgiven(fault));
}

/** A part of a delta that can be left out: its place in the delta, and where it speaks of. */
interface Part {
  readonly steps: readonly (string | number)[];
  /** Items are not distinguished: `spec.env[*].value`. */
  readonly path: string;
}

function partsOf(delta: unknown, path: string, steps: readonly (string | number)[] = []): Part[] {
  if (!isRecord(delta)) return [];
  const { fields, byKey, byValue, hidden } = delta;
  if (isRecord(fields))
    return Object.entries(fields).flatMap(([name, inner]) =>
      partsOf(inner, child(path, name), [...steps, 'fields', name]),
    );
  const inList = (name: string, list: unknown): Part[] =>
    Array.isArray(list) ? list.map((_, i) => ({ steps: [...steps, name, i], path: element(path) })) : [];
  if (Array.isArray(byKey)) {
    const items = byKey.flatMap((entry: unknown, i) =>
      partsOf(isRecord(entry) ? entry['delta'] : undefined, element(path), [...steps, 'byKey', i, 'delta']),
    );
    return [...items, ...inList('hidden', hidden), ...inList('invented', delta['invented'])];
  }
  return Array.isArray(byValue) ? inList('byValue', byValue) : [{ steps, path }];
}

const placeOf = ({ path }: Fault): string => path.replaceAll(/\[\d+\]/g, '[*]');

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)));
}

/** The part that put a fault where it is, if there is only one that can have. */
function culpritsOf(fault: Fault, parts: readonly Part[]): readonly Part[] {
  const place = placeOf(fault);
  const own = parts.filter(({ path }) => isWithin(place, path));
  return own.length === 1 ? own : [];
}

/** Whether a place in a delta is a value that is kept, and no part of the delta. */
function isValue(steps: readonly (string | number)[]): boolean {
  return ['is', 'was'].includes(String(steps.at(-1))) && steps.at(-2) !== 'fields';
}

/** A delta without some of its parts. */
function without(delta: unknown, parts: readonly Part[]): unknown {
  const gone = new Set(parts.map(({ steps }) => JSON.stringify(steps)));
  const copy = (value: unknown, steps: readonly (string | number)[]): unknown => {
    if (gone.has(JSON.stringify(steps))) return undefined;
    if (Array.isArray(value))
      return value.map((item: unknown, i) => copy(item, [...steps, i])).filter((item) => item !== undefined);
    if (!isRecord(value) || isValue(steps)) return value;
    const entries = Object.entries(value).map(([name, inner]) => [name, copy(inner, [...steps, name])] as const);
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
  };
  return gone.size === 0 ? delta : copy(delta, []);
}
