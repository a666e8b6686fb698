import type { JsonObject } from 'kilter/api';
import { sameButTimes } from '../apply/index.ts';
import { dedupeOwners, type SubresourceUpdate } from '../kinds/index.ts';
import { append, clone, metadataOf, objectIn, sameValue, textIn } from '../values/index.ts';
import { isStoredAsBefore, save, saveAdmitted, unsaved } from './core.ts';
import { warningsOf } from './create.ts';
import { generationAfter } from './generation.ts';
import { isReleased, removeObject } from './removal.ts';
import type { Update } from './write.ts';

export function dedupeChanged({ object, patched, warnings }: Update): void {
  append(warnings, dedupeOwners(objectIn(object, 'metadata'), patched ? 'after' : 'before'));
}

const withStatusOf = (object: JsonObject, { status }: JsonObject): JsonObject => {
  const { status: _, ...rest } = object;
  return status === undefined ? rest : { ...rest, status: clone(status) };
};

/** The old object with a new status; built-in kinds let metadata through as well. */
function statusUpdate({ core, served: { definition }, old, object }: Update): JsonObject {
  const own = definition.strategy.prepareForStatusUpdate?.(object, old, core.strategyContext);
  if (own !== undefined) return own;
  const shaped = withStatusOf(clone(old), object);
  return definition.custom ? shaped : { ...shaped, metadata: metadataOf(object) };
}

function shaped(update: Update): JsonObject {
  const { core, served, old, object, subresource } = update;
  const { strategy, hasStatus } = served.definition;
  if (subresource === 'status') return statusUpdate(update);
  const other = ownEndpoint(update);
  if (other !== undefined && !isOwnedAsSent(update)) return other(object, clone(old), core.strategyContext);
  const kept = hasStatus ? withStatusOf(object, old) : object;
  return strategy.defaults?.(kept) ?? kept;
}

const isOwnedAsSent = ({ served, subresource = '' }: Update): boolean =>
  served.definition.strategy.ownedAsSent?.includes(subresource) === true;

function ownEndpoint({ served, subresource }: Update): SubresourceUpdate | undefined {
  return subresource === undefined ? undefined : served.definition.strategy.subresourceUpdates?.[subresource];
}

/** What the endpoint lets a write change; the rest is as it was. */
export function shapeChanged(update: Update): void {
  update.object = shaped(update);
}

/** What an update never changes, whatever the client sent. */
function keepMetadata(object: JsonObject, old: JsonObject): void {
  const metadata = objectIn(object, 'metadata');
  const before = metadataOf(old);
  delete metadata['selfLink'];
  for (const field of ['creationTimestamp', 'generation', 'resourceVersion']) {
    if (before[field] === undefined) delete metadata[field];
    else metadata[field] = before[field];
  }
  // Marks of a deletion stay; whoever sets or changes them otherwise is refused by validation.
  const { deletionTimestamp, deletionGracePeriodSeconds } = before;
  if (deletionTimestamp !== undefined) metadata['deletionTimestamp'] = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) metadata['deletionGracePeriodSeconds'] ??= deletionGracePeriodSeconds;
  if (textIn(metadata, 'uid') === '') metadata['uid'] = before['uid'] ?? '';
}

/** Those who admitted the object may change what the endpoint lets through, as the client may. Who owns what is known by now. */
function reshaped(update: Update): JsonObject {
  const object = shaped(update);
  const { managedFields } = metadataOf(update.object);
  return managedFields === undefined ? object : { ...object, metadata: { ...metadataOf(object), managedFields } };
}

export function prepareChanged(update: Update): void {
  if (update.admitted === true) update.object = reshaped(update);
  const { core, served, old, object, subresource } = update;
  keepMetadata(object, old);
  const other = ownEndpoint(update);
  if (other !== undefined && isOwnedAsSent(update)) update.object = other(object, clone(old), core.strategyContext);
  if (subresource === 'status' || other !== undefined) return;
  const { strategy } = served.definition;
  update.object = strategy.prepareForUpdate?.(object, clone(old), core.strategyContext) ?? object;
}

export function countGeneration({ served, object, old, subresource }: Update): void {
  const generation = subresource === 'status' ? undefined : generationAfter(object, old, served.definition);
  if (generation !== undefined) objectIn(object, 'metadata')['generation'] = generation;
}

/** Of what a subresource changes nothing is said, but of replicas, which are the object's own. */
export function warnChanged({ object, old, warnings, subresource, served }: Update): void {
  if (subresource === undefined || subresource === 'scale')
    append(warnings, warningsOf(object, old, served.definition));
}

/** What was empty and is not stored was a change all the same, so that the times of managers count: of one second they are equal. */
function isSame({ old, object, trimmed = false, surplus = false }: Update): boolean {
  if (surplus) return false;
  return trimmed ? sameValue(old, object) : sameButTimes(old, object);
}

/** Stores what an update made of an object; one that changed nothing is not stored, unless it lies there in another version. */
export function storeChanged(update: Update): void {
  const { core, served, old, object, options } = update;
  if (isSame(update)) {
    update.object = old;
    // What a webhook converted is the object as it was sent.
    if (!options.dryRun && isStoredAsBefore(core, served, old)) {
      update.object = save(core, served, served.converts === true ? object : old);
    }
    return;
  }
  if (isReleased(object, served)) {
    if (!options.dryRun) removeObject(core, served, object);
    return;
  }
  update.object = options.dryRun ? unsaved(core, served, object) : saveAdmitted(core, served, update);
}
