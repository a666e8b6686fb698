import { apiVersionOf, formatTime, type JsonObject } from 'kilter/api';
import { trackUpdate } from '../apply/index.ts';
import type { WriteOptions } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { metadataOf } from '../values/index.ts';
import type { Core } from './core.ts';
import { resetFields } from './subresource-fields.ts';
import { versionsOf } from './versions.ts';
import type { Creation, Update } from './write.ts';

/** The object with the ownership recorded on another one. */
export function withManagedFields(object: JsonObject, recorded: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  const managedFields = metadataOf(recorded)['managedFields'];
  return { ...object, metadata: { ...metadata, ...(managedFields !== undefined && { managedFields }) } };
}

/** Whoever creates an object owns all that is in it; the server looks before anybody else adds to it. */
export function ownNew(creation: Creation): void {
  const { core, served, options, object } = creation;
  const { definition } = served;
  if (creation.tracked) return;
  const recorded = trackUpdate({
    updated: object,
    schema: definition.schema,
    manager: options.manager,
    apiVersion: apiVersionOf(definition),
    resetFields: resetFields(definition, undefined),
    builtin: !definition.custom,
    now: formatTime(core.clock.now()),
  });
  creation.object = withManagedFields(object, recorded);
}

export interface Posted {
  readonly object: JsonObject;
  readonly resource: ResourceDefinition;
  readonly subresource: string;
}

/** Whoever posts a body owns what is in it, though it is not stored. */
export function ownPosted(
  core: Core,
  { object, resource, subresource }: Posted,
  { manager }: WriteOptions,
): JsonObject {
  const recorded = trackUpdate({
    updated: object,
    schema: resource.schema,
    manager,
    apiVersion: apiVersionOf(resource),
    subresource,
    resetFields: [],
    builtin: true,
    now: formatTime(core.clock.now()),
  });
  return withManagedFields(object, recorded);
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

/** Whoever changes a field owns it. */
export function ownChanged(update: Update): void {
  const { core, served, old, object, options, subresource, sent } = update;
  const { definition } = served;
  const { managedFields } = sent;
  const seen = managedFields === undefined ? object : withManagedFields(object, { metadata: sent });
  if (update.tracked) {
    update.object = withManagedFields(object, { metadata: sent });
    return;
  }
  const recorded = trackUpdate({
    live: old,
    updated: withDeletionAsSent(seen, sent),
    schema: definition.schema,
    manager: options.manager,
    apiVersion: apiVersionOf(definition),
    subresource,
    resetFields: resetFields(definition, subresource),
    builtin: !definition.custom,
    versions: versionsOf(core, served, 'update'),
    now: formatTime(core.clock.now()),
  });
  update.object = withManagedFields(object, recorded);
}
