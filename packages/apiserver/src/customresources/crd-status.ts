import type { Json, JsonObject } from 'kilter/api';
import { clone, metadataOf, objectIfIn, objectsIn, quote, specOf, textIn, textOf, textsOf } from '../values/index.ts';
import { approvalCondition } from './crd-approval.ts';
import { versionsOf } from './crd-rules.ts';

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

interface Wanted {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The conditions with one of them set; its time changes only with its status. */
export function withCondition(conditions: readonly JsonObject[], wanted: Wanted, now: string): JsonObject[] {
  const before = conditions.find(({ type }) => type === wanted.type);
  const lastTransitionTime = before?.['status'] === wanted.status ? (before['lastTransitionTime'] ?? now) : now;
  const { type, status, reason, message } = wanted;
  const next: JsonObject = { type, status, lastTransitionTime, reason, message };
  return before === undefined
    ? [...conditions, next]
    : conditions.map((condition) => (condition === before ? next : condition));
}

/** The names of a definition, and which definition has taken each of those already taken. */
export interface NameClaims {
  /** Plural, singular and short names of the group; the values do not matter. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and list kinds of the group. */
  readonly kinds: ReadonlySet<string>;
}

/** The names a definition holds. */
export function claimsOf(names: JsonObject): { resources: string[]; kinds: string[] } {
  const texts = (...fields: string[]): string[] =>
    fields.map((field) => textIn(names, field)).filter((text) => text !== '');
  return {
    resources: [...texts('plural', 'singular'), ...textsOf(names['shortNames'])],
    kinds: texts('kind', 'listKind'),
  };
}

interface NameVerdict {
  readonly accepted: JsonObject;
  readonly conflict: { reason: string; message: string } | undefined;
}

/** Which of the requested names are free or already its own; the server accepts those, and tells of the last that is not. */
function judgeNames(names: JsonObject, before: JsonObject, taken: NameClaims): NameVerdict {
  const accepted: JsonObject = clone(before);
  let conflict: NameVerdict['conflict'];
  const judge = (field: string, set: ReadonlySet<string>, reason: string): void => {
    const value = names[field];
    const own = new Set(asTexts(before[field]));
    const clashes = asTexts(value).filter((text) => !own.has(text) && set.has(text));
    const texts = clashes.map((text) => `${quote(text)} is already in use`);
    if (texts.length > 0)
      conflict = { reason, message: texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]` };
    else setOrDrop(accepted, field, value);
  };
  judge('plural', taken.resources, 'PluralConflict');
  judge('singular', taken.resources, 'SingularConflict');
  judge('shortNames', taken.resources, 'ShortNamesConflict');
  judge('kind', taken.kinds, 'KindConflict');
  judge('listKind', taken.kinds, 'ListKindConflict');
  setOrDrop(accepted, 'categories', names['categories']);
  return { accepted, conflict };
}

const asTexts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? textsOf(value) : value === undefined ? [] : [textOf(value)];

function setOrDrop(object: JsonObject, field: string, value: Json | undefined): void {
  if (value === undefined) delete object[field];
  else object[field] = clone(value);
}

const namesAccepted = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
} as const;
const installing = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
} as const;
const established = { ...installing, status: 'True', reason: 'InitialNamesAccepted' } as const;
const notAccepted = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
} as const;

const statusOf = (definition: JsonObject): JsonObject => objectIfIn(definition, 'status') ?? {};
const isTrueIn = (conditions: readonly JsonObject[], type: string): boolean =>
  conditions.some((condition) => condition['type'] === type && condition['status'] === 'True');

function storedVersions(definition: JsonObject, before: readonly string[]): string[] {
  const storage = versionsOf(definition).find((version) => version['storage'] === true);
  return storage === undefined ? [...before] : [...new Set([...before, textIn(storage, 'name')])];
}

/** What a new definition's status says before the server has looked at its names. */
export function createdStatus(definition: JsonObject): JsonObject {
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storedVersions(definition, []),
  };
}

/** The definition with its storage version among those that data may be stored in. */
export function withStoredVersions(definition: JsonObject): JsonObject {
  const status = statusOf(definition);
  const versions = storedVersions(definition, textsOf(status['storedVersions']));
  return { ...definition, status: { ...status, storedVersions: versions } };
}

/** The status after a look at the names: which are accepted, and whether the definition can be served. */
export function namedStatus(definition: JsonObject, taken: NameClaims, now: string): JsonObject {
  const status = statusOf(definition);
  const before = objectsIn(status, 'conditions');
  const requested = objectIfIn(specOf(definition), 'names') ?? {};
  const { accepted, conflict } = judgeNames(requested, objectIfIn(status, 'acceptedNames') ?? {}, taken);
  const names =
    conflict === undefined ? namesAccepted : ({ type: 'NamesAccepted', status: 'False', ...conflict } as const);
  const named = withCondition(before, names, now);
  const known = before.some(({ type }) => type === 'Established');
  // Once established, always established: a later clash only keeps the new names out.
  const settled = isTrueIn(before, 'Established') || (known && conflict !== undefined);
  const conditions = settled ? named : withCondition(named, conflict === undefined ? installing : notAccepted, now);
  return { ...status, conditions, acceptedNames: accepted };
}

/** The status of a definition whose names are accepted and that is served from now on; undefined if that is not so. */
export function establishedStatus(definition: JsonObject, now: string): JsonObject | undefined {
  const status = statusOf(definition);
  const conditions = objectsIn(status, 'conditions');
  if (!isTrueIn(conditions, 'NamesAccepted') || isTrueIn(conditions, 'Established')) return undefined;
  return { ...status, conditions: withCondition(conditions, established, now) };
}

/** The definition marked for deletion: it stays until its objects are gone. */
export function terminating(definition: JsonObject, now: string): JsonObject {
  const metadata = metadataOf(definition);
  const finalizers = textsOf(metadata['finalizers']);
  return withTerminating(
    {
      ...definition,
      metadata: {
        ...metadata,
        deletionTimestamp: now,
        finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
      },
    },
    {
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  );
}

/** The status with the news of its group's approval; undefined if there are none. */
export function approvedStatus(definition: JsonObject, now: string): JsonObject | undefined {
  const status = statusOf(definition);
  const conditions = objectsIn(status, 'conditions');
  const wanted = approvalCondition(definition);
  const before = conditions.find(({ type }) => type === wanted?.type);
  const told = before?.['status'] === wanted?.status && before?.['reason'] === wanted?.reason;
  if (wanted === undefined || (told && before?.['message'] === wanted.message)) return undefined;
  return { ...status, conditions: withCondition(conditions, wanted, now) };
}

/** How far the deletion of a definition's objects has come. */
export type Clearing = 'begun' | 'done';

export function withTerminating(
  definition: JsonObject,
  why: { reason: string; message: string; status?: 'True' | 'False' },
  now: string,
): JsonObject {
  const status = statusOf(definition);
  const wanted = { type: 'Terminating', status: 'True', ...why } as const;
  return {
    ...definition,
    status: { ...status, conditions: withCondition(objectsIn(status, 'conditions'), wanted, now) },
  };
}

/** The definition with the news of its objects' deletion. */
export function clearing(definition: JsonObject, stage: Clearing, now: string): JsonObject {
  if (stage === 'begun') {
    const why = { reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' };
    return withTerminating(definition, why, now);
  }
  const served = isTrueIn(objectsIn(statusOf(definition), 'conditions'), 'Established');
  const why = served
    ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
    : { reason: 'NeverEstablished', message: 'resource was never established' };
  return withTerminating(definition, { ...why, status: 'False' }, now);
}
