// A verdict as a case states it, beside the one that was seen.
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from 'kilter/api';
import type { Case } from './row.test-support.ts';

export interface SeenProblem {
  readonly field: string;
  /** With or without the prefix `FieldValue`. */
  readonly reason: string;
  readonly message: string;
}

export interface Seen {
  /** Why the object was refused; nothing if it was accepted. */
  readonly problems: readonly SeenProblem[];
  /** The object that is stored, if it was accepted. */
  readonly object?: JsonObject | undefined;
  /** Unknown fields the answer warns of; undefined where nobody looked. */
  readonly unknown?: readonly string[] | undefined;
}

interface Stated {
  /** `spec.x Invalid`. */
  readonly key: string;
  /** What the message ends with, if that is stated. */
  readonly ending: string | undefined;
}

function stated(problem: string): Stated {
  const [, key = problem, ending] = /^(\S+ \w+)(?:: (.*))?$/s.exec(problem) ?? [];
  return { key, ending };
}

const keyOf = ({ field, reason }: SeenProblem): string => `${field} ${reason.replace(/^FieldValue/, '')}`;

/** What two lists of problems disagree on: places and reasons as sets, messages where they are stated. */
export function problemMismatches(wanted: readonly string[], seen: readonly SeenProblem[]): string[] {
  const expected = wanted.map(stated);
  const keys = new Set(expected.map(({ key }) => key));
  const seenKeys = new Set(seen.map(keyOf));
  return [
    ...expected.filter(({ key }) => !seenKeys.has(key)).map(({ key }) => `expected ${key}, which is not there`),
    ...seen
      .filter((problem) => !keys.has(keyOf(problem)))
      .map((problem) => `${keyOf(problem)}: ${problem.message}, which is not expected`),
    ...expected
      .filter(
        ({ key, ending }) =>
          ending !== undefined && !seen.some((problem) => keyOf(problem) === key && problem.message.endsWith(ending)),
      )
      .filter(({ key }) => seenKeys.has(key))
      .map(
        ({ key, ending }) =>
          `${key} says ${JSON.stringify(seen.filter((problem) => keyOf(problem) === key).map(({ message }) => message))}, not ${JSON.stringify(ending)}`,
      ),
  ];
}

/** What a case and its outcome disagree on; nothing if they agree. */
export function mismatches(wanted: Case, seen: Seen): string[] {
  if (wanted.problems !== undefined) return problemMismatches(wanted.problems, seen.problems);
  if (seen.problems.length > 0) return problemMismatches([], seen.problems);
  const { spec, status } = seen.object ?? {};
  const stored = { ...(spec !== undefined && { spec }), ...(status !== undefined && { status }) };
  const { metadata: _, ...fields } = wanted.stored ?? {};
  const unknown = wanted.unknown ?? [];
  return [
    ...(isDeepStrictEqual(stored, fields)
      ? []
      : [`stored is ${JSON.stringify(stored)}, not ${JSON.stringify(fields)}`]),
    ...(seen.unknown === undefined || isDeepStrictEqual(seen.unknown, unknown)
      ? []
      : [`unknown are ${JSON.stringify(seen.unknown)}, not ${JSON.stringify(unknown)}`]),
  ];
}

/** The fields that warnings call unknown. */
export function unknownIn(warnings: readonly string[]): string[] {
  return warnings.flatMap((text) => {
    const name = /^unknown field "(.*)"$/.exec(text)?.[1];
    return name === undefined ? [] : [name];
  });
}

/** A case in words, for messages. */
export function inWords({ act, from, object }: Case): string {
  const before = from === undefined || act === 'status' ? '' : `${JSON.stringify(from)} -> `;
  return `${act} ${before}${JSON.stringify(object).slice(0, 300)}`;
}
