import type { Json, JsonObject } from 'kilter/api';
import { at, child, entry } from './field-path.ts';
import { invalid, required } from './issue.ts';
import { letterFirstLabelFlaws } from './names.ts';
import { metadataIssues } from './object-metadata.ts';
import { field, isObject } from './plain-data.ts';
import type { Issue, Schema } from './schema.ts';

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
  const property = schema.properties && field(schema.properties, key);
  if (property !== undefined) return embeddedResourceIssues(value, property, child(path, key));
  const rest = schema.additionalProperties;
  return typeof rest === 'object' ? embeddedResourceIssues(value, rest, entry(path, key)) : [];
}

function resourceIssues(resource: JsonObject, path: string): Issue[] {
  return [
    ...apiVersionIssues(field(resource, 'apiVersion'), child(path, 'apiVersion')),
    ...kindIssues(field(resource, 'kind'), child(path, 'kind')),
    ...embeddedMetadataIssues(field(resource, 'metadata'), child(path, 'metadata')),
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
  const named = isObject(metadata) && !field(metadata, 'name') ? { ...metadata, name: 'unnamed' } : metadata;
  const namespaced = isObject(metadata) && Boolean(field(metadata, 'namespace'));
  return metadataIssues(named, { nameRule: 'path-segment', namespaced, path });
}
