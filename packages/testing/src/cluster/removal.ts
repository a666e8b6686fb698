import { type Client, isConflict, isNotFound, KilterError } from 'kilter';
import { kindLabel, keyOfRef } from 'kilter/api';
import type { CreatedObject } from './created-objects.ts';
import type { Waiting } from './waiting.ts';

export interface RemovalOptions {
  readonly client: Client;
  readonly waiting: Waiting;
  /** For all of them together, in milliseconds. */
  readonly within: number;
}

// A handful at a time: an API server that others use is not to be flooded.
const width = 8;
// Enough to see what kind of thing it is.
const mostNamed = 10;

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

const described = ({ kind, ref }: CreatedObject): string => `${kindLabel(kind.names)} ${keyOfRef(ref)}`;

/** Asks for the end of an object. Undefined where there is nothing to wait for: it is gone, or its name is somebody else's. */
async function requested({ kind, ref, uid }: CreatedObject, client: Client): Promise<'asked' | undefined> {
  try {
    const left = await client.delete(kind, ref, { preconditions: { uid }, propagation: 'Background' });
    // A namespace takes its time to end, and nobody waits for it: its name is not used again.
    return left === undefined || kind.names.kind === 'Namespace' ? undefined : 'asked';
  } catch (error) {
    if (isNotFound(error) || isConflict(error)) return undefined;
    throw error;
  }
}

async function remains({ kind, ref, uid }: CreatedObject, client: Client): Promise<string | undefined> {
  const found = await client.find(kind, ref);
  if (found === undefined || found.metadata.uid !== uid) return undefined;
  return `finalizers ${JSON.stringify(found.metadata.finalizers ?? [])}`;
}

/** Deletes objects, each only if it is still the one that was created, and waits until they are gone. */
export async function removeAll(objects: readonly CreatedObject[], options: RemovalOptions): Promise<void> {
  const { client, waiting, within } = options;
  /** Why each is still there. */
  const pending = new Map<CreatedObject, string>(objects.map((object) => [object, 'not yet deleted']));
  /** Those whose deletion the server has accepted; the others are tried again, as a server may be away for a moment. */
  const asked = new Set<CreatedObject>();
  const look = async (): Promise<{ problem: string | undefined }> => {
    await inTurns([...pending.keys()], async (object) => {
      const answer = asked.has(object) ? remains(object, client) : requested(object, client);
      const reason = await answer.catch(String);
      if (reason === undefined) pending.delete(object);
      else pending.set(object, reason);
      if (reason === 'asked') asked.add(object);
    });
    return { problem: pending.size === 0 ? undefined : 'still there' };
  };
  await waiting.until(look, within);
  if (pending.size > 0) throw leftBehind([...pending]);
}

function leftBehind(pending: readonly (readonly [CreatedObject, string])[]): KilterError {
  const named = pending.slice(0, mostNamed).map(([object, reason]) => `${described(object)} (${reason})`);
  const more = pending.length > mostNamed ? ` and ${pending.length - mostNamed} more` : '';
  return new KilterError('TESTING_LEFT_BEHIND', `created by this test and still there: ${named.join(', ')}${more}`);
}
