import type { Registry, StoredChange } from '../calls/index.ts';

/** Tells of every change from now on, after the objects of one core kind that are there; returns what ends that. */
export function follow(registry: Registry, kind: string, observe: (change: StoredChange) => void): () => void {
  const end = registry.onChange(observe);
  const resource = registry.findKind('', kind);
  if (resource !== undefined) {
    for (const object of registry.peek(resource)) observe({ type: 'ADDED', resource, object });
  }
  return end;
}
