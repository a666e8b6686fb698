import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { child, element } from './field-path.ts';
import { cell, code } from './markdown.ts';
import { intOrString, preserve, valuesOf } from './structural.ts';

/** A field on the page of its resource. */
export interface DocumentedField {
  readonly path: string;
  readonly schema: JSONSchemaProps;
  readonly isRequired: boolean;
}

/** All fields below a schema, each after what it stands in. Items and values of maps show only if they have more to say. */
export function fieldsBelow(schema: JSONSchemaProps, path: string): DocumentedField[] {
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const place = child(path, name);
    const isRequired = schema.required?.includes(name) === true;
    return [{ path: place, schema: property, isRequired }, ...fieldsBelow(property, place)];
  });
  const inner = schema.items ?? valuesOf(schema);
  if (inner === undefined) return properties;
  const place = element(path);
  const below = fieldsBelow(inner, place);
  const own = hasOwnWords(inner) ? [{ path: place, schema: inner, isRequired: false }] : [];
  return [...properties, ...own, ...below];
}

function hasOwnWords(schema: JSONSchemaProps): boolean {
  const { description, title, 'x-kubernetes-validations': rules = [] } = schema;
  return description !== undefined || title !== undefined || rules.length > 0 || constraints(schema).length > 0;
}

/** What a field holds, in words. */
export function typeText(schema: JSONSchemaProps): string {
  const text = bareType(schema);
  return schema.nullable === true ? `${text} or null` : text;
}

function bareType(schema: JSONSchemaProps): string {
  if (schema[intOrString] === true) return 'integer or string';
  if (schema['x-kubernetes-embedded-resource'] === true) return 'Kubernetes object';
  const { type, format } = schema;
  if (type === 'array') return `list of ${typeText(schema.items ?? {})}${listText(schema)}`;
  const values = valuesOf(schema);
  if (values !== undefined) return `map of ${typeText(values)}`;
  if (type === undefined) return 'anything';
  if (type === 'object') return schema[preserve] === true ? 'object, other fields kept' : 'object';
  return format === undefined || format === 'int64' ? type : `${type} (${cell(format)})`;
}

function listText(schema: JSONSchemaProps): string {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] === 'map') return `, one for each ${keys.map(code).join(' and ')}`;
  return schema['x-kubernetes-list-type'] === 'set' ? ', each once' : '';
}

/** What a value must satisfy beside its type, one sentence each. */
export function constraints(schema: JSONSchemaProps): string[] {
  return [...counts(schema), ...numbers(schema), ...values(schema), ...unions(schema)];
}

function counts(schema: JSONSchemaProps): string[] {
  return [
    ...between(schema.minLength, schema.maxLength, ['character', 'characters']),
    ...between(schema.minItems, schema.maxItems, ['item', 'items']),
    ...between(schema.minProperties, schema.maxProperties, ['entry', 'entries']),
  ];
}

function between(min: number | undefined, max: number | undefined, [one, many]: readonly [string, string]): string[] {
  const last = max ?? min;
  if (last === undefined) return [];
  const what = last === 1 ? one : many;
  if (min === max) return [`exactly ${last} ${what}`];
  const ends = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])];
  return [`${ends.join(', ')} ${what}`];
}

function numbers(schema: JSONSchemaProps): string[] {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  return [
    ...(minimum === undefined ? [] : [`${exclusiveMinimum === true ? 'more than' : 'at least'} ${minimum}`]),
    ...(maximum === undefined ? [] : [`${exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`]),
    ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
  ];
}

function values({ enum: choices, pattern }: JSONSchemaProps): string[] {
  return [
    ...(choices === undefined ? [] : [`one of ${choices.map((value) => code(JSON.stringify(value))).join(', ')}`]),
    ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
  ];
}

function unions(schema: JSONSchemaProps): string[] {
  const { allOf = [], anyOf, oneOf } = schema;
  const branches = (parts: readonly JSONSchemaProps[]): string => parts.map(branch).join('; or ');
  return [
    ...allOf.flatMap(constraints),
    ...(anyOf === undefined || schema[intOrString] === true ? [] : [`at least one holds: ${branches(anyOf)}`]),
    ...(oneOf === undefined ? [] : [`exactly one holds: ${branches(oneOf)}`]),
  ];
}

/** The conditions of one branch of a union. */
function branch(part: JSONSchemaProps): string {
  const { required = [], properties = {}, items } = part;
  const said = [
    ...(required.length > 0 ? [`${required.map(code).join(', ')} set`] : []),
    ...constraints(part),
    ...Object.entries(properties).map(([name, inner]) => `${code(name)}: ${branch(inner)}`),
    ...(items === undefined ? [] : [`each item: ${branch(items)}`]),
  ];
  return said.length > 0 ? said.join(', ') : 'nothing more';
}
