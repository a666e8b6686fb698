import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, required, tooLong } from '../status/index.ts';
import { isObject, type Issue, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';
import type { ResourceDefinition } from './definition.ts';
import { keyProblems, labelValueProblems, nameProblems, prefixProblems } from './names.ts';

const maxAnnotationBytes = 262_144;
const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

const entriesOf = (metadata: JsonObject, field: string): [string, Json][] =>
  Object.entries(objectIfIn(metadata, field) ?? {});

export const finalizersOf = (metadata: JsonObject): string[] => textsOf(metadata['finalizers']);

function nameIssues(metadata: JsonObject, { strategy }: ResourceDefinition): Issue[] {
  const prefix = textIn(metadata, 'generateName');
  const name = textIn(metadata, 'name');
  const prefixIssues =
    prefix === ''
      ? []
      : prefixProblems(prefix, strategy.nameRule).map((problem) =>
          invalidValue('metadata.generateName', prefix, problem),
        );
  if (name === '') return [...prefixIssues, required('metadata.name', 'name or generateName is required')];
  const issues = nameProblems(name, strategy.nameRule).map((problem) => invalidValue('metadata.name', name, problem));
  return [...prefixIssues, ...issues];
}

function labelIssues(metadata: JsonObject): Issue[] {
  const field = 'metadata.labels';
  return entriesOf(metadata, 'labels').flatMap(([key, value]) => [
    ...keyProblems(key).map((problem) => invalidValue(field, key, problem)),
    ...(typeof value === 'string' ? labelValueProblems(value) : []).map((problem) =>
      invalidValue(field, value, problem),
    ),
  ]);
}

function annotationIssues(metadata: JsonObject): Issue[] {
  const field = 'metadata.annotations';
  const entries = entriesOf(metadata, 'annotations');
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(value)),
    0,
  );
  return [
    ...entries.flatMap(([key]) => keyProblems(key.toLowerCase()).map((problem) => invalidValue(field, key, problem))),
    ...(bytes > maxAnnotationBytes ? [tooLong(field, maxAnnotationBytes)] : []),
  ];
}

function ownerIssues(owner: JsonObject): Issue[] {
  const field = 'metadata.ownerReferences';
  const apiVersion = textIn(owner, 'apiVersion');
  const parts = apiVersion.split('/');
  const versioned = parts.length <= 2 && parts.at(-1) !== '';
  const empty = ['kind', 'name', 'uid'].filter((part) => textIn(owner, part) === '');
  const event = textIn(owner, 'kind') === 'Event' && (apiVersion === 'v1' || apiVersion === 'events.k8s.io/v1');
  return [
    ...(versioned ? [] : [invalidValue(`${field}.apiVersion`, apiVersion, 'version must not be empty')]),
    ...empty.map((part) => invalidValue(`${field}.${part}`, '', 'must not be empty')),
    ...(event
      ? [
          invalidValue(
            field,
            owner,
            `${apiVersion === 'v1' ? '/v1' : apiVersion}, Kind=Event is disallowed from being an owner`,
          ),
        ]
      : []),
  ];
}

function ownersIssues(metadata: JsonObject): Issue[] {
  const owners = objectsIn(metadata, 'ownerReferences');
  const controllers = owners.filter((owner) => owner['controller'] === true);
  const [first, second] = controllers.map((owner) => `${textIn(owner, 'kind')}/${textIn(owner, 'name')}`);
  const several = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
  return [
    ...owners.flatMap(ownerIssues),
    ...(second === undefined ? [] : [invalidValue('metadata.ownerReferences', owners, several)]),
  ];
}

/** Groups whose kinds are checked by the rules for all, which ask less of a finalizer than those for the oldest kinds. */
const genericGroups = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
]);

/** Custom resources only get a warning for a finalizer without a domain. */
function finalizerIssues(metadata: JsonObject, { custom, group }: ResourceDefinition): Issue[] {
  const finalizers = finalizersOf(metadata);
  const both = finalizers.includes('orphan') && finalizers.includes('foregroundDeletion');
  return [
    ...finalizers.flatMap((finalizer, index) => {
      const field = `metadata.finalizers[${index}]`;
      const issues = keyProblems(finalizer).map((problem) => invalidValue('metadata.finalizers', finalizer, problem));
      const bare =
        !custom && !genericGroups.has(group) && !finalizer.includes('/') && !standardFinalizers.has(finalizer);
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      return [...issues, ...(bare ? [invalidValue(field, finalizer, why)] : [])];
    }),
    ...(both
      ? [invalidValue('metadata.finalizers', finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
      : []),
  ];
}

/** What is looked at twice when an object changes. */
const contentIssues = (metadata: JsonObject): Issue[] => [
  ...labelIssues(metadata),
  ...annotationIssues(metadata),
  ...ownersIssues(metadata),
];

/** What is wrong with an object's metadata, whatever the verb. */
export function metadataIssues(metadata: JsonObject, definition: ResourceDefinition): Issue[] {
  return [...nameIssues(metadata, definition), ...contentIssues(metadata), ...finalizerIssues(metadata, definition)];
}

const fixedFields = ['name', 'namespace', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/** What an update may not change. */
export function metadataUpdateIssues(metadata: JsonObject, old: JsonObject): Issue[] {
  const fixed = fixedFields.filter((field) => (metadata[field] ?? '') !== (old[field] ?? ''));
  const before = new Set(finalizersOf(old));
  const added =
    old['deletionTimestamp'] === undefined ? [] : finalizersOf(metadata).filter((name) => !before.has(name));
  const goList = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${goList}`;
  return [
    ...(added.length > 0 ? [forbiddenField('metadata.finalizers', why)] : []),
    ...fixed.map((field) => immutable(`metadata.${field}`, metadata[field] ?? '')),
    ...contentIssues(metadata),
  ];
}

/** Things the server lets pass and mentions, when they are new. */
export function metadataWarnings(
  metadata: JsonObject,
  old: JsonObject | undefined,
  { custom }: ResourceDefinition,
): string[] {
  if (!custom) return [];
  const before = old === undefined ? [] : finalizersOf(old);
  return finalizersOf(metadata)
    .filter((name) => !name.includes('/') && !standardFinalizers.has(name) && !before.includes(name))
    .map(
      (name) =>
        `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

/** Owner references name each owner once; the warning names what was dropped, and patches are looked at later. */
export function dedupeOwners(metadata: JsonObject, when: 'before' | 'after' = 'before'): string[] {
  const references = metadata['ownerReferences'];
  if (!Array.isArray(references)) return [];
  const kept: Json[] = [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const owner of references) {
    const uid = isObject(owner) ? textIn(owner, 'uid') : '';
    const key = JSON.stringify(owner);
    if (seen.has(key)) repeated.add(uid);
    else kept.push(owner);
    seen.add(key);
  }
  if (repeated.size === 0) return [];
  metadata['ownerReferences'] = kept;
  return [
    `.metadata.ownerReferences contains duplicate entries${when === 'after' ? ' after mutating admission happens' : ''}; ` +
      'API server dedups owner references in 1.20+, and may reject ' +
      `such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  ];
}
