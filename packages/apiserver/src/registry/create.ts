import { apiVersionOf, formatTime, type JsonObject } from 'kilter/api';
import { namespaceLifecycle } from '../admission/index.ts';
import { trackUpdate } from '../apply/index.ts';
import type { WriteOptions } from '../calls/index.ts';
import { settledObject } from '../decoding/index.ts';
import { dedupeOwners, metadataWarnings, type ResourceDefinition, type Served } from '../kinds/index.ts';
import { applyDefaults } from '../schema/index.ts';
import { alreadyExists, forbidden, notFound, unnamed } from '../status/index.ts';
import { metadataOf, objectIn, textIn } from '../values/index.ts';
import { type Core, keyOf, read, save, unsaved } from './core.ts';
import { generatedName, uuid } from './generated-names.ts';
import { admitted } from './kind-admission.ts';
import { resetFields } from './subresource-fields.ts';
import { refuseInvalid } from './validation.ts';

export interface Creation {
  readonly served: Served;
  /** Decoded and placed; the server's own from here on. */
  readonly object: JsonObject;
  readonly options: WriteOptions;
  /** An apply brings its ownership along. */
  readonly tracked: boolean;
  /** A PUT or an apply that creates may carry the version it once saw. */
  readonly ignoresVersion?: boolean;
}

export interface Written {
  readonly object: JsonObject;
  readonly warnings: string[];
}

const namespaceResource = { group: '', plural: 'namespaces' };

/** KEP-4420: a generated name that is taken is tried again. */
const maxNameAttempts = 8;

function refuseNamespace(core: Core, { served, object }: Creation): void {
  const { definition } = served;
  const metadata = metadataOf(object);
  const name = textIn(metadata, 'namespace');
  const namespaces = core.catalog.storedIn('/namespaces');
  if (!definition.namespaced || namespaces === undefined) return;
  const namespace = read(core, namespaces, name);
  const terminating = namespace !== undefined && metadataOf(namespace)['deletionTimestamp'] !== undefined;
  const refusal = namespaceLifecycle({ name, exists: namespace !== undefined, terminating });
  if (refusal?.type === 'missing') throw notFound(namespaceResource, name);
  if (refusal !== undefined) {
    throw forbidden(definition, textIn(metadata, 'name'), { message: refusal.message, causes: [refusal.cause] });
  }
}

function refuseCreate({ served, object, ignoresVersion }: Creation): void {
  const metadata = metadataOf(object);
  const version = textIn(metadata, 'resourceVersion');
  if (version !== '' && version !== '0' && ignoresVersion !== true) {
    throw unnamed('resourceVersion should not be set on objects to be created');
  }
  const refused = served.refusesCreate();
  if (refused !== undefined) throw forbidden(served.definition, textIn(metadata, 'name'), { message: refused });
}

/** Fills what only the server decides, whatever the client sent. */
function begin(core: Core, served: Served, object: JsonObject): void {
  const metadata = objectIn(object, 'metadata');
  for (const field of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
    delete metadata[field];
  metadata['uid'] = uuid(core.random);
  metadata['creationTimestamp'] = formatTime(core.clock.now());
  if (served.definition.strategy.generation) metadata['generation'] = 1;
}

function freeName(core: Core, { served, object }: Creation): void {
  const metadata = objectIn(object, 'metadata');
  const prefix = textIn(metadata, 'generateName');
  if (textIn(metadata, 'name') !== '' || prefix === '') return;
  for (let attempt = 0; attempt < maxNameAttempts; attempt += 1) {
    const name = generatedName(prefix, core.random);
    metadata['name'] = name;
    if (core.storage.read(served.bucket, keyOf(served, textIn(metadata, 'namespace'), name)) === undefined) return;
  }
}

/** The object with what its kind adds, and with its first owner on record. */
function prepared(core: Core, creation: Creation): JsonObject {
  const { served, options, tracked } = creation;
  const { definition } = served;
  const { strategy, custom, hasStatus } = definition;
  const { status: _, ...withoutStatus } = creation.object;
  const sent = custom && hasStatus ? withoutStatus : creation.object;
  const defaulted = strategy.defaults?.(sent) ?? sent;
  const allowed = admitted(core, { definition, object: structuredClone(defaulted), old: undefined });
  const complete = strategy.prepareForCreate?.(allowed, core.strategyContext) ?? allowed;
  if (tracked) return complete;
  const recorded = trackUpdate({
    updated: custom && strategy.defaults === undefined ? complete : defaulted,
    schema: definition.schema,
    manager: options.manager,
    apiVersion: apiVersionOf(definition),
    resetFields: resetFields(definition, undefined),
    builtin: !custom,
    now: formatTime(core.clock.now()),
  });
  return withManagedFields(complete, recorded);
}

/** The object with the ownership recorded on another one. */
export function withManagedFields(object: JsonObject, recorded: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  const managedFields = metadataOf(recorded)['managedFields'];
  return { ...object, metadata: { ...metadata, ...(managedFields !== undefined && { managedFields }) } };
}

/** A status nobody may send on create begins as its schema says. */
function withDefaultStatus(object: JsonObject, { custom, hasStatus, schema }: ResourceDefinition): JsonObject {
  return custom && hasStatus ? applyDefaults(object, schema) : object;
}

/** Stores a new object, or does all but that on a dry run. */
export function createObject(core: Core, creation: Creation): Written {
  const { served, options } = creation;
  const { definition } = served;
  refuseCreate(creation);
  refuseNamespace(core, creation);
  freeName(core, creation);
  begin(core, served, creation.object);
  const warnings = dedupeOwners(objectIn(creation.object, 'metadata'));
  const object = settledObject(withDefaultStatus(prepared(core, creation), definition), definition);
  const metadata = metadataOf(object);
  refuseInvalid({ object, old: undefined, definition, subresource: undefined });
  const name = textIn(metadata, 'name');
  const key = keyOf(served, textIn(metadata, 'namespace'), name);
  const there = read(core, served, key);
  if (there !== undefined) throw alreadyExists(definition, name, metadataOf(there)['deletionTimestamp'] !== undefined);
  const stored = options.dryRun ? unsaved(served, object) : save(core, served, object);
  return { object: stored, warnings: [...warnings, ...metadataWarnings(metadata, undefined, definition)] };
}
