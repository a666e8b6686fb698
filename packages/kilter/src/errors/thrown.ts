import { inspect } from 'node:util';
import { KilterError } from './kilter-error.ts';

// A log line is read by people: more of a value says no more.
const longest = 300;

/** A value in one short line, whatever it is: no getter and no trap of a proxy is run for it. */
export function inShort(value: unknown): string {
  const text = kubernetesObject(value) ?? inspect(value, { ...shown, breakLength: Infinity });
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

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
    if (thrown instanceof Error) return String(thrown.message);
  } catch {
    // A proxy may refuse to be looked at.
  }
  return `a thrown ${typeof thrown}: ${inShort(thrown)}`;
}
