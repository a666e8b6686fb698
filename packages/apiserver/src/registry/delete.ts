import { formatTime, type JsonObject } from 'kilter/api';
import type { DeleteOptions, Propagation } from '../calls/index.ts';
import { finalizersOf, type Served } from '../kinds/index.ts';
import { conflict, deleted, forbidden } from '../status/index.ts';
import { metadataOf, objectIn, stringifyJson, textIn } from '../values/index.ts';
import { type Core, save } from './core.ts';
import { isReleased, removeObject } from './update.ts';

export interface Deletion {
  readonly served: Served;
  /** The stored object in the served version. */
  readonly old: JsonObject;
  readonly options: DeleteOptions;
}

/** What the client gets: the object while it stays, or with its last marks; else a Status. */
export interface Deleted {
  readonly object: JsonObject;
  readonly warnings: string[];
}

function checkPreconditions({ served, old, options }: Deletion): void {
  const { group, kind } = served.definition;
  const metadata = metadataOf(old);
  const name = textIn(metadata, 'name');
  const uid = textIn(metadata, 'uid');
  const version = textIn(metadata, 'resourceVersion');
  const subject = { group, plural: kind };
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(subject, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== version) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`;
    throw conflict(subject, name, why);
  }
}

const policyFinalizers: Readonly<Record<Propagation, string | undefined>> = {
  Background: undefined,
  Foreground: 'foregroundDeletion',
  Orphan: 'orphan',
};

/** The finalizers that a deletion leaves on the object: a policy replaces the one of an earlier policy. */
function finalizersFor(metadata: JsonObject, policy: Propagation | undefined): string[] {
  const finalizers = finalizersOf(metadata);
  if (policy === undefined) return finalizers;
  const wanted = policyFinalizers[policy];
  const others = finalizers.filter((name) => name === wanted || (name !== 'orphan' && name !== 'foregroundDeletion'));
  return wanted === undefined || others.includes(wanted) ? others : [...others, wanted];
}

function setFinalizers(metadata: JsonObject, finalizers: string[]): void {
  if (finalizers.length === 0) delete metadata['finalizers'];
  else metadata['finalizers'] = finalizers;
}

function policyOf({ served, old, options }: Deletion): Propagation | undefined {
  if (options.propagation !== undefined) return options.propagation;
  const decided = finalizersOf(metadataOf(old)).some((name) => name === 'orphan' || name === 'foregroundDeletion');
  return decided ? undefined : served.definition.strategy.deletion?.defaultPropagation;
}

/** The marked object, with the time it may go and how long that is. Grace can be shortened, never prolonged. */
function marked(core: Core, deletion: Deletion, grace: number): JsonObject {
  const { served, old } = deletion;
  const object = structuredClone(old);
  const metadata = objectIn(object, 'metadata');
  setFinalizers(metadata, finalizersFor(metadata, policyOf(deletion)));
  const before =
    metadata['deletionTimestamp'] === undefined ? undefined : Number(metadata['deletionGracePeriodSeconds'] ?? 0);
  if (before !== undefined && before <= grace) return object;
  const now = core.clock.now();
  const begun = served.definition.strategy.deletion?.begin?.(object, formatTime(now));
  if (begun !== undefined) return begun;
  metadata['deletionTimestamp'] = formatTime(now + grace * 1000);
  metadata['deletionGracePeriodSeconds'] = grace;
  if (before === undefined && typeof metadata['generation'] === 'number') metadata['generation'] += 1;
  return object;
}

function graceOf({ served, old, options }: Deletion): number {
  const { deletion } = served.definition.strategy;
  return deletion?.grace?.(old, options.graceSeconds) ?? 0;
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return stringifyJson(a) === stringifyJson(b);
}

/** Deletes an object, or marks it where finalizers, grace or its kind keep it for a while. */
export function deleteObject(core: Core, deletion: Deletion): Deleted {
  const { served, old, options } = deletion;
  const { definition } = served;
  const rules = definition.strategy.deletion;
  checkPreconditions(deletion);
  const refused = rules?.refuse?.(old);
  const name = textIn(metadataOf(old), 'name');
  if (refused !== undefined) throw forbidden(definition, name, { message: refused });
  const warnings =
    options.propagation === undefined && rules?.defaultWarning !== undefined ? [rules.defaultWarning] : [];
  const object = marked(core, deletion, graceOf(deletion));
  if (!isReleased(object, served)) {
    const stays = isSame(old, object) || options.dryRun ? object : save(core, served, object);
    return { object: stays, warnings };
  }
  if (rules?.grace === undefined) {
    if (!options.dryRun) removeObject(core, served, old);
    return { object: deleted(definition, { name, uid: textIn(metadataOf(old), 'uid') }), warnings };
  }
  return { object: options.dryRun ? object : markAndRemove(core, served, object), warnings };
}

/** Kinds with grace show the marked object before it goes, also where the grace is none. */
function markAndRemove(core: Core, served: Served, object: JsonObject): JsonObject {
  const saved = save(core, served, object);
  const revision = removeObject(core, served, saved);
  return { ...saved, metadata: { ...metadataOf(saved), resourceVersion: String(revision) } };
}
