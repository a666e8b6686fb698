// The way of every change to a stored object. The verbs (verbs.ts) decode a body into an object of its kind: typed, pruned, of a
// custom resource defaulted; unknown fields are reported. From there each step does one thing, in this order and no other.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { ConnectionRequest, WriteOptions } from '../calls/index.ts';
import type { NamedResource, Served } from '../kinds/index.ts';
import { StatusError } from '../status/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import { authorizeNew } from './access-refused.ts';
import { checkAdmitted, noteOwners } from './after-admission.ts';
import { admitChanged, admitNew, refuseDeletion } from './admit.ts';
import { approve, type AskedFor, mutate } from './ask.ts';
import { type Core, objectKey, read } from './core.ts';
import { convertForStorage } from './convert.ts';
import { beginNew, checkNew, clearNew, defaultNew, prepareNew, storeNew, warnNew } from './create.ts';
import { checkPreconditions, markDeleted, storeDeleted } from './delete.ts';
import { ownChanged, ownNew } from './ownership.ts';
import { compareVersions } from './preconditions.ts';
import { countGeneration, dedupeChanged, prepareChanged, shapeChanged, storeChanged, warnChanged } from './update.ts';
import { settle, trim, validateChange } from './validation.ts';
import {
  type AnyChange,
  type ChangedObject,
  type Creation,
  creationOf,
  type Deletion,
  deletionOf,
  type GoingObject,
  type NewObject,
  type Posting,
  postingOf,
  type Update,
  updateOf,
  type Written,
} from './write.ts';

/** One thing that is done to a change. Throws to refuse it. */
interface Step<C> {
  readonly name: string;
  readonly run?: (change: C) => void;
  /** Who beside the server has a say: a promise to wait for, undefined if nobody has one about this change. */
  readonly ask?: (change: C & AskedFor) => Promise<void> | undefined;
}

/** A new object. */
export const creating: readonly Step<Creation>[] = [
  { name: 'check', run: checkNew }, // what no create may carry
  { name: 'clear', run: clearNew }, // what only the server decides
  { name: 'default', run: defaultNew }, // what the client could have written itself
  { name: 'own', run: ownNew }, // the fields of this manager, as it sees them
  { name: 'note', run: noteOwners },
  { name: 'admit', run: admitNew, ask: mutate }, // whoever may still change the object
  { name: 'review', run: checkAdmitted }, // and what they may not change
  { name: 'begin', run: beginNew }, // name, uid, time, generation
  { name: 'prepare', run: prepareNew }, // what the kind decides once
  { name: 'settle', run: settle }, // the form values are stored in
  { name: 'validate', run: validateChange },
  { name: 'warn', run: warnNew }, // sent even if the object is refused from here on
  { name: 'authorize', ask: authorizeNew }, // who creates by another verb
  { name: 'approve', ask: approve }, // whoever may refuse what can no longer change
  { name: 'trim', run: trim }, // what was there to be seen, not to be stored
  { name: 'convert', ask: convertForStorage }, // the version it is stored in
  { name: 'store', run: storeNew },
];

/** A new form of a stored object: PUT, the result of a patch or an apply, subresources included. */
export const updating: readonly Step<Update>[] = [
  { name: 'dedupe', run: dedupeChanged },
  { name: 'shape', run: shapeChanged }, // what this endpoint lets a write change; defaults
  { name: 'own', run: ownChanged },
  { name: 'note', run: noteOwners },
  { name: 'admit', run: admitChanged, ask: mutate },
  { name: 'review', run: checkAdmitted },
  { name: 'compare', run: compareVersions }, // the version the client knows
  { name: 'prepare', run: prepareChanged }, // what no write changes, and what the kind keeps
  { name: 'settle', run: settle },
  { name: 'count', run: countGeneration },
  { name: 'validate', run: validateChange },
  { name: 'warn', run: warnChanged },
  { name: 'approve', ask: approve },
  { name: 'trim', run: trim },
  { name: 'convert', ask: convertForStorage },
  { name: 'store', run: storeChanged }, // or takes it away, if this was the last that held it
];

/** A stored object that shall go. */
export const deleting: readonly Step<Deletion>[] = [
  { name: 'check', run: checkPreconditions },
  { name: 'admit', run: refuseDeletion, ask: mutate },
  { name: 'mark', run: markDeleted }, // when it goes, and what holds it until then
  { name: 'approve', ask: approve },
  { name: 'convert', ask: convertForStorage },
  { name: 'store', run: storeDeleted },
];

/** What is sent to a subresource that takes a POST; the action of the kind follows. */
export const posting: readonly Step<Posting>[] = [
  { name: 'admit', ask: mutate },
  { name: 'complete', run: complete }, // what the kind fills in, or refuses first
  { name: 'approve', ask: approve },
];

function complete(posting: Posting): void {
  posting.object = posting.complete?.(posting.object) ?? posting.object;
}

function runNow<C extends AnyChange>(steps: readonly Step<C>[], change: C): Written {
  for (const { run } of steps) run?.(change);
  return change;
}

/** Without anybody to ask, a change is one turn of the event loop: nothing comes between what it read and what it stores. */
async function run<C extends AnyChange>(steps: readonly Step<C>[], change: C, user: User): Promise<Written> {
  const { core } = change;
  const storeStatus: AskedFor['storeStatus'] = (resource, object) => storeStatusNow(core, resource, object);
  const asked = Object.assign(change, { user, storeStatus });
  try {
    for (const step of steps) {
      step.run?.(change);
      const answer = step.ask?.(asked);
      if (answer === undefined) continue;
      await answer;
      checkCurrent(change);
    }
  } catch (error) {
    // What was said to the client before the change was refused goes out with the refusal.
    if (error instanceof StatusError) error.warnings = [...error.warnings, ...change.warnings];
    throw error;
  }
  return change;
}

/** Somebody else wrote the object while others were asked about this change: it is to be made again, on what exists now. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

function checkCurrent({ core, served, old }: AnyChange): void {
  if (old === undefined) return;
  const revision = core.storage.read(served.bucket, objectKey(served, old))?.revision;
  if (String(revision) !== textIn(metadataOf(old), 'resourceVersion')) throw new Overtaken();
}

/** Changes a client asks for. Rejects with `Overtaken` only where somebody had to be asked. */
export const createObject = (core: Core, given: NewObject, user: User): Promise<Written> =>
  run(creating, creationOf(core, given), user);
export const updateObject = (core: Core, given: ChangedObject, user: User): Promise<Written> =>
  run(updating, updateOf(core, given), user);
export const deleteObject = (core: Core, given: GoingObject, user: User): Promise<Written> =>
  run(deleting, deletionOf(core, given), user);

/** Answers what those who were asked made of the object, and what they warn of. */
export const postObject = (core: Core, given: Parameters<typeof postingOf>[1], user: User): Promise<Written> =>
  run(posting, postingOf(core, given), user);

/** Asks about the options of a connection, and answers the warnings. */
export async function admitConnection(
  core: Core,
  served: Served,
  asked: ConnectionRequest,
): Promise<readonly string[]> {
  const { object, subresource, name, namespace, user } = asked;
  const takes = { group: '', version: 'v1', kind: textIn(object, 'kind') };
  const options: WriteOptions = { dryRun: false, manager: '', fieldValidation: 'Ignore', force: false };
  const change = postingOf(core, { served, object, options, subresource, name, namespace, takes }, 'connect');
  return (await run(posting, change, user)).warnings;
}

/** Changes of the server's own: nobody else is asked, so that they are done when the call returns. */
export const createNow = (core: Core, given: NewObject): Written => runNow(creating, creationOf(core, given));
export const updateNow = (core: Core, given: ChangedObject): Written => runNow(updating, updateOf(core, given));
export const deleteNow = (core: Core, given: GoingObject): Written => runNow(deleting, deletionOf(core, given));

const asServer: WriteOptions = { dryRun: false, manager: 'kube-apiserver', fieldValidation: 'Ignore', force: false };

/** Stores the status of an object as the server itself; of one that is gone, nothing. */
export function storeStatusNow(core: Core, { group, plural }: NamedResource, object: JsonObject): void {
  const served = core.catalog.storedIn(`${group}/${plural}`);
  const old = served && read(core, served, objectKey(served, object));
  if (served === undefined || old === undefined) return;
  updateNow(core, { served, old, object, options: asServer, subresource: 'status', tracked: false });
}
