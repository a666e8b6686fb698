import { util } from '../internal/index.ts';
import { KilterError } from './kilter-error.ts';

// A log line is read by people: more of a value says no more.
const longest = 300;

/** A value in one short line, whatever it is: no getter and no trap of a proxy is run for it. */
export function inShort(value: unknown): string {
  const text =
    kubernetesObject(value) ??
    util()
      .inspect(value, { ...shown, breakLength: Infinity })
      .replace(stackLines, '')
      .replace(lineBreaks, ' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

// An error is shown by what it says: its stack would push out of the line what is said of it.
const stackLines = /\n\s*at [^\n]*/g;
const lineBreaks = /\s*\n\s*/g;

const shown = { depth: 1, customInspect: false, showProxy: true, maxArrayLength: 5, maxStringLength: 200 } as const;

/** Objects of the cluster by kind and name alone: one of them may be a Secret. */
function kubernetesObject(value: unknown): string | undefined {
  try {
    const { apiVersion, kind, metadata } = value as Record<'apiVersion' | 'kind' | 'metadata', unknown>;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata !== 'object') return undefined;
    const { name, namespace } = metadata as { name?: unknown; namespace?: unknown };
    return [kind, [namespace, name].filter((part) => typeof part === 'string').join('/')].join(' ');
  } catch {
    // Not an object, or one that defends itself: its general form is shown instead.
    return undefined;
  }
}

/** What was thrown, in words and without a cure: anything can be, even what has no text of its own. */
export function inWords(thrown: unknown): string {
  try {
    if (thrown instanceof KilterError) return thrown.summary;
    if (thrown instanceof Error) return String(thrown.message || thrown.name);
  } catch {
    // A proxy may refuse to be looked at.
  }
  return `a thrown ${typeof thrown}: ${inShort(thrown)}`;
}

/** What was thrown, as the `err` of a log line: without one, nothing would be logged. */
export const toldThrown = (thrown: unknown): unknown => thrown ?? inWords(thrown);

// What lies deeper is in the stack. A cause may be its own cause.
const deepest = 5;
const mostErrors = 3;

/**
 * In words, and why: "fetch failed" alone tells nobody anything, nor does "All promises were rejected". For people who run the
 * operator, not for those who send it requests: a cause may name what is none of their business.
 */
export function inWordsWithCauses(thrown: unknown, depth = 0): string {
  const own = inWords(thrown);
  if (depth === deepest) return own;
  const reasons = reasonsOf(thrown)
    .map((each) => inWordsWithCauses(each, depth + 1))
    .filter((text) => !own.includes(text));
  return reasons.length === 0 ? own : `${own}: ${reasons.join('; ')}`;
}

/** The causes it does not tell itself: our own errors do. */
function reasonsOf(thrown: unknown): readonly unknown[] {
  try {
    if (!(thrown instanceof Error) || thrown instanceof KilterError) return [];
    const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
    const parts: readonly unknown[] = Array.isArray(errors) ? errors.slice(0, mostErrors) : [];
    return cause instanceof Error ? [cause, ...parts] : parts;
  } catch {
    return [];
  }
}
