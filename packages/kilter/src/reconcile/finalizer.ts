import type { KubeObject } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { isNotFound } from '../errors/index.ts';

export type FinalizerName = `${string}/${string}`;

export function hasFinalizer(object: KubeObject, name: string): boolean {
  return object.metadata.finalizers?.includes(name) ?? false;
}

export function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Stores the finalizers on the server and gives its answer; locked on the version seen, others' entries kept. */
export async function addFinalizers<T extends KubeObject>(
  client: Client,
  object: T,
  names: readonly string[],
): Promise<T> {
  const missing = names.filter((name) => !hasFinalizer(object, name));
  // The server refuses new finalizers on an object that is being deleted.
  if (missing.length === 0 || isDeleting(object)) return object;
  return client.edit(object, (draft) => {
    draft.metadata.finalizers = [...(draft.metadata.finalizers ?? []), ...missing];
  });
}

/** Takes the own finalizer away and gives the server's answer; undefined when the object went with it. */
export async function removeFinalizer<T extends KubeObject>(
  client: Client,
  object: T,
  name: string,
): Promise<T | undefined> {
  if (!hasFinalizer(object, name)) return object;
  try {
    return await client.edit(object, (draft) => {
      draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((other) => other !== name);
    });
  } catch (error) {
    // With the last finalizer the object may vanish between two writes: that is what was wanted.
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
