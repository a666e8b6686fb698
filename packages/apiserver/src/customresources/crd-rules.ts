import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from 'kilter/api';
import { conversionIssues, dns1035Label, subdomainProblems } from '../kinds/index.ts';
import { immutable, invalidValue, required, unsupported } from '../status/index.ts';
import { structuralProblems } from '../structural/index.ts';
import {
  isObject,
  type Issue,
  metadataOf,
  objectIfIn,
  objectsIn,
  type Schema,
  specOf,
  structJson,
  textIn,
  textsOf,
} from '../values/index.ts';
import { approvalIssues } from './crd-approval.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const maxSelectableFields = 8;

export const versionsOf = (definition: JsonObject): JsonObject[] => objectsIn(specOf(definition), 'versions');
const namesOf = (definition: JsonObject): JsonObject => objectIfIn(specOf(definition), 'names') ?? {};

const badText = (field: string, text: string, problems: readonly string[]): Issue[] =>
  problems.map((problem) => invalidValue(field, text, problem));

function groupIssues(definition: JsonObject, old: JsonObject | undefined): Issue[] {
  const group = textIn(specOf(definition), 'group');
  const name = textIn(metadataOf(definition), 'name');
  const plural = textIn(namesOf(definition), 'plural');
  return [
    // Neither part of the name can change afterwards.
    ...(old !== undefined || name === `${plural}.${group}`
      ? []
      : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...(group === '' ? [required('spec.group')] : badText('spec.group', group, subdomainProblems(group))),
    ...(group !== '' && group.split('.').length < 2
      ? [invalidValue('spec.group', group, 'should be a domain with at least one dot')]
      : []),
  ];
}

function nameIssues(definition: JsonObject): Issue[] {
  const names = namesOf(definition);
  const one = (field: string, kind: boolean): Issue[] => {
    const text = textIn(names, field);
    const place = `spec.names.${field}`;
    if (text === '') return [required(place)];
    const problems = dns1035Label(kind ? text.toLowerCase() : text);
    return badText(
      place,
      text,
      kind ? problems.map((problem) => `may have mixed case, but should otherwise match: ${problem}`) : problems,
    );
  };
  const many = (field: string): Issue[] => {
    return textsOf(names[field]).flatMap((text, index) =>
      badText(`spec.names.${field}[${index}]`, text, dns1035Label(text)),
    );
  };
  const same = textIn(names, 'kind') !== '' && textIn(names, 'kind') === textIn(names, 'listKind');
  return [
    ...one('plural', false),
    ...one('singular', false),
    ...one('kind', true),
    ...one('listKind', true),
    ...many('shortNames'),
    ...(same
      ? [invalidValue('spec.names.listKind', textIn(names, 'listKind'), 'kind and listKind may not be the same')]
      : []),
    ...many('categories'),
  ];
}

function scopeIssues(definition: JsonObject): Issue[] {
  const scope = textIn(specOf(definition), 'scope');
  if (scope === '') return [required('spec.scope')];
  return ['Cluster', 'Namespaced'].includes(scope) ? [] : [unsupported('spec.scope', scope, ['Cluster', 'Namespaced'])];
}

function columnIssues(column: JsonObject, field: string): Issue[] {
  const path = textIn(column, 'jsonPath');
  const type = textIn(column, 'type');
  const format = textIn(column, 'format');
  return [
    ...(textIn(column, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(type === '' ? [required(`${field}.type`, `must be one of ${columnTypes.join(',')}`)] : []),
    ...(type !== '' && !columnTypes.includes(type)
      ? [invalidValue(`${field}.type`, type, `must be one of ${columnTypes.join(',')}`)]
      : []),
    ...(format !== '' && !columnFormats.includes(format)
      ? [invalidValue(`${field}.format`, format, `must be one of ${columnFormats.join(',')}`)]
      : []),
    ...(path === '' ? [required(`${field}.JSONPath`)] : []),
    ...(path !== '' && !path.startsWith('.')
      ? [invalidValue(`${field}.JSONPath`, path, 'must be a simple json path starting with .')]
      : []),
  ];
}

function scaleIssues(scale: JsonObject | undefined, field: string): Issue[] {
  if (scale === undefined) return [];
  return ['specReplicasPath', 'statusReplicasPath'].flatMap((name) => {
    const path = textIn(scale, name);
    const parent = name === 'specReplicasPath' ? '.spec' : '.status';
    if (path === '') return [required(`${field}.${name}`)];
    return path.startsWith(`${parent}.`)
      ? []
      : [invalidValue(`${field}.${name}`, path, `should be a json path under ${parent}`)];
  });
}

/** The schema at a simple path of field names. */
function schemaAt(schema: Schema, path: string): Schema | undefined {
  const steps = path.split('.').filter((step) => step !== '');
  return steps.reduce<Schema | undefined>((below, step) => below?.properties?.[step], schema);
}

function selectableIssues(version: JsonObject, schema: Schema, field: string): Issue[] {
  const paths = objectsIn(version, 'selectableFields').map((selectable) => textIn(selectable, 'jsonPath'));
  const issues = paths.flatMap((path, index) => {
    const place = `${field}[${index}].jsonPath`;
    const type = schemaAt(schema, path)?.type;
    if (path === '') return [required(place)];
    if (path.startsWith('.metadata')) return [invalidValue(place, path, 'must not point to fields in metadata')];
    if (type === undefined) return [invalidValue(place, path, 'is an invalid path: does not refer to a valid field')];
    const scalar = type === 'string' || type === 'boolean' || type === 'integer';
    return scalar ? [] : [invalidValue(place, path, 'must point to a field of type string, boolean or integer')];
  });
  const many: Issue = {
    field,
    reason: 'FieldValueTooMany',
    message: `Too many: ${paths.length}: must have at most ${maxSelectableFields} items`,
  };
  return paths.length > maxSelectableFields ? [...issues, many] : issues;
}

/** The schema of one version as the definition declares it. */
export function declaredSchema(version: JsonObject): Schema | undefined {
  const schema = objectIfIn(version, 'schema')?.['openAPIV3Schema'];
  return isObject(schema) ? (schema as unknown as Schema) : undefined;
}

const longestWarning = 256;

/** What is said of a deprecated version is in a header. */
function deprecationIssues(version: JsonObject, own: string): Issue[] {
  const { deprecationWarning: warning } = version;
  if (typeof warning !== 'string') return [];
  const field = `${own}.deprecationWarning`;
  const wrong = (why: string): Issue => invalidValue(field, warning, why);
  const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  const at = unprintable === null ? 0 : Buffer.byteLength(warning.slice(0, unprintable.index));
  return [
    ...(version['deprecated'] === true ? [] : [wrong('can only be set for deprecated versions')]),
    ...(Buffer.byteLength(warning) > longestWarning ? [wrong(`must be <= ${longestWarning} characters long`)] : []),
    ...(warning === '' ? [wrong('must not be an empty string')] : []),
    ...(unprintable === null
      ? []
      : [wrong(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`)]),
  ];
}

/** The server speaks of a definition with one version as if its parts stood in the spec itself. */
function versionIssues(version: JsonObject, index: number, { length }: readonly JsonObject[]): Issue[] {
  const own = `spec.versions[${index}]`;
  const place = length === 1 ? 'spec' : own;
  const path = length === 1 ? 'spec.validation.openAPIV3Schema' : `${own}.schema.openAPIV3Schema`;
  const name = textIn(version, 'name');
  const schema = declaredSchema(version);
  const subresources = objectIfIn(version, 'subresources') ?? {};
  return [
    ...(name === '' ? [required(`${own}.name`)] : badText(`${own}.name`, name, dns1035Label(name))),
    ...deprecationIssues(version, own),
    ...(schema === undefined
      ? [required(`${own}.schema.openAPIV3Schema`)]
      : structuralProblems(schema, { path, hasStatus: subresources['status'] !== undefined })),
    ...scaleIssues(objectIfIn(subresources, 'scale'), `${place}.subresources.scale`),
    ...objectsIn(version, 'additionalPrinterColumns').flatMap((column, at) =>
      columnIssues(column, `${place}.additionalPrinterColumns[${at}]`),
    ),
    ...selectableIssues(version, schema ?? {}, `${place}.selectableFields`),
  ];
}

/** A field of a version that the server has moved to the spec, because it is the same in all versions. */
function ownField(version: JsonObject, field: string, versions: readonly JsonObject[]): Json {
  const same = versions.every((other) => isDeepStrictEqual(other[field], version[field]));
  return same ? null : (version[field] ?? null);
}

/** Versions as the server quotes them: all their fields, by the names they have inside the server. */
function versionsText(versions: readonly JsonObject[]): string {
  const texts = versions.map((version) =>
    structJson({
      Name: textIn(version, 'name'),
      Served: version['served'] === true,
      Storage: version['storage'] === true,
      Deprecated: version['deprecated'] === true,
      DeprecationWarning: version['deprecationWarning'] ?? null,
      Schema: ownField(version, 'schema', versions),
      Subresources: ownField(version, 'subresources', versions),
      AdditionalPrinterColumns: ownField(version, 'additionalPrinterColumns', versions),
      SelectableFields: ownField(version, 'selectableFields', versions),
    }),
  );
  return `[${texts.join(',')}]`;
}

function versionsIssues(definition: JsonObject): Issue[] {
  const versions = versionsOf(definition);
  const names = versions.map((version) => textIn(version, 'name'));
  const [first = ''] = names;
  const stored = versions.filter(({ storage }) => storage === true);
  const wrong = (why: string): Issue => ({
    field: 'spec.versions',
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${versionsText(versions)}: ${why}`,
  });
  return [
    ...(new Set(names).size === names.length ? [] : [wrong('must contain unique version names')]),
    ...(stored.length === 1 ? [] : [wrong('must have exactly one version marked as storage version')]),
    // To the server, the first version is in its own field as well.
    ...(first === '' ? [] : badText('spec.version', first, dns1035Label(first))),
    ...versions.flatMap(versionIssues),
  ];
}

function preserveIssues(definition: JsonObject): Issue[] {
  const field = 'spec.preserveUnknownFields';
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return specOf(definition)['preserveUnknownFields'] === true ? [invalidValue(field, true, why)] : [];
}

export function isEstablished(definition: JsonObject): boolean {
  const conditions = objectsIn(objectIfIn(definition, 'status') ?? {}, 'conditions');
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

function updateIssues(definition: JsonObject, old: JsonObject): Issue[] {
  const [spec, before] = [specOf(definition), specOf(old)];
  const [names, namesBefore] = [namesOf(definition), namesOf(old)];
  const fixed: [string, Json | undefined, Json | undefined][] = [
    ...(isEstablished(old)
      ? ([
          ['spec.scope', spec['scope'], before['scope']],
          ['spec.names.kind', names['kind'], namesBefore['kind']],
        ] as [string, Json | undefined, Json | undefined][])
      : []),
    ['spec.group', spec['group'], before['group']],
    ['spec.names.plural', names['plural'], namesBefore['plural']],
  ];
  return fixed.flatMap(([field, value, was]) => (value === was ? [] : [immutable(field, value ?? '')]));
}

/** Through its own endpoint a status may name any version: whoever migrates what is stored says so there. */
function storedVersionIssues(definition: JsonObject, old: JsonObject | undefined): Issue[] {
  const field = 'status.storedVersions';
  const versions = versionsOf(definition);
  const names = new Set(versions.map((version) => textIn(version, 'name')));
  const stored = textsOf(objectIfIn(definition, 'status')?.['storedVersions']);
  const none = stored.length === 0 ? [invalidValue(field, null, 'must have at least one stored version')] : [];
  const lacking = versions
    .filter((version) => version['storage'] === true && !stored.includes(textIn(version, 'name')))
    .map((version) => invalidValue(field, stored, `must have the storage version ${textIn(version, 'name')}`));
  const missing = stored.flatMap((name, index) => {
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return names.has(name) ? [] : [invalidValue(`${field}[${index}]`, name, why)];
  });
  if (old !== undefined) return missing;
  return [...none, ...(none.length === 0 ? lacking : []), ...missing];
}

/** What is wrong with a CustomResourceDefinition beyond its own schema. */
export function definitionIssues(definition: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  return [
    ...(old === undefined ? [] : updateIssues(definition, old)),
    ...groupIssues(definition, old),
    ...approvalIssues(definition, old),
    ...scopeIssues(definition),
    ...versionsIssues(definition),
    ...nameIssues(definition),
    ...preserveIssues(definition),
    ...conversionIssues(objectIfIn(specOf(definition), 'conversion') ?? {}),
    ...(subresource === 'status' ? [] : storedVersionIssues(definition, old)),
  ];
}
