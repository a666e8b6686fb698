import { apiVersionOf, formatTime, type JsonObject } from 'kilter/api';
import { sameButTimes, trackUpdate } from '../apply/index.ts';
import type { WriteOptions } from '../calls/index.ts';
import { settledObject } from '../decoding/index.ts';
import { dedupeOwners, finalizersOf, metadataWarnings, type Served } from '../kinds/index.ts';
import { conflict, invalid, invalidValue, modified, unnamed } from '../status/index.ts';
import { metadataOf, objectIn, textIn } from '../values/index.ts';
import { type Core, etcdKey, objectKey, save, unsaved } from './core.ts';
import { withManagedFields, type Written } from './create.ts';
import { generationAfter } from './generation.ts';
import { admitted } from './kind-admission.ts';
import { resetFields } from './subresource-fields.ts';
import { refuseInvalid } from './validation.ts';
import { versionsOf } from './versions.ts';

export interface Update {
  readonly served: Served;
  /** The stored object in the served version. */
  readonly old: JsonObject;
  /** What it shall become; decoded and placed, the server's own from here on. */
  readonly object: JsonObject;
  readonly options: WriteOptions;
  readonly subresource: string | undefined;
  /** An apply brings its ownership along. */
  readonly tracked: boolean;
  /** The update is the result of a patch. */
  readonly patched?: boolean;
}

/** Refuses a write that was made for another version of the object. */
export function checkVersion({ served, old, object }: Pick<Update, 'served' | 'old' | 'object'>): void {
  const { definition } = served;
  const { group, plural } = definition;
  const sent = textIn(metadataOf(object), 'resourceVersion');
  const current = textIn(metadataOf(old), 'resourceVersion');
  const name = textIn(metadataOf(old), 'name');
  if (sent === current) return;
  if (sent !== '' && !/^\d+$/.test(sent))
    throw unnamed(`strconv.ParseUint: parsing ${JSON.stringify(sent)}: invalid syntax`);
  if (sent !== '' && sent !== '0') throw modified(definition, name);
  if (definition.strategy.unconditionalUpdate) return;
  const issue = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalid({ group, kind: plural }, name, [issue]);
}

/** A PUT that names a uid means that very object. */
export function checkUid({ served, old, object }: Pick<Update, 'served' | 'old' | 'object'>): void {
  const { definition } = served;
  const metadata = metadataOf(old);
  const sent = textIn(metadataOf(object), 'uid');
  const uid = textIn(metadata, 'uid');
  if (sent === '' || sent === uid) return;
  const name = textIn(metadata, 'name');
  const key = etcdKey(served, textIn(metadata, 'namespace'), name);
  const why = `Precondition failed: UID in precondition: ${sent}, UID in object meta: ${uid}`;
  throw conflict(
    definition,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
}

const deletionFields = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/**
 * The object as far as ownership looks at it: the server looks before it puts the marks of a deletion back, so that a
 * write without them gives up owning them.
 */
function withDeletionAsSent(object: JsonObject, sent: JsonObject): JsonObject {
  const metadata = { ...metadataOf(object) };
  for (const field of deletionFields) {
    if (sent[field] === undefined) delete metadata[field];
    else metadata[field] = sent[field];
  }
  return { ...object, metadata };
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

const withStatusOf = (object: JsonObject, { status }: JsonObject): JsonObject => {
  const { status: _, ...rest } = object;
  return status === undefined ? rest : { ...rest, status: structuredClone(status) };
};

/** The old object with a new status; built-in kinds let metadata through as well. */
function statusUpdate({ served: { definition }, old, object }: Update): JsonObject {
  const own = definition.strategy.prepareForStatusUpdate?.(object, old);
  if (own !== undefined) return own;
  const shaped = withStatusOf(structuredClone(old), object);
  return definition.custom ? shaped : { ...shaped, metadata: metadataOf(object) };
}

/** What the endpoint lets a write change, and what ownership is recorded of: that is before the kind has its say. */
function shaped(core: Core, update: Update): { readonly object: JsonObject; readonly seen: JsonObject } {
  const { served, old, object, subresource } = update;
  const { strategy, hasStatus } = served.definition;
  if (subresource === 'status') return alike(statusUpdate(update));
  const other = subresource === undefined ? undefined : strategy.subresourceUpdates?.[subresource];
  if (other !== undefined) return alike(other(object, structuredClone(old)));
  const kept = hasStatus ? withStatusOf(object, old) : object;
  const defaulted = strategy.defaults?.(kept) ?? kept;
  if (strategy.prepareForUpdate === undefined) return alike(defaulted);
  const seen = structuredClone(defaulted);
  return { object: strategy.prepareForUpdate(defaulted, structuredClone(old), core.strategyContext), seen };
}

const alike = (object: JsonObject): { readonly object: JsonObject; readonly seen: JsonObject } => ({
  object,
  seen: object,
});

interface Shaped {
  readonly shapedObject: JsonObject;
  /** What ownership is recorded of. */
  readonly seen: JsonObject;
  /** The metadata the client sent, before the server put anything back. */
  readonly sentMetadata: JsonObject;
}

function tracked(core: Core, update: Update, { shapedObject, seen, sentMetadata }: Shaped): JsonObject {
  const { served, old, options, subresource } = update;
  const { definition } = served;
  if (update.tracked) return withManagedFields(shapedObject, update.object);
  const { managedFields } = metadataOf(update.object);
  const sent = managedFields === undefined ? seen : withManagedFields(seen, update.object);
  const recorded = trackUpdate({
    live: old,
    updated: withDeletionAsSent(sent, sentMetadata),
    schema: definition.schema,
    manager: options.manager,
    apiVersion: apiVersionOf(definition),
    subresource,
    resetFields: resetFields(definition, subresource),
    builtin: !definition.custom,
    versions: versionsOf(core, served),
    now: formatTime(core.clock.now()),
  });
  return withManagedFields(shapedObject, recorded);
}

/** Whether nothing holds an object any more that was marked for deletion. */
export function isReleased(object: JsonObject, { definition }: Served): boolean {
  const metadata = metadataOf(object);
  if (metadata['deletionTimestamp'] === undefined || finalizersOf(metadata).length > 0) return false;
  const grace = metadata['deletionGracePeriodSeconds'];
  return (grace === undefined || grace === 0) && definition.strategy.deletion?.holds?.(object) !== true;
}

/** Takes an object out of the store. */
export function removeObject(core: Core, served: Served, object: JsonObject): number {
  const key = objectKey(served, object);
  return core.storage.remove(served.bucket, key)?.revision ?? core.storage.revision;
}

/** Stores what an update makes of an object; one that changes nothing is not stored. */
export function updateObject(core: Core, update: Update): Written {
  const { served, old, options, subresource } = update;
  const { definition } = served;
  const sentMetadata = { ...metadataOf(update.object) };
  keepMetadata(update.object, old);
  const warnings = dedupeOwners(objectIn(update.object, 'metadata'), update.patched === true ? 'after' : 'before');
  const { object: shapedObject, seen } = shaped(core, update);
  const recorded = tracked(core, update, { shapedObject, seen, sentMetadata });
  const allowed = subresource === undefined ? admitted(core, { definition, object: recorded, old }) : recorded;
  const object = settledObject(allowed, definition);
  const generation = subresource === 'status' ? undefined : generationAfter(object, old, definition);
  if (generation !== undefined) objectIn(object, 'metadata')['generation'] = generation;
  refuseInvalid({ object, old, definition, subresource });
  warnings.push(...metadataWarnings(metadataOf(object), metadataOf(old), definition));
  if (sameButTimes(old, object)) return { object: old, warnings };
  if (isReleased(object, served)) {
    if (!options.dryRun) removeObject(core, served, object);
    return { object, warnings };
  }
  return { object: options.dryRun ? unsaved(served, object) : save(core, served, object), warnings };
}
