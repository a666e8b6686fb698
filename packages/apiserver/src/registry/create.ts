import { formatTime, type JsonObject } from 'kilter/api';
import { dedupeOwners, metadataWarnings, type ResourceDefinition } from '../kinds/index.ts';
import { applyDefaults } from '../schema/index.ts';
import { alreadyExists, forbidden, unnamed } from '../status/index.ts';
import { append, metadataOf, objectIn, parseJson, textIn } from '../values/index.ts';
import type { AskedFor } from './ask.ts';
import { keyOf, objectKey, saveAdmitted, unsaved } from './core.ts';
import { generatedName, uuid } from './generated-names.ts';
import type { Creation } from './write.ts';

/** KEP-4420: a generated name that is taken is tried again. */
const maxNameAttempts = 8;

const versionSet = (): Error => unnamed('resourceVersion should not be set on objects to be created');

export function checkNew({ served, object, options, ignoresVersion }: Creation): void {
  const metadata = metadataOf(object);
  const version = textIn(metadata, 'resourceVersion');
  // What is not a number says nothing, and of a trial nobody asks.
  if (/^0*[1-9]\d*$/.test(version) && !ignoresVersion && !options.dryRun) throw versionSet();
  const refused = served.refusesCreate();
  if (refused !== undefined) throw forbidden(served.definition, textIn(metadata, 'name'), { message: refused });
}

/** Takes out what only the server decides, whatever the client sent. */
export function clearNew(creation: Creation): void {
  const { object, warnings } = creation;
  const metadata = objectIn(object, 'metadata');
  for (const field of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
    delete metadata[field];
  append(warnings, dedupeOwners(metadata));
  creation.object = withoutStatus(creation);
}

/** The status of a custom resource that has the subresource is written there alone, by webhooks as by clients. */
function withoutStatus({ object, served: { definition } }: Creation): JsonObject {
  if (!definition.custom || !definition.hasStatus) return object;
  const { status: _, ...rest } = object;
  return rest;
}

export function defaultNew(creation: Creation): void {
  const { strategy } = creation.served.definition;
  creation.object = strategy.defaults?.(creation.object) ?? creation.object;
}

function freeName({ core, served }: Creation, metadata: JsonObject): void {
  const prefix = textIn(metadata, 'generateName');
  if (textIn(metadata, 'name') !== '' || prefix === '') return;
  for (let attempt = 0; attempt < maxNameAttempts; attempt += 1) {
    const name = generatedName(prefix, core.random);
    metadata['name'] = name;
    if (core.storage.read(served.bucket, keyOf(served, textIn(metadata, 'namespace'), name)) === undefined) return;
  }
}

export function beginNew(creation: Creation): void {
  const { core, served, object } = creation;
  const metadata = objectIn(object, 'metadata');
  freeName(creation, metadata);
  metadata['uid'] = uuid(core.random);
  metadata['creationTimestamp'] = formatTime(core.clock.now());
  if (served.definition.strategy.generation) metadata['generation'] = 1;
}

/** A status nobody may send on create begins as its schema says. */
export function prepareNew(creation: Creation & Partial<AskedFor>): void {
  const { core, served, user } = creation;
  const object = withoutStatus(creation);
  const { strategy, custom, hasStatus, schema } = served.definition;
  const prepared = strategy.prepareForCreate?.(object, { ...core.strategyContext, user }) ?? object;
  creation.object = custom && hasStatus ? applyDefaults(prepared, schema) : prepared;
}

/** What the server has to say of a valid object, even if it does not take it in the end. */
export function warningsOf(object: JsonObject, old: JsonObject | undefined, definition: ResourceDefinition): string[] {
  const before = old === undefined ? undefined : metadataOf(old);
  return [
    ...metadataWarnings(metadataOf(object), before, definition),
    ...(definition.strategy.warnings?.(object, old) ?? []),
  ];
}

export function warnNew({ object, warnings, served: { definition } }: Creation): void {
  append(warnings, warningsOf(object, undefined, definition));
}

/** Whether stored content is marked for deletion, whatever its version. */
function isMarked(text: string): boolean {
  return metadataOf(parseJson(text) as JsonObject)['deletionTimestamp'] !== undefined;
}

/** An object nobody stores keeps the version that was sent. */
function unsavedNew({ core, served, object, sent }: Creation): JsonObject {
  const version = textIn(sent, 'resourceVersion');
  const answered = unsaved(core, served, object);
  if (version === '') return answered;
  return { ...answered, metadata: { ...metadataOf(answered), resourceVersion: version } };
}

/** Does all but storing on a dry run. */
export function storeNew(creation: Creation): void {
  const { core, served, object, options, ignoresVersion } = creation;
  const { definition } = served;
  const metadata = metadataOf(object);
  // By those who admitted it: what is not a number is passed over here.
  const isSet = /^0*[1-9]\d*$/.test(textIn(metadata, 'resourceVersion'));
  if (!ignoresVersion && !options.dryRun && isSet) throw versionSet();
  const there = core.storage.read(served.bucket, objectKey(served, object));
  if (there !== undefined) {
    throw alreadyExists(definition, textIn(metadata, 'name'), isMarked(there.text));
  }
  creation.object = options.dryRun ? unsavedNew(creation) : saveAdmitted(core, served, creation);
}
