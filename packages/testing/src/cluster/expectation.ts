import type { KubeObject, Partially } from 'kilter/api';
import { difference } from './difference.ts';

/**
 * A pattern (its difference is shown), a predicate, or assertions that throw; a function may be asynchronous. Only
 * `false` and a thrown error mean no, because assertions return nothing; so a predicate must not return undefined.
 */
export type Expected<T extends KubeObject> = Partially<T> | ((object: T) => Verdict | Promise<Verdict>);

type Verdict = boolean | void;

// A pattern that is wholly wrong differs in a few fields; a list of hundreds is read by nobody.
const mostLines = 20;

/** What is wrong with an object, or undefined when it is as expected. */
export async function problemWith<T extends KubeObject>(object: T, expected: Expected<T>): Promise<string | undefined> {
  if (typeof expected !== 'function') {
    const lines = difference(expected, object);
    if (lines.length > mostLines) lines.splice(mostLines, Infinity, `and ${lines.length - mostLines} more`);
    return lines.length === 0 ? undefined : lines.join('\n');
  }
  try {
    return (await expected(object)) === false ? 'the predicate is false' : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
