import type { Json } from 'kilter/api';
import { at, child, entry, forbidden, invalid, notSupported, required } from '../schema/index.ts';
import { fieldOf, type Issue } from '../values/index.ts';
import { branchesOf } from './junctors.ts';
import { listTypeKeywordIssues } from './list-types.ts';
import type { SchemaPosition } from './place.ts';
import { isPresent, unsupportedKeywords } from './readable.ts';
import { ruleIssues } from './rules.ts';
import type { WrittenSchema } from './shape.ts';

/** Keywords that are refused or that contradict each other, here and below. */
export function keywordIssues(schema: WrittenSchema, place: SchemaPosition): Issue[] {
  return [
    ...standardIssues(schema, place),
    ...additionalPropertiesIssues(schema, place),
    ...propertiesIssues(schema, place),
    ...branchesOf(schema).flatMap((branch) =>
      keywordIssues(branch.schema, { ...place, path: `${place.path}.${branch.name}`, root: false }),
    ),
    ...itemsIssues(schema, place),
    ...preserveIssues(schema, place.path),
    ...mapTypeIssues(schema, place.path),
    ...listTypeKeywordIssues(schema, place.path),
    ...ruleIssues(schema, place.path),
  ];
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function standardIssues(schema: WrittenSchema, { path, noDefaults, insideMetadata }: SchemaPosition): Issue[] {
  const { type = '' } = schema;
  const issues: Issue[] = [];
  if (type !== '' && !types.includes(type)) issues.push(notSupported(child(path, 'type'), type, types));
  if (isDefined(schema.default) && noDefaults !== undefined) {
    issues.push(forbidden(child(path, 'default'), `must not be set ${noDefaults}`.trimEnd()));
  }
  for (const keyword of unsupportedKeywords) {
    if (isPresent(schema[keyword])) issues.push(forbidden(child(path, keyword), `${keyword} is not supported`));
  }
  if (type === 'null') {
    issues.push(forbidden(child(path, 'type'), 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    issues.push(forbidden(child(path, 'items'), 'items must be a schema object and not an array'));
  }
  if (insideMetadata && schema['x-kubernetes-embedded-resource'] === true) {
    issues.push(forbidden(child(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta'));
  }
  if (schema.uniqueItems === true) {
    issues.push(
      forbidden(
        child(path, 'uniqueItems'),
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  }
  return issues;
}

export function isDefined(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function additionalPropertiesIssues(schema: WrittenSchema, place: SchemaPosition): Issue[] {
  const { additionalProperties: rest, properties } = schema;
  if (rest === undefined) return [];
  const path = child(place.path, 'additionalProperties');
  const own =
    Object.keys(properties ?? {}).length > 0 && rest !== true
      ? [forbidden(path, 'additionalProperties and properties are mutual exclusive')]
      : [];
  if (typeof rest !== 'object') return own;
  const noDefaults = place.insideMetadata
    ? 'inside additionalProperties applying to object metadata'
    : place.noDefaults;
  return [...own, ...keywordIssues(rest, { ...place, path, root: false, noDefaults })];
}

const resourceFields = new Set(['metadata', 'kind', 'apiVersion']);

function propertiesIssues(schema: WrittenSchema, place: SchemaPosition): Issue[] {
  const isResource = place.root || schema['x-kubernetes-embedded-resource'] === true;
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const ofResource = isResource && resourceFields.has(name);
    return keywordIssues(property, {
      ...place,
      path: entry(child(place.path, 'properties'), name),
      root: false,
      insideMetadata: place.insideMetadata || ofResource,
      noDefaults: ofResource && place.root ? `in top-level ${name}` : place.noDefaults,
    });
  });
}

function itemsIssues({ items }: WrittenSchema, place: SchemaPosition): Issue[] {
  if (items === undefined) return [];
  const path = child(place.path, 'items');
  if (!Array.isArray(items)) return keywordIssues(items as WrittenSchema, { ...place, root: false, path });
  return (items as WrittenSchema[]).flatMap((item, index) =>
    keywordIssues(item, { ...place, root: false, path: at(path, index) }),
  );
}

function preserveIssues(schema: WrittenSchema, path: string): Issue[] {
  const keyword = 'x-kubernetes-preserve-unknown-fields';
  return schema[keyword] === false ? [invalid(child(path, keyword), false, 'must be true or undefined')] : [];
}

function mapTypeIssues(schema: WrittenSchema, path: string): Issue[] {
  const mapType = fieldOf(schema as Record<string, Json>, 'x-kubernetes-map-type');
  if (mapType === undefined) return [];
  const { type = '' } = schema;
  const detail = 'must be object if x-kubernetes-map-type is specified';
  const place = child(path, 'type');
  const ofType = type === 'object' ? [] : [type === '' ? required(place, detail) : invalid(place, type, detail)];
  if (mapType === 'atomic' || mapType === 'granular') return ofType;
  return [...ofType, notSupported(child(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular'])];
}
