import type { Json, JsonObject } from 'kilter/api';
import { letterFirstLabelFlaws } from '../formats/index.ts';
import { fieldOf, isObject, type Issue, type Schema } from '../values/index.ts';
import { at, child, entry } from './field-path.ts';
import { invalid, required } from './issue.ts';
import { metadataIssues } from './object-metadata.ts';

/** apiVersion, kind and metadata of the resources embedded anywhere in a value. */
export function embeddedResourceIssues(value: Json, schema: Schema, path: string = ''): Issue[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item, index) => embeddedResourceIssues(item, items, at(path, index)));
  }
  if (!isObject(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] === true ? resourceIssues(value, path) : [];
  return [...own, ...Object.entries(value).flatMap(([key, item]) => fieldIssues(item, { key, schema, path }))];
}

function fieldIssues(value: Json, { key, schema, path }: { key: string; schema: Schema; path: string }): Issue[] {
  const property = schema.properties && fieldOf(schema.properties, key);
  if (property !== undefined) return embeddedResourceIssues(value, property, child(path, key));
  const rest = schema.additionalProperties;
  return typeof rest === 'object' ? embeddedResourceIssues(value, rest, entry(path, key)) : [];
}

function resourceIssues(resource: JsonObject, path: string): Issue[] {
  return [
    ...apiVersionIssues(fieldOf(resource, 'apiVersion'), child(path, 'apiVersion')),
    ...kindIssues(fieldOf(resource, 'kind'), child(path, 'kind')),
    ...embeddedMetadataIssues(fieldOf(resource, 'metadata'), child(path, 'metadata')),
  ];
}

function apiVersionIssues(apiVersion: Json | undefined, path: string): Issue[] {
  if (apiVersion === undefined) return [required(path)];
  if (typeof apiVersion !== 'string') return [invalid(path, apiVersion, 'must be a string')];
  if (apiVersion === '') return [invalid(path, '', 'must not be empty')];
  if (apiVersion.split('/').length <= 2) return [];
  return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindIssues(kind: Json | undefined, path: string): Issue[] {
  if (kind === undefined) return [required(path)];
  if (typeof kind !== 'string') return [invalid(path, kind, 'must be a string')];
  if (kind === '') return [invalid(path, '', 'must not be empty')];
  const flaws = letterFirstLabelFlaws(kind.toLowerCase());
  if (flaws.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${flaws.join(',')}`)];
}

/** An embedded resource may be a template: it needs no name and no namespace. */
function embeddedMetadataIssues(metadata: Json | undefined, path: string): Issue[] {
  if (metadata === undefined) return [];
  const named = isObject(metadata) && !fieldOf(metadata, 'name') ? { ...metadata, name: 'unnamed' } : metadata;
  const namespaced = isObject(metadata) && Boolean(fieldOf(metadata, 'namespace'));
  return metadataIssues(named, { nameRule: 'path-segment', namespaced, path });
}
