import { keyOf, type KubeObject } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { isPromise } from '../internal/index.ts';
import type { Report } from './report.ts';

/** Under which keys an object is in an index: none, one or several. */
export type IndexKeys = string | undefined | null | readonly string[];

export interface IndexDeclaration<T extends KubeObject> {
  readonly name: string;
  readonly key: (object: T) => IndexKeys;
}

/** What an index function answered, as a list; anything but texts is refused. */
export function checkedKeys(name: string, keys: unknown): readonly string[] {
  if (keys === undefined || keys === null) return [];
  const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
  // Asked of each: a promise in the list would else end the process where it is rejected.
  const promises = [keys, ...list].filter(isPromise);
  if (promises.length === 0 && list.every((key) => typeof key === 'string')) return [...new Set(list as string[])];
  throw new KilterError('TRIGGER_INDEX_INVALID', `the index ${name} returned ${inShort(keys)}`);
}

/** An index function that never throws: the object it fails for is left out, logged and counted; all others are in. */
export function indexKeys<T extends KubeObject>(
  { name, key }: IndexDeclaration<T>,
  report: Report,
): (object: T) => readonly string[] {
  return (object) => {
    const at = keyOf(object);
    try {
      return checkedKeys(name, key(object));
    } catch (error) {
      report.failed(error, `the index ${name} failed; the object is not in it`, at);
      return [];
    }
  };
}
