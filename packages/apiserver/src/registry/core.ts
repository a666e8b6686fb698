import { apiVersionOf, type JsonObject } from 'kilter/api';
import type { ServerClock } from '../calls/index.ts';
import { decodeCustom } from '../decoding/index.ts';
import type { Catalog, Served, StrategyContext } from '../kinds/index.ts';
import { unnamed } from '../status/index.ts';
import { type Storage, StorageFull, type Stored } from '../storage/index.ts';
import { clone, metadataOf, objectIn, ordered, parseJson, type Shape, stringifyJson, textIn } from '../values/index.ts';
import type { WatchHub } from '../watch/index.ts';
import type { AdmissionStep, Authority } from './admission-step.ts';
import { type Conversions, needsWebhook } from './conversions.ts';
import type { ServicesInUse } from './services-in-use.ts';
import type { SharedObjects } from './shared-objects.ts';

/** What the verbs share. */
export interface Core {
  readonly storage: Storage;
  readonly hub: WatchHub;
  readonly catalog: Catalog;
  readonly shared: SharedObjects;
  readonly services: ServicesInUse;
  readonly clock: ServerClock;
  readonly random: () => number;
  readonly strategyContext: StrategyContext;
  /** Who is asked about the changes of clients, in this order. */
  readonly admission: readonly AdmissionStep[];
  /** Who says what users may do. */
  readonly authority: Authority;
  /** Versions of objects that a webhook makes. */
  readonly conversions: Conversions;
}

/** etcd refuses a request above this, whatever the API server thinks of it. */
const maxObjectBytes = 1.5 * 2 ** 20;

/** Where an object of a resource is in its bucket. */
export function keyOf({ definition }: Served, namespace: string | undefined, name: string): string {
  return definition.namespaced ? `${namespace ?? ''}/${name}` : name;
}

/** Groups whose objects the real server keeps under the group, as it does those of custom resources. */
const groupedKeys = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
const renamedKeys: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  ingresses: 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
};

/** The key of an object in etcd, which a few refusals name. */
export function etcdKey(served: Served, namespace: string, name: string): string {
  const { group, plural, custom } = served.definition;
  const folder = custom || groupedKeys.has(group) ? `${group}/${plural}` : (renamedKeys[plural] ?? plural);
  return `/registry/${folder}/${keyOf(served, namespace, name)}`;
}

/** Where this very object stands. */
export function objectKey(served: Served, object: JsonObject): string {
  const metadata = metadataOf(object);
  return keyOf(served, textIn(metadata, 'namespace'), textIn(metadata, 'name'));
}

/** The beginning of the keys a list or watch covers. */
export function prefixOf({ definition }: Served, namespace: string | undefined): string {
  return definition.namespaced && namespace !== undefined ? `${namespace}/` : '';
}

/** An object in another version, if it is not of that version already; may throw `Unconverted`. */
export function converted({ conversions }: Core, target: Served, object: JsonObject): JsonObject {
  return needsWebhook(target, object) ? conversions.convert(target, object) : object;
}

/** A private copy of stored content in a served version, with its resourceVersion; may throw `Unconverted`. */
export function load(core: Core, served: Served, { text, revision }: { text: string; revision: number }): JsonObject {
  const object = served.fromStored(converted(core, served, parseJson(text) as JsonObject));
  const current = revision > served.schemaSince ? object : decodeCustom(object, served.definition).value;
  objectIn(current, 'metadata')['resourceVersion'] = String(revision);
  return current;
}

/** What readers get of an object, whose kind may hide a part of it. */
export const seen = ({ definition: { strategy } }: Served, object: JsonObject): JsonObject =>
  strategy.seen?.(object) ?? object;

/** As `load`, for those who only read: all of them get the same object. */
export function show(core: Core, served: Served, stored: { text: string; revision: number }): JsonObject {
  const { revision } = stored;
  // What a webhook made of an object is good for one call.
  if (served.webhook !== undefined) return seen(served, load(core, served, stored));
  const known = core.shared.get(revision, served);
  if (known !== undefined) return known;
  const object = seen(served, load(core, served, stored));
  core.shared.put(revision, { served, object, size: stored.text.length });
  return object;
}

export function read(core: Core, served: Served, key: string): JsonObject | undefined {
  const stored: Stored | undefined = core.storage.read(served.bucket, key);
  return stored && load(core, served, stored);
}

/**
 * Ends the text of a custom resource that was stored with fields its schema does not know. They are not in the text,
 * since nobody gets to
 * see them, but the next write differs from what is stored.
 */
const surplusMark = ' ';

/** Whether a custom resource lies there in another form than is stored now: then a write that changes nothing is a write all the same. */
export function isStoredAsBefore(core: Core, served: Served, object: JsonObject): boolean {
  const target = core.catalog.storedIn(served.bucket);
  if (!served.definition.custom || target === undefined) return false;
  const found = core.storage.read(served.bucket, objectKey(served, object));
  if (found === undefined) return false;
  if (found.text.endsWith(surplusMark)) return true;
  return textIn(parseJson(found.text) as JsonObject, 'apiVersion') !== apiVersionOf(target.definition);
}

/** What is stored of an object, and what its readers will find; may throw `Unconverted`. */
export function storedForm(core: Core, served: Served, object: JsonObject): { stored: JsonObject; shown: JsonObject } {
  const target = core.catalog.storedIn(served.bucket) ?? served;
  const stored = served.toStored(converted(core, target, withoutVersion(clone(object))));
  if (served.converts !== true) return { stored, shown: object };
  const shown = served.fromStored(converted(core, served, clone(stored)));
  return { stored, shown: { ...shown, metadata: restored(shown, object) } };
}

function withoutVersion(object: JsonObject): JsonObject {
  delete objectIn(object, 'metadata')['resourceVersion'];
  return object;
}

/** A conversion may change labels and annotations, and nothing else of metadata. */
function restored(shown: JsonObject, object: JsonObject): JsonObject {
  const { labels: _, annotations: __, ...metadata } = metadataOf(object);
  const { labels, annotations } = metadataOf(shown);
  return { ...metadata, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
}

/** One and the same: the keys of custom resources are sorted at every depth. */
const mapShape: Shape = {};

/** In the order it is answered in, with a place for the version it gets by being stored: who reads it has nothing to sort. */
function plainForm({ definition: { custom, schema } }: Served, object: JsonObject): JsonObject {
  const { resourceVersion: _, ...own } = metadataOf(object);
  // What is stored of a custom resource may be sent to a webhook, which sees no such place.
  const metadata = custom ? own : { ...own, resourceVersion: '' };
  return ordered({ ...object, metadata }, custom ? mapShape : schema);
}

const isPlain = (core: Core, served: Served): boolean =>
  served.converts !== true && core.catalog.storedIn(served.bucket) === served;

/** Writes an object and answers it with its new resourceVersion. */
export const save = (core: Core, served: Served, object: JsonObject): JsonObject =>
  saveAdmitted(core, served, { object });

/** As `save`, for what may have had fields beside its schema. */
export function saveAdmitted(
  core: Core,
  served: Served,
  { object, surplus = false }: { readonly object: JsonObject; readonly surplus?: boolean },
): JsonObject {
  const plain = isPlain(core, served) ? plainForm(served, object) : undefined;
  const { stored, shown } = plain === undefined ? storedForm(core, served, object) : { stored: plain, shown: plain };
  const text = stringifyJson(stored) + (surplus ? surplusMark : '');
  if (Buffer.byteLength(text) > maxObjectBytes) throw unnamed('etcdserver: request is too large');
  const key = objectKey(served, object);
  const revision = core.storage.revision + 1;
  const answered = { ...shown, metadata: { ...metadataOf(shown), resourceVersion: String(revision) } };
  // What is answered now is what others will read: listeners receive it within the write.
  if (plain !== undefined) core.shared.put(revision, { served, object: seen(served, answered), size: text.length });
  write(core, served, { key, text });
  return answered;
}

/** The object as it would come back, without writing it. */
export function unsaved(core: Core, served: Served, object: JsonObject): JsonObject {
  return served.converts === true ? storedForm(core, served, object).shown : object;
}

function write(core: Core, { bucket }: Served, { key, text }: { key: string; text: string }): void {
  const next = core.storage.revision + 1;
  try {
    core.storage.write(bucket, key, text);
  } catch (error) {
    if (core.storage.revision < next) core.shared.drop(next);
    if (error instanceof StorageFull) throw unnamed(`etcdserver: mvcc: database space exceeded: ${error.message}`);
    throw error;
  }
}
