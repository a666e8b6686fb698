import { apiVersionOf, keyOfRef, type KindNames, type NamedRef } from '../api/index.ts';
import type { Projection } from './projection.ts';
import { JsonObjectText, type ObjectFacts, type StoredObject } from './stored-object.ts';
import { type Transform, transformed, transformProblem } from './transform.ts';

/** Something a list or watch brought: an object to keep, or what can still be said about one that is not usable. */
export type Received =
  | { readonly usable: true; readonly object: StoredObject; readonly key: string; readonly resourceVersion: string }
  | {
      readonly usable: false;
      readonly problem: string;
      readonly key: string | undefined;
      readonly resourceVersion: string | undefined;
    };

export type Intake = (raw: unknown) => Received;

export interface IntakeOptions {
  readonly names: KindNames;
  readonly metadataOnly: boolean;
  /** Whether the managedFields entries of this manager are kept beside the object. */
  readonly ownManager: (manager: string) => boolean;
  /** Which fields are kept; undefined: all. */
  readonly projection?: Projection | undefined;
  /** Runs once per object that arrives, before anything of it is kept. */
  readonly transform?: Transform | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Keys put the two together with a slash, so neither has one. */
function segment(value: unknown): string | undefined {
  const given = text(value);
  return given?.includes('/') === true ? undefined : given;
}

function refOf(metadata: Fields, { scope }: KindNames): NamedRef | undefined {
  const name = segment(metadata['name']);
  if (name === undefined) return undefined;
  if (scope === 'Cluster') return { name };
  const namespace = segment(metadata['namespace']);
  return namespace === undefined ? undefined : { namespace, name };
}

function isLabels(value: unknown): value is Record<string, string> {
  return isFields(value) && Object.values(value).every((label) => typeof label === 'string');
}

/** What is wrong with an object that has a name, or undefined. */
function problemOf(raw: Fields, metadata: Fields, names: KindNames): string | undefined {
  const { kind } = raw;
  if (kind !== undefined && kind !== names.kind && kind !== 'PartialObjectMetadata') {
    return `is of the unexpected kind ${JSON.stringify(kind)}`;
  }
  if (text(metadata['resourceVersion']) === undefined) return 'has no metadata.resourceVersion';
  if (metadata['labels'] !== undefined && !isLabels(metadata['labels'])) return 'has labels that are not strings';
  const owners = metadata['ownerReferences'];
  if (owners !== undefined && !(Array.isArray(owners) && owners.every(isFields))) {
    return 'has ownerReferences that are not a list of objects';
  }
  return holdsInfinity(raw) ? 'has a number that is too large to be read' : undefined;
}

/** JSON has no infinity, but numbers that JSON.parse reads as one: kept, they would become nulls. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInfinity);
}

function controllerUid(metadata: Fields): string | undefined {
  const owners = (metadata['ownerReferences'] ?? []) as readonly Fields[];
  return text(owners.find((owner) => owner['controller'] === true)?.['uid']);
}

export function ownFieldsText(managedFields: unknown, own: IntakeOptions['ownManager']): string | undefined {
  if (!Array.isArray(managedFields)) return undefined;
  const entries = managedFields.filter((entry) => isFields(entry) && own(text(entry['manager']) ?? ''));
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

/** What a store needs to know of an object, and the text to keep. */
function factsOf(raw: Fields, ref: NamedRef, options: IntakeOptions): ObjectFacts {
  const { names, metadataOnly, ownManager, projection } = options;
  const { managedFields } = raw['metadata'] as Fields;
  const kept = projection?.apply(raw) ?? raw;
  const { managedFields: _, ...metadata } = kept['metadata'] as Fields;
  const { apiVersion: __, kind: ___, metadata: ____, ...content } = kept;
  // Items of lists come without apiVersion and kind: readers always get both.
  const type = { apiVersion: apiVersionOf(names), kind: names.kind };
  const { generation } = metadata;
  return {
    key: keyOfRef(ref),
    ref,
    uid: text(metadata['uid']) ?? '',
    resourceVersion: metadata['resourceVersion'] as string,
    generation: typeof generation === 'number' ? generation : undefined,
    deleting: text(metadata['deletionTimestamp']) !== undefined,
    labels: metadata['labels'] as Record<string, string> | undefined,
    controllerUid: controllerUid(metadata),
    text: JSON.stringify(metadataOnly ? { ...type, metadata } : { ...type, metadata, ...content }),
    ownFieldsText: ownFieldsText(managedFields, ownManager),
  };
}

/** What `facts` becomes in a store of its kind. */
export type Keep = (facts: ObjectFacts) => StoredObject;

/** How objects of one informer are taken in: checked one by one, so that a bad one affects itself only. */
export function intakeOf(options: IntakeOptions, keep: Keep = (facts) => new JsonObjectText(facts)): Intake {
  return (raw) => {
    const metadata = isFields(raw) ? raw['metadata'] : undefined;
    if (!isFields(raw) || !isFields(metadata)) {
      return { usable: false, problem: 'is not an object with metadata', key: undefined, resourceVersion: undefined };
    }
    const ref = refOf(metadata, options.names);
    const resourceVersion = text(metadata['resourceVersion']);
    const problem = ref === undefined ? 'has no usable name or namespace' : problemOf(raw, metadata, options.names);
    if (ref === undefined || problem !== undefined) {
      const key = ref === undefined ? undefined : keyOfRef(ref);
      return { usable: false, problem: problem ?? '', key, resourceVersion };
    }
    try {
      const given = options.transform === undefined ? raw : transformed(raw, options.names, options.transform);
      const object = keep(factsOf(given, ref, options));
      return { usable: true, object, key: object.key, resourceVersion: object.resourceVersion };
    } catch (error) {
      if (options.transform === undefined) throw error;
      return { usable: false, problem: transformProblem(error), key: keyOfRef(ref), resourceVersion };
    }
  };
}
