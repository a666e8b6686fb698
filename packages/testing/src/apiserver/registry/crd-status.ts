import type { JsonObject } from 'kilter/api';
import { objectIfIn, objectsIn, textIn } from './builtin-fields.ts';
import { metadataOf } from './core.ts';
import { specOf, versionsOf } from './crd-rules.ts';
import { textOf, textsOf } from './text-values.ts';

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

/** Which of the requested names are free; the server accepts those, and tells of the last one that is not. */
function judgeNames(names: JsonObject, taken: NameClaims): NameVerdict {
  const accepted: JsonObject = {};
  let conflict: NameVerdict['conflict'];
  const judge = (field: string, set: ReadonlySet<string>, reason: string): void => {
    const value = names[field];
    if (value === undefined) return;
    const clash = (Array.isArray(value) ? textsOf(value) : [textOf(value)]).find((text) => set.has(text));
    if (clash === undefined) accepted[field] = structuredClone(value);
    else conflict = { reason, message: `"${clash}" is already in use` };
  };
  judge('plural', taken.resources, 'PluralConflict');
  judge('singular', taken.resources, 'SingularConflict');
  judge('shortNames', taken.resources, 'ShortNamesConflict');
  judge('kind', taken.kinds, 'KindConflict');
  judge('listKind', taken.kinds, 'ListKindConflict');
  if (names['categories'] !== undefined) accepted['categories'] = structuredClone(names['categories']);
  return { accepted, conflict };
}

const namesAccepted = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
} as const;
const established = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;
const notAccepted = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
} as const;

function storedVersions(definition: JsonObject, before: readonly string[]): string[] {
  const stored = versionsOf(definition)
    .filter(({ storage }) => storage === true)
    .map((version) => textIn(version, 'name'));
  return [...new Set([...before, ...stored])];
}

/** The status the server gives a definition: accepted names, conditions, and the versions data may be stored in. */
export function definitionStatus(definition: JsonObject, taken: NameClaims, now: string): JsonObject {
  const status = objectIfIn(definition, 'status') ?? {};
  const { accepted, conflict } = judgeNames(objectIfIn(specOf(definition), 'names') ?? {}, taken);
  const before = objectsIn(status, 'conditions');
  const wasEstablished = before.some(
    (condition) => condition['type'] === 'Established' && condition['status'] === 'True',
  );
  const names =
    conflict === undefined ? namesAccepted : ({ type: 'NamesAccepted', status: 'False', ...conflict } as const);
  // Once established, always established: a later clash only keeps the new names out.
  const serving = conflict === undefined || wasEstablished ? established : notAccepted;
  const conditions = withCondition(withCondition(before, names, now), serving, now);
  return {
    ...status,
    conditions,
    acceptedNames: accepted,
    storedVersions: storedVersions(definition, textsOf(status['storedVersions'])),
  };
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

export function withTerminating(
  definition: JsonObject,
  why: { reason: string; message: string },
  now: string,
): JsonObject {
  const status = objectIfIn(definition, 'status') ?? {};
  const conditions = withCondition(
    objectsIn(status, 'conditions'),
    { type: 'Terminating', status: 'True', ...why },
    now,
  );
  return { ...definition, status: { ...status, conditions } };
}
