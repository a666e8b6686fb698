import type { Json } from '../api/index.ts';
import { extensionsOf } from './extensions.ts';
import { child, element } from './field-path.ts';
import { isRecord, propertiesAt, type Raw, schemaAt, schemasAt, stringsAt } from './json-schema.ts';
import { keyRules } from './key-rules.ts';
import { checkList } from './list.ts';
import { quantityKey } from './metadata.ts';
import { merge, normalize, type Site } from './normalize.ts';
import { integerSchema, numberSchema, stringSchema, typeOfValues } from './scalar.ts';
import { conditionKeys, intOrString, preserve, type Structural } from './structural.ts';
import { lift, unite } from './union.ts';
import { valueProblems } from './value.ts';

const notStructural = 'CRD_SCHEMA_NOT_STRUCTURAL';

/** A library's JSON Schema, references inlined, as a structural schema with the marks of helpers. */
export function translate(raw: Raw, site: Site): Structural {
  const node = normalize(raw, site);
  refuseKeywords(node, site);
  const shape = quantified(shapeOf(node, site), node, site);
  const schema: Structural = { ...wordsOf(node), ...shape, ...extensionsOf(node, shape, site) };
  refuseNullableEnum(schema, site);
  checkList(schema, site);
  return withDefault(schema, node, site);
}

/** Assertions with no place in a structural schema. Words the server does not know are left out without one. */
const refused: Readonly<Record<string, string>> = {
  not: 'accepts nothing (never), or says what it is not',
  if: 'is conditional',
  then: 'is conditional',
  else: 'is conditional',
  patternProperties: 'has fields by pattern',
  dependentSchemas: 'has dependent fields',
  dependentRequired: 'has dependent fields',
  dependencies: 'has dependent fields',
  contains: 'says what a list contains',
  prefixItems: 'is a tuple',
  additionalItems: 'is a tuple',
  unevaluatedProperties: 'says what it does not evaluate',
  unevaluatedItems: 'says what it does not evaluate',
  $dynamicRef: 'has a dynamic reference',
};

function refuseKeywords(node: Raw, { path, findings }: Site): void {
  for (const key of Object.keys(refused)) {
    if (node[key] === undefined) continue;
    findings.refuse({
      code: notStructural,
      path,
      message: `${refused[key] ?? key} (${key}), which has no structural form`,
    });
  }
  if (Array.isArray(node['items'])) findings.refuse({ code: notStructural, path, message: 'is a tuple (items)' });
  if (node['uniqueItems'] === true) {
    findings.refuse({
      code: notStructural,
      path,
      message: 'has uniqueItems, which the server refuses',
      cure: 'use listSet()',
    });
  }
  if (node['contentEncoding'] === 'binary') {
    findings.refuse({ code: 'CRD_SCHEMA_UNREPRESENTABLE', path, message: 'is a file' });
  }
}

function wordsOf(node: Raw): Structural {
  const { description, title, example, externalDocs } = node;
  return {
    ...(typeof description === 'string' && { description }),
    ...(typeof title === 'string' && { title }),
    ...(example !== undefined && { example: example as Json }),
    ...(isRecord(externalDocs) && { externalDocs }),
    ...(node['nullable'] === true && { nullable: true }),
  };
}

function shapeOf(node: Raw, site: Site): Structural {
  if ('anyOf' in node) return unionOf('anyOf', node, site);
  if ('oneOf' in node) return unionOf('oneOf', node, site);
  const values = node['enum'];
  const type = node['type'] ?? impliedType(node);
  if (values !== undefined) return enumeration(node, Array.isArray(values) ? values : [], site);
  return typed(type, node, site);
}

function impliedType(node: Raw): string | undefined {
  if ('properties' in node || 'additionalProperties' in node) return 'object';
  return 'items' in node ? 'array' : undefined;
}

function typed(type: unknown, node: Raw, site: Site): Structural {
  switch (type) {
    case 'string':
      return stringSchema(node, site);
    case 'integer':
      return integerSchema(node);
    case 'number':
      return numberSchema(node, site);
    case 'boolean':
      return { type: 'boolean' };
    case 'object':
      return objectSchema(node, site);
    case 'array':
      return arraySchema(node, site);
    case undefined:
      return anything(node, site);
    default:
      return refuse(
        site,
        `is ${String(type)}, which is no type of its own`,
        'use .optional(), or .nullable() of another type',
      );
  }
}

function refuse({ path, findings }: Site, message: string, cure?: string): Structural {
  findings.refuse({ code: notStructural, path, message, cure });
  return { [preserve]: true };
}

function anything(node: Raw, site: Site): Structural {
  const condition = conditionKeys.find((key) => node[key] !== undefined);
  if (condition !== undefined) return refuse(site, `has ${condition}, but no type`);
  return { [preserve]: true };
}

function enumeration(node: Raw, values: readonly unknown[], site: Site): Structural {
  if (values.includes(null)) {
    return refuse(site, 'has null among its values, which no server-side enum accepts', 'use .optional()');
  }
  const type = typeOfValues(values);
  if (type === undefined) return refuse(site, `has values of several types: ${JSON.stringify(values)}`);
  const declared = node['type'] ?? type;
  if (declared !== type && !(declared === 'number' && type === 'integer')) {
    return refuse(site, `is ${JSON.stringify(declared)} with values of type ${type}`);
  }
  return { ...typed(type, node, site), enum: values as Json[] };
}

function objectSchema(node: Raw, site: Site): Structural {
  const { additionalProperties: extra } = node;
  const declared = propertiesAt(node['properties']);
  const limits = limitsOf(node, ['minProperties', 'maxProperties']);
  const isMap = isRecord(extra) && declared.length === 0 && !('properties' in node && isAnything(extra));
  if (isMap) {
    const values = translate(extra, { ...site, path: element(site.path) });
    const required = stringsAt(node['required']).toSorted();
    return {
      type: 'object',
      ...limits,
      ...(required.length > 0 && { required }),
      additionalProperties: values,
      ...keyRules(schemaAt(node['propertyNames']), site),
    };
  }
  if (isRecord(extra) && !isAnything(extra)) {
    refuse(
      site,
      'has fields of its own and a schema for all others (catchall)',
      'put the others into a record of their own',
    );
  }
  const keepsUnknown = extra === true || isRecord(extra) || (extra === undefined && !('properties' in node));
  return {
    type: 'object',
    ...limits,
    ...propertiesOf(node, declared, site),
    ...(keepsUnknown && { [preserve]: true }),
  };
}

function limitsOf(node: Raw, keys: readonly string[]): Structural {
  return Object.fromEntries(keys.filter((key) => typeof node[key] === 'number').map((key) => [key, node[key]]));
}

/** `{}`, perhaps with words. */
function isAnything(schema: Raw): boolean {
  return ![...conditionKeys, 'type', 'properties', 'items', 'additionalProperties', 'not', 'const'].some(
    (key) => key in schema,
  );
}

function propertiesOf(node: Raw, declared: readonly [string, Raw][], site: Site): Structural {
  const properties = Object.fromEntries(
    declared.map(([name, schema]) => [name, translate(schema, { ...site, path: child(site.path, name) })]),
  );
  // The server defaults before it validates, so a field with a default is never missing.
  const required = stringsAt(node['required']).filter((name) => properties[name]?.default === undefined);
  return {
    ...(required.length > 0 && { required: required.toSorted() }),
    ...(declared.length > 0 && { properties }),
  };
}

function arraySchema(node: Raw, site: Site): Structural {
  // What a tuple says of its items was refused with it.
  const given = 'prefixItems' in node ? {} : schemaAt(node['items']);
  const items = translate(given, { ...site, path: element(site.path) });
  return { type: 'array', ...limitsOf(node, ['minItems', 'maxItems']), items };
}

function unionOf(key: 'anyOf' | 'oneOf', node: Raw, site: Site): Structural {
  const { [key]: union, ...outer } = node;
  const branches = schemasAt(union).map((branch) => translate(branch, site));
  const types = new Set(branches.map((branch) => branch.type));
  if (branches.length === 2 && types.has('integer') && types.has('string')) return integerOrString(branches, site);
  const [type] = types;
  if (types.size > 1 || type === undefined) {
    const names = branches.map(
      (branch) => branch.type ?? (branch[intOrString] === true ? 'int-or-string' : 'anything'),
    );
    return refuse(site, `is a union of ${names.join(' and ')}`);
  }
  const lifted = lift(key, branches, site);
  return isBare(outer) ? lifted : withBase(shapeOf(merge({ type }, outer, site), site), lifted, site);
}

/** Whether nothing but words stands beside a union. */
function isBare(outer: Raw): boolean {
  const kept = [...conditionKeys, 'properties', 'items', 'additionalProperties'];
  return !kept.some((key) => outer[key] !== undefined);
}

/** An object with fields of its own and a union beside them: `z.object({…}).and(z.discriminatedUnion(…))`. */
function withBase(base: Structural, lifted: Structural, site: Site): Structural {
  const properties: Record<string, Structural> = { ...lifted.properties, ...base.properties };
  for (const [name, schema] of Object.entries(base.properties ?? {})) {
    const other = lifted.properties?.[name];
    if (other !== undefined)
      unite([{ type: schema.type }, { type: other.type }], { ...site, path: child(site.path, name) });
  }
  return { ...lifted, ...base, ...(Object.keys(properties).length > 0 && { properties }) };
}

/** Bounds of the integer and of the string can stand side by side: each says nothing about the other type. */
function integerOrString(branches: readonly Structural[], site: Site): Structural {
  const { type: _type, format: _format, ...integer } = branches.find((branch) => branch.type === 'integer') ?? {};
  const { type: _other, ...string } = branches.find((branch) => branch.type === 'string') ?? {};
  const both: Structural = { ...integer, ...string };
  const unfit = (['enum', 'allOf', 'anyOf', 'oneOf', 'default', 'nullable'] as const).find(
    (key) => both[key] !== undefined,
  );
  if (unfit !== undefined) return refuse(site, `is an integer or a string with ${unfit} in one of them`);
  return { ...both, anyOf: [{ type: 'integer' }, { type: 'string' }], [intOrString]: true };
}

/** As resource.Quantity reads it: `500m`, `1Gi`, `1e3`. */
const quantityPattern = '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';

function quantified(shape: Structural, node: Raw, site: Site): Structural {
  if (node[quantityKey] !== true) return shape;
  if (shape[intOrString] !== true && shape.type !== 'string') {
    return refuse(
      site,
      'has quantity(), but is no integer or string',
      'use z.union([z.int(), z.string()]).meta(quantity())',
    );
  }
  if (shape.pattern === undefined) return { ...shape, pattern: quantityPattern };
  return refuse(site, 'has quantity() and a pattern of its own', 'leave the pattern out');
}

function refuseNullableEnum(schema: Structural, site: Site): void {
  if (schema.nullable !== true || schema.enum === undefined) return;
  refuse(
    site,
    'is a nullable enumeration, and no null passes a server-side enum',
    'use .optional() instead of .nullable()',
  );
}

function withDefault(schema: Structural, node: Raw, { path, findings }: Site): Structural {
  const value = node['default'];
  if (value === undefined) return schema;
  const faults = value === null ? [{ path, message: 'null is no default' }] : valueProblems(schema, value, path);
  for (const fault of faults) {
    findings.refuse({
      code: 'CRD_DEFAULT_INVALID',
      path,
      message: `the default breaks its schema at ${fault.path}: ${fault.message}`,
    });
  }
  return { ...schema, default: value as Json };
}
