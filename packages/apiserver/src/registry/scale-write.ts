import { apiVersionOf, formatTime, type Json, type JsonObject } from 'kilter/api';
import {
  ApplyError,
  applyPatch,
  type ReplicaPaths,
  scaledManagers,
  scaleManagers,
  trackUpdate,
  type Write,
} from '../apply/index.ts';
import { type Call, type WriteOptions, writeOptions } from '../calls/index.ts';
import { decodeBody, decodeFields, patchedText, placeObject } from '../decoding/index.ts';
import { builtinSchema, type ResourceDefinition, type ScalePaths, type Served } from '../kinds/index.ts';
import { conflict, methodNotAllowed, unnamed } from '../status/index.ts';
import { clone, goText, isObject, metadataOf, objectIfIn, type Schema, textIn } from '../values/index.ts';
import { appliedConfiguration, refusedApply } from './apply-object.ts';
import type { Core } from './core.ts';
import { misfit, noObject, patchedDocument } from './patch-object.ts';
import { updateObject } from './pipeline.ts';
import { checkVersion } from './preconditions.ts';
import { replicaSteps, scaled, scaleOf, writableScale } from './scale.ts';
import type { Written } from './write.ts';

const scaleVersion = 'autoscaling/v1';
const integer: Schema = { type: 'integer', format: 'int32' };

const kinds = 'io.k8s.api.autoscaling.v1.';

let known: Schema | undefined;

/** The schema of a Scale; made when the first one is written. */
function scaleSchema(): Schema {
  known ??= {
    type: 'object',
    title: `${kinds}Scale`,
    zeroFields: { metadata: {}, spec: {}, status: {} },
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
      spec: { type: 'object', title: `${kinds}ScaleSpec`, properties: { replicas: integer } },
      status: {
        type: 'object',
        title: `${kinds}ScaleStatus`,
        properties: { replicas: integer, selector: { type: 'string' } },
      },
    },
  };
  return known;
}

/** A write to the Scale of an object that exists. */
export interface ScaleWrite {
  readonly served: Served;
  readonly call: Call;
  readonly old: JsonObject;
}

/** A write with what it is made on: the Scale as it was, with the ownership of its replicas. */
interface Writing extends ScaleWrite {
  readonly scale: JsonObject;
  readonly scalePaths: ScalePaths;
  readonly replicaPaths: ReplicaPaths;
  readonly options: WriteOptions;
}

function begin(core: Core, write: ScaleWrite): Writing {
  const { served, old, call } = write;
  const scalePaths = served.definition.scale;
  if (scalePaths === undefined) throw methodNotAllowed();
  const versions = core.catalog.all().filter(({ bucket }) => bucket === served.bucket);
  const replicaPaths = new Map(
    versions.map(({ definition }) => [
      apiVersionOf(definition),
      definition.scale && replicaSteps(definition.scale.specReplicasPath),
    ]),
  );
  const plain = writableScale(old, scalePaths);
  const managedFields = scaleManagers(metadataOf(old)['managedFields'], replicaPaths);
  const scale = { ...plain, metadata: { ...metadataOf(plain), managedFields } };
  return { ...write, scale, scalePaths, replicaPaths, options: writeOptions(call) };
}

const ownership = (core: Core, { options }: Writing): Write => ({
  schema: scaleSchema(),
  manager: options.manager,
  apiVersion: scaleVersion,
  subresource: 'scale',
  builtin: true,
  now: formatTime(core.clock.now()),
});

/** A Scale as it is read: the kind it is sent to has a kind of its own. */
function scaleDefinition({ served: { definition } }: ScaleWrite): ResourceDefinition {
  const schema = scaleSchema();
  return {
    ...definition,
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    custom: false,
    storedAs: undefined,
    schema,
  };
}

const withWarnings = (written: Written, warnings: readonly string[]): Written => ({
  ...written,
  warnings: [...warnings, ...written.warnings],
});

export async function updateScale(core: Core, write: ScaleWrite): Promise<Written> {
  const writing = begin(core, write);
  const resource = scaleDefinition(write);
  const { object: sent, warnings } = decodeBody({ ...write.call, resource }, writing.options);
  placeObject(sent, write.call);
  return withWarnings(await recorded(core, writing, sent), warnings);
}

/** What a patch makes of a Scale, as refusals quote it: who owns the replicas is noted on the object itself. */
function shownPatch(writing: Writing): string {
  const { call, options, scale } = writing;
  if (call.patchType === 'strategic') return goText(call.body as Json);
  const { managedFields: _, ...metadata } = metadataOf(scale);
  const plain = { ...scale, metadata };
  return patchedText(patchedDocument(plain, call, options.fieldValidation), plain, scaleDefinition(writing));
}

export async function patchScale(core: Core, write: ScaleWrite): Promise<Written> {
  const writing = begin(core, write);
  const patched = patchedDocument(writing.scale, write.call, writing.options.fieldValidation);
  if (!isObject(patched)) throw misfit(shownPatch(writing), noObject);
  const { problem } = decodeFields(patched, scaleDefinition(write));
  if (problem !== undefined) throw misfit(shownPatch(writing), problem);
  placeObject(patched, write.call);
  return recorded(core, writing, patched);
}

async function recorded(core: Core, writing: Writing, sent: JsonObject): Promise<Written> {
  const { scale, old, served } = writing;
  const object = scaled(old, sent, served.definition);
  const updated = { ...scale, spec: { replicas: (sent['spec'] as JsonObject | undefined)?.['replicas'] ?? 0 } };
  const tracked = trackUpdate({ ...ownership(core, writing), live: scale, updated });
  return store(core, writing, { object, sent, tracked });
}

export async function applyScale(core: Core, write: ScaleWrite): Promise<Written> {
  const writing = begin(core, write);
  const { scale, served, call } = writing;
  const applied = appliedConfiguration(call);
  const tracked = appliedScale(core, writing, applied);
  if (served.definition.custom) throw inconvertible(applied);
  placeObject(tracked, call);
  return store(core, writing, {
    object: scaled(writing.old, tracked, served.definition),
    sent: tracked,
    tracked: isObject(tracked['metadata']) ? tracked : scale,
  });
}

function appliedScale(core: Core, writing: Writing, applied: JsonObject): JsonObject {
  const { scale: live, options } = writing;
  try {
    return applyPatch({ ...ownership(core, writing), live, applied, force: options.force, kind: 'Scale' }).object;
  } catch (error) {
    throw error instanceof ApplyError ? refusedApply(error) : error;
  }
}

/** The server looks for the kind of the Scale among the custom resource's own. */
function inconvertible(applied: JsonObject): Error {
  const metadata = metadataOf(applied);
  const who = `${textIn(metadata, 'namespace')}/${textIn(metadata, 'name')}; ${scaleVersion}, Kind=Scale`;
  const why = `request to convert CR to an invalid group/version: ${scaleVersion}`;
  return unnamed(`failed to convert new object (${who}) to proper version: ${why}`);
}

interface Rescaled {
  readonly object: JsonObject;
  readonly sent: JsonObject;
  /** The Scale with its ownership after the write. */
  readonly tracked: JsonObject;
}

/** Stores the object with the replicas and the ownership its Scale got. */
async function store(core: Core, writing: Writing, { object, sent, tracked }: Rescaled): Promise<Written> {
  const { served, old, options, replicaPaths, scalePaths } = writing;
  checkSent(writing, metadataOf(sent));
  const managedFields = scaledManagers({
    managedFields: metadataOf(old)['managedFields'],
    scale: metadataOf(tracked)['managedFields'],
    paths: replicaPaths,
    apiVersion: apiVersionOf(served.definition),
  });
  const { managedFields: _, ...metadata } = metadataOf(object);
  const owned = { ...object, metadata: { ...metadata, ...(managedFields.length > 0 && { managedFields }) } };
  const shownScale = { old: writing.scale, object: shownScaleOf(sent, tracked) };
  const rescaled = { served, old, object: clone(owned), options, subresource: 'scale', tracked: true, shownScale };
  const written = await updateObject(core, rescaled, writing.call.user);
  return { ...written, object: scaleOf(written.object, scalePaths) };
}

/** What was sent or patched, whole, with the ownership it leads to. */
function shownScaleOf(sent: JsonObject, tracked: JsonObject): JsonObject {
  const { managedFields = [] } = metadataOf(tracked);
  const { managedFields: _, ...metadata } = metadataOf(sent);
  const { replicas = 0, selector = '' } = objectIfIn(sent, 'status') ?? {};
  return {
    kind: 'Scale',
    apiVersion: scaleVersion,
    metadata: { ...metadata, ...(Array.isArray(managedFields) && managedFields.length > 0 && { managedFields }) },
    spec: { replicas: objectIfIn(sent, 'spec')?.['replicas'] ?? 0 },
    status: { replicas, ...(selector !== '' && { selector }) },
  };
}

/** A Scale that names a version or uid means that very object. */
function checkSent({ served, old }: Writing, sent: JsonObject): void {
  const { definition } = served;
  const uid = textIn(sent, 'uid');
  const current = textIn(metadataOf(old), 'uid');
  if (uid !== '' && uid !== current && !definition.custom) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current}`;
    throw conflict(definition, textIn(metadataOf(old), 'name'), why);
  }
  if (textIn(sent, 'resourceVersion') !== '') checkVersion({ served, old, object: { metadata: sent } });
}
