import type { Kind, KubeObject } from '../api/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { isConflict, isNotFound } from '../errors/index.ts';

/** `domain/name`, as the server requires. */
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
  // Decided by what the object was: one that is being deleted by now must not get it.
  const add = (draft: KubeObject): void => {
    draft.metadata.finalizers = [...(draft.metadata.finalizers ?? []), ...missing];
  };
  return client.edit(object, add as never, { conflict: 'fail' });
}

export interface FinalizerRemoval {
  readonly client: Client;
  readonly live: Reader;
  readonly kind: Kind;
}

// A cleanup often edits its object, and others do at any time; more conflicts in a row than this are left to the backoff.
const tries = 3;

/** Takes the own finalizer away and gives the server's answer; undefined when the object went with it. */
export async function removeFinalizer(
  object: KubeObject,
  name: string,
  { client, live, kind }: FinalizerRemoval,
): Promise<KubeObject | undefined> {
  let seen: KubeObject | undefined = object;
  for (let attempt = 1; seen !== undefined && hasFinalizer(seen, name); attempt += 1) {
    try {
      const remove = (draft: KubeObject): void => {
        draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((other) => other !== name);
      };
      return await client.edit(seen, remove as never, { conflict: 'fail' });
    } catch (error) {
      // With the last finalizer the object may vanish between two writes: that is what was wanted.
      if (isNotFound(error)) return undefined;
      if (!isConflict(error) || attempt === tries) throw error;
      const fresh: KubeObject | undefined = await live.find(kind, object.metadata);
      seen = fresh?.metadata.uid === object.metadata.uid ? fresh : undefined;
    }
  }
  return seen;
}
