import { keyOf, type KubeObject } from '../api/index.ts';
import { isConflict, isInvalid, KilterError } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { Write } from './write-requests.ts';

const statusOf = (object: KubeObject): unknown => (object as { status?: unknown }).status;

/**
 * Throws where a status was to change with the object itself and came back as it was: the kind has `/status`, and the
 * server drops a status that comes another way.
 */
export function checkStatusTaken(before: KubeObject, answer: KubeObject): void {
  if (!deepEqual(statusOf(before), statusOf(answer))) return;
  throw new KilterError(
    'CLIENT_EDIT_IGNORED',
    `the server ignored the change of .status of ${before.kind} ${keyOf(before)} (other changes were written)`,
    { cure: "edit the status by itself, with { subresource: 'status' }" },
  );
}

/**
 * A JSON patch of an object that has changed since can fail before the server compares versions. So the server is asked
 * to compare them by themselves, in a dry run: its own conflict is thrown, or else the error there was.
 */
export async function throwConflictIfStale(
  error: unknown,
  { metadata: { resourceVersion } }: KubeObject,
  {
    contentType,
    check,
  }: { contentType: string; check: (lock: Pick<Write, 'contentType' | 'body'>) => Promise<unknown> },
): Promise<never> {
  if (contentType !== 'application/json-patch+json' || !isInvalid(error)) throw error;
  const lock = {
    contentType: 'application/merge-patch+json',
    body: JSON.stringify({ metadata: { resourceVersion } }),
  };
  const refusal = await check(lock).catch((other: unknown) => other);
  throw isConflict(refusal) ? refusal : error;
}
