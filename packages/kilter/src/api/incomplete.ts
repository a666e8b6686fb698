import type { KubeObject } from '../kind/object.ts';

/** Objects that were read from where only a part of them is kept. */
const incomplete = new WeakSet<KubeObject>();

/** Remembers that fields are missing from this very object, so that nobody writes it back as a whole. */
export function markIncomplete<T extends KubeObject>(object: T): T {
  incomplete.add(object);
  return object;
}

export function isIncomplete(object: KubeObject): boolean {
  return incomplete.has(object);
}
