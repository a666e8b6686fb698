import type { Json, JsonObject } from 'kilter/api';
import { at, child, entry, typeInvalid } from '../schema/index.ts';
import { isObject, type Issue, type Schema } from '../values/index.ts';

/** A schema as somebody wrote it, with the keywords that are refused. */
export interface WrittenSchema extends Omit<
  Schema,
  'type' | 'properties' | 'items' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'additionalProperties'
> {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, WrittenSchema>>;
  readonly items?: WrittenSchema | readonly WrittenSchema[];
  readonly additionalProperties?: WrittenSchema | boolean;
  readonly allOf?: readonly WrittenSchema[];
  readonly anyOf?: readonly WrittenSchema[];
  readonly oneOf?: readonly WrittenSchema[];
  readonly not?: WrittenSchema;
  readonly uniqueItems?: boolean;
  readonly id?: string;
  readonly $ref?: string;
  readonly $schema?: string;
  readonly definitions?: JsonObject;
  readonly dependencies?: JsonObject;
  readonly patternProperties?: JsonObject;
  readonly additionalItems?: Json;
}

type Shape =
  | 'text'
  | 'number'
  | 'flag'
  | 'texts'
  | 'list'
  | 'object'
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'schema-or-flag'
  | 'schema-or-schemas'
  | 'rules';

const shapes: Readonly<Record<string, Shape>> = {
  type: 'text',
  format: 'text',
  pattern: 'text',
  title: 'text',
  description: 'text',
  id: 'text',
  $ref: 'text',
  nullable: 'flag',
  uniqueItems: 'flag',
  exclusiveMinimum: 'flag',
  exclusiveMaximum: 'flag',
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  minItems: 'number',
  maxItems: 'number',
  minProperties: 'number',
  maxProperties: 'number',
  enum: 'list',
  required: 'texts',
  definitions: 'object',
  dependencies: 'object',
  patternProperties: 'object',
  properties: 'schema-map',
  items: 'schema-or-schemas',
  additionalProperties: 'schema-or-flag',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  'x-kubernetes-preserve-unknown-fields': 'flag',
  'x-kubernetes-embedded-resource': 'flag',
  'x-kubernetes-int-or-string': 'flag',
  'x-kubernetes-list-type': 'text',
  'x-kubernetes-map-type': 'text',
  'x-kubernetes-list-map-keys': 'texts',
  'x-kubernetes-validations': 'rules',
};

/** Keywords whose value has the wrong type; with one of them the schema cannot even be read. */
export function shapeIssues(schema: unknown, path: string): Issue[] {
  if (!isObject(schema)) return [misshaped(schema, path, 'a schema, which is an object')];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined;
    return shape === undefined || value === null ? [] : keywordIssues(value, shape, child(path, keyword));
  });
}

function misshaped(value: unknown, path: string, expected: string): Issue {
  return typeInvalid(path, (value ?? null) as Json, `must be ${expected}`);
}

const isText = (value: Json): boolean => typeof value === 'string';

const plainShapes: Readonly<Partial<Record<Shape, { is: (value: Json) => boolean; says: string }>>> = {
  text: { is: isText, says: 'a string' },
  number: { is: (value) => typeof value === 'number', says: 'a number' },
  flag: { is: (value) => typeof value === 'boolean', says: 'true or false' },
  texts: { is: (value) => Array.isArray(value) && value.every(isText), says: 'a list of strings' },
  list: { is: Array.isArray, says: 'a list' },
  object: { is: isObject, says: 'an object' },
};

function keywordIssues(value: Json, shape: Shape, path: string): Issue[] {
  const plain = plainShapes[shape];
  if (plain !== undefined) return plain.is(value) ? [] : [misshaped(value, path, plain.says)];
  if (shape === 'rules') return ruleShapeIssues(value, path);
  if (shape === 'schema-or-flag' && typeof value === 'boolean') return [];
  if (shape === 'schema-map') {
    if (!isObject(value)) return [misshaped(value, path, 'an object of schemas')];
    return Object.entries(value).flatMap(([name, schema]) => shapeIssues(schema, entry(path, name)));
  }
  if (Array.isArray(value) && (shape === 'schemas' || shape === 'schema-or-schemas')) {
    return value.flatMap((schema, index) => shapeIssues(schema, at(path, index)));
  }
  return shape === 'schemas' ? [misshaped(value, path, 'a list of schemas')] : shapeIssues(value, path);
}

const ruleShapes: Readonly<Record<string, 'string' | 'boolean'>> = {
  rule: 'string',
  message: 'string',
  messageExpression: 'string',
  reason: 'string',
  fieldPath: 'string',
  optionalOldSelf: 'boolean',
};

function ruleShapeIssues(value: Json, path: string): Issue[] {
  if (!Array.isArray(value)) return [misshaped(value, path, 'a list of rules')];
  return value.flatMap((rule, index) => {
    if (!isObject(rule)) return [misshaped(rule, at(path, index), 'a rule, which is an object')];
    return Object.entries(ruleShapes).flatMap(([name, type]) => {
      const part = rule[name] ?? null;
      const fits = part === null || typeof part === type;
      return fits ? [] : [misshaped(part, child(at(path, index), name), `a ${type}`)];
    });
  });
}
