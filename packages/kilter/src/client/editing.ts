import type { KubeObject } from '../api/index.ts';
import { isConflict } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { ManagedClient } from './client.ts';
import { decodeFields, typed } from './decode.ts';
import { lockedPatch } from './draft.ts';
import { checkStatusTaken, throwConflictIfStale } from './edit-outcome.ts';
import { checkOptions } from './option-names.ts';
import type { EditOptions, PatchOptions } from './options.ts';
import { readRequest, type RequestDefaults } from './read-requests.ts';
import type { Target } from './target.ts';
import type { Write } from './write-requests.ts';

type Change = (draft: unknown) => unknown;

// As many as client-go's RetryOnConflict: a rival that wins five times in a row writes all the time, and backoff handles that better.
const editTries = 5;

export interface EditingParts {
  readonly transport: Transport;
  readonly options: RequestDefaults;
  readonly send: <T extends KubeObject>(target: Target, write: Write) => Promise<T>;
  readonly named: (object: KubeObject, wanted: PatchOptions) => Promise<Target>;
  /** Refuses what is not an object. */
  readonly check: (object: KubeObject) => void;
}

/** What a function changed, locked on the version it was applied to. */
export function editing({ transport, options, send, named, check }: EditingParts): ManagedClient['edit'] {
  /** The object as it is now. Of a namesake the change was not meant: then it is the conflict that is thrown. */
  const fresh = async <T extends KubeObject>(object: T, wanted: PatchOptions, conflict: unknown): Promise<T> => {
    const { subresource: _, ...target } = await named(object, wanted);
    const request = readRequest(target, options, { signal: wanted.signal });
    const found = typed<T>(decodeFields(await transport.send(request), request), target);
    if (found.metadata.uid !== object.metadata.uid) throw conflict;
    return found;
  };
  const editOnce = async <T extends KubeObject>(object: T, change: Change, wanted: PatchOptions): Promise<T> => {
    const patch = lockedPatch(object, change, wanted.subresource);
    if (patch === undefined) return object;
    const target = await named(object, wanted);
    const { contentType, body } = patch;
    const write = { method: 'PATCH', contentType, body, options: wanted } as const;
    const answer = await send<T>(target, write).catch((error: unknown) =>
      throwConflictIfStale(error, object, {
        contentType,
        check: (lock) => send(target, { ...write, ...lock, options: { ...wanted, dryRun: true } }),
      }),
    );
    if (patch.ofStatus && wanted.subresource === undefined) checkStatusTaken(object, answer);
    return answer;
  };
  const edit = async <T extends KubeObject>(object: T, change: Change, given: EditOptions = {}): Promise<T> => {
    checkOptions('edit', given);
    check(object);
    const { conflict, ...wanted } = given;
    const again = (conflict ?? options.editConflict) === 'again';
    for (let seen = object, attempt = 1; ; attempt += 1) {
      try {
        return await editOnce(seen, change, wanted);
      } catch (error) {
        if (!again || attempt === editTries || !isConflict(error)) throw error;
        seen = await fresh(seen, wanted, error);
      }
    }
  };
  return edit as ManagedClient['edit'];
}
