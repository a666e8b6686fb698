import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject } from '../values/index.ts';
import { PatchError } from './patch-error.ts';

/**
 * The steps of a JSON pointer (RFC 6901): `/a~1b/0` is `a/b`, then `0`. As on the API server what is before the first
 * slash is dropped, and a tilde that escapes nothing is a tilde.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.includes('/')) {
    throw new PatchError('inapplicable', `JSON pointer "${pointer}" must be empty or have a "/"`);
  }
  return pointer
    .slice(pointer.indexOf('/') + 1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const indexForm = /^[+-]?\d+$/;

/**
 * The position a step names in a list; `limit` is the first position that is out of bounds. The API server counts
 * negative positions from the end, which the RFC does not know.
 */
export function listIndex(step: string, limit: number): number | undefined {
  if (!indexForm.test(step)) return undefined;
  const index = Number(step) < 0 ? limit + Number(step) : Number(step);
  return index >= 0 && index < limit ? index : undefined;
}

/** The value at a step, or undefined if there is none. */
export function step(container: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(container)) {
    const index = listIndex(name, container.length);
    return index === undefined ? undefined : container[index];
  }
  return isObject(container) ? fieldOf(container, name) : undefined;
}

export function resolve(document: Json, steps: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const name of steps) value = step(value, name);
  return value;
}

/** The list or object that holds the last step, which must exist. */
export function container(document: Json, steps: readonly string[], pointer: string): Json[] | JsonObject {
  const parent = resolve(document, steps.slice(0, -1));
  if (Array.isArray(parent) || isObject(parent)) return parent;
  throw new PatchError('inapplicable', `"${pointer}": there is no object or list to hold it; add the parent first`);
}
