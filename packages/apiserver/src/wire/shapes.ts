import type { Shape } from '../values/index.ts';

/** A struct whose fields come in this order; what is below them, by key. */
function struct(...fields: readonly (string | readonly [string, Shape])[]): Shape {
  const entries = fields.map((field): [string, Shape] => (typeof field === 'string' ? [field, {}] : [...field]));
  return { properties: Object.fromEntries(entries) };
}

const ownerReference = struct('apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion');
const managedFields = struct('manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1', 'subresource');

/** ObjectMeta in the order of its fields. */
export const objectMetaShape: Shape = struct(
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  ['ownerReferences', { items: ownerReference }],
  'finalizers',
  ['managedFields', { items: managedFields }],
);

const listMeta = struct('selfLink', 'resourceVersion', 'continue', 'remainingItemCount');

export function listShape(item: Shape): Shape {
  return struct('kind', 'apiVersion', ['metadata', listMeta], ['items', { items: item }]);
}

/** PartialObjectMetadata, and what else has metadata alone. */
export const partialShape: Shape = struct('kind', 'apiVersion', ['metadata', objectMetaShape]);

const asMade: Shape = { asMade: true };

/** What the server composes itself, with the metadata of an object. */
export const composedShape: Shape = struct(
  'kind',
  'apiVersion',
  ['metadata', objectMetaShape],
  ['spec', asMade],
  ['status', asMade],
);

/** A table whose rows hold objects of this shape. */
export function tableShape(object: Shape): Shape {
  const row = struct(['cells', asMade], ['conditions', asMade], ['object', object]);
  return struct('kind', 'apiVersion', ['metadata', listMeta], ['columnDefinitions', asMade], ['rows', { items: row }]);
}
