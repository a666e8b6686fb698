import { apiVersionOf, formatTime, type JsonObject } from 'kilter/api';
import type { Propagation } from '../calls/index.ts';
import { settledObject } from '../decoding/index.ts';
import { finalizersOf, type ResourceDefinition, type Served } from '../kinds/index.ts';
import { conflict, deleted } from '../status/index.ts';
import { metadataOf, objectIn, stringifyJson, textIn } from '../values/index.ts';
import { type Core, isStoredAsBefore, save } from './core.ts';
import { storageConflict } from './preconditions.ts';
import { isReleased, removeObject } from './removal.ts';
import type { Deletion } from './write.ts';

export function checkPreconditions({ served, old, options }: Deletion): void {
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
function marked(deletion: Deletion, grace: number): JsonObject {
  const { core, served, object } = deletion;
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

export function markDeleted(deletion: Deletion): void {
  const { served, options, warnings } = deletion;
  const { defaultWarning } = served.definition.strategy.deletion ?? {};
  if (options.propagation === undefined && defaultWarning !== undefined) warnings.push(defaultWarning);
  deletion.object = marked(deletion, graceOf(deletion));
}

/** Whether the object is marked in its own write before it goes: of a kind with grace, unless it was marked without any. */
function isGraceful({ served, old }: Deletion): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(old);
  if (served.definition.strategy.deletion?.grace === undefined) return false;
  return deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0;
}

/**
 * Of an object that goes because the policy took its last finalizer away, the real server compares the condition with a version it has
 * just forgotten: none is met.
 */
function checkUnheld({ served, old, options }: Deletion): void {
  if (options.resourceVersion === undefined || options.dryRun) return;
  const current = textIn(metadataOf(old), 'resourceVersion');
  throw storageConflict(served, old, `ResourceVersion in precondition: , ResourceVersion in object meta: ${current}`);
}

/** What the real server answers where it has nothing but the kind. */
function emptyObject(definition: ResourceDefinition): JsonObject {
  const { kind, custom } = definition;
  const typed = { apiVersion: apiVersionOf(definition), kind };
  return custom ? typed : settledObject({ ...typed, metadata: {} }, definition);
}

/** Takes the object away, or keeps it marked where finalizers, grace or its kind hold it for a while. */
export function storeDeleted(deletion: Deletion): void {
  const { core, served, old, object, options } = deletion;
  const { definition } = served;
  if (!isReleased(object, served)) {
    const isNew = !isSame(old, object) || isStoredAsBefore(core, served, old);
    if (isNew && !options.dryRun) deletion.object = save(core, served, object);
    return;
  }
  if (isGraceful(deletion)) {
    if (!options.dryRun) deletion.object = markAndRemove(core, served, object);
    return;
  }
  if (finalizersOf(metadataOf(old)).length > 0) {
    checkUnheld(deletion);
    if (options.dryRun) {
      deletion.object = emptyObject(definition);
      return;
    }
  }
  const revision = options.dryRun ? undefined : removeObject(core, served, old);
  const metadata = metadataOf(old);
  deletion.object =
    definition.strategy.deletion?.answersObject === true || definition.strategy.deletion?.grace !== undefined
      ? deletedAt(old, revision)
      : deleted(definition, { name: textIn(metadata, 'name'), uid: textIn(metadata, 'uid') });
}

/** What was deleted, at the version of its deletion. */
function deletedAt(object: JsonObject, revision: number | undefined): JsonObject {
  if (revision === undefined) return object;
  return { ...object, metadata: { ...metadataOf(object), resourceVersion: String(revision) } };
}

/** Kinds with grace show the marked object before it goes, also where the grace is none. */
function markAndRemove(core: Core, served: Served, object: JsonObject): JsonObject {
  const saved = save(core, served, object);
  return deletedAt(saved, removeObject(core, served, saved));
}
