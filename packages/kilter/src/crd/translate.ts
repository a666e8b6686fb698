import type { Json } from '../api/index.ts';
import { extensionsOf } from './extensions.ts';
import { child, element } from './field-path.ts';
import { type Gap, gapCode, gapCure, gapIn, gapKey, isUndefined, untoldKey } from './gap.ts';
import { integerOrString, quantified } from './int-or-string.ts';
import { isRecord, propertiesAt, type Raw, schemaAt, schemasAt, stringsAt } from './json-schema.ts';
import { keyRules } from './key-rules.ts';
import { refuseKeywords } from './keyword.ts';
import { checkList } from './list.ts';
import { merge, normalize, type Site } from './normalize.ts';
import { integerSchema, numberSchema, stringSchema, typeOfValues } from './scalar.ts';
import { conditionKeys, intOrString, preserve, propertyOf, type Structural } from './structural.ts';
import { cut, lift, unite } from './union.ts';
import { valueProblems } from './value.ts';

const notStructural = 'CRD_SCHEMA_NOT_STRUCTURAL';

/** A library's JSON Schema, references inlined, as a structural schema with the marks of helpers. */
export function translate(raw: Raw, site: Site): Structural {
  const node = normalize(raw, site);
  const missing = gapIn(node);
  if (missing !== undefined) return refuseGap(missing, site);
  refuseKeywords(node, site);
  warnUntold(node, site);
  const shape = quantified(shapeOf(node, site), node, site);
  const schema: Structural = { ...wordsOf(node), ...shape, ...extensionsOf(node, shape, site) };
  refuseNullableEnum(schema, site);
  checkList(schema, site);
  return withDefault(schema, node, site);
}

/** What was refused stays marked, so that going in and coming out compare as the library meant them. */
function refuseGap(missing: Gap, { path, findings }: Site): Structural {
  findings.refuse({ code: gapCode(missing), path, message: missing.message, cure: gapCure(missing) });
  return { [preserve]: true, [gapKey]: missing } as Structural;
}

function warnUntold(node: Raw, { path, findings }: Site): void {
  for (const what of new Set(stringsAt(node[untoldKey]))) {
    // A format of arktype comes with a predicate that says no more than it does.
    if (what === '.narrow()' && typeof node['format'] === 'string') continue;
    findings.warn({ code: 'CRD_SCHEMA_DISAGREES', path, message: `${what} never reaches the server` });
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
  const together = schemasAt(node['allOf']).filter((part) => 'anyOf' in part || 'oneOf' in part);
  if (together.length > 0 && !('anyOf' in node) && !('oneOf' in node)) return unionsOf(together, node, site);
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
      return integerSchema(node, site);
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
        `is ${String(type)}, which is not a type of its own`,
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
  // Null is a value like any other here, though not for an object; the server would take it away.
  const isObject = node['x-kubernetes-embedded-resource'] === true;
  return { ...(!isObject && { nullable: true }), [preserve]: true };
}

function enumeration(node: Raw, values: readonly unknown[], site: Site): Structural {
  if (values.includes(null)) {
    return refuse(site, 'has null among its values, which no server-side enum accepts', 'use .optional()');
  }
  // What accepts nothing was refused for it.
  if (values.length === 0) return { [preserve]: true };
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
      ...(required.length > 0 && { required }),
      additionalProperties: values,
      ...keyRules(schemaAt(node['propertyNames']), values, site),
      ...limits,
    };
  }
  if (isRecord(extra) && !isAnything(extra)) {
    refuse(site, 'has its own fields and a schema for all others (catchall)', 'put the others into a separate record');
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
  refuseReserved(declared, site);
  const properties = Object.fromEntries(
    declared.map(([name, schema]) => [name, translate(schema, { ...site, path: child(site.path, name) })]),
  );
  // The server defaults before it validates, so a field with a default is never missing.
  const absent = new Set(declared.filter(([, schema]) => mayBeAbsent(schema)).map(([name]) => name));
  const required = stringsAt(node['required']).filter(
    (name) => !absent.has(name) && propertyOf({ properties }, name)?.default === undefined,
  );
  return {
    ...(required.length > 0 && { required: required.toSorted() }),
    ...(declared.length > 0 && { properties }),
  };
}

/** A union with `undefined`, which some libraries call required all the same. */
function mayBeAbsent(schema: Raw): boolean {
  return [...schemasAt(schema['anyOf']), ...schemasAt(schema['oneOf'])].some(isUndefined);
}

/** JavaScript takes it for the prototype of an object, and values get lost or get power they should not have. */
function refuseReserved(declared: readonly [string, Raw][], { path, findings }: Site): void {
  if (!declared.some(([name]) => name === '__proto__')) return;
  findings.refuse({
    code: 'CRD_FIELD_RESERVED',
    path: child(path, '__proto__'),
    message: 'is not a field in JavaScript, but the prototype of an object',
  });
}

function arraySchema(node: Raw, site: Site): Structural {
  // What a tuple says of its items was refused with it.
  const given = 'prefixItems' in node ? {} : schemaAt(node['items']);
  const any = translate(given, { ...site, path: element(site.path) });
  // Nothing tells two nulls of a set apart.
  const { nullable: _nullable, ...known } = any;
  const isKeyed = ['set', 'map'].includes(String(node['x-kubernetes-list-type']));
  const items = withKeysOutside(isKeyed && any.type === undefined ? known : any, stringsAt(node[listMapKeys]));
  return { type: 'array', ...limitsOf(node, ['minItems', 'maxItems']), items };
}

const listMapKeys = 'x-kubernetes-list-map-keys';

/** Keys of a list map that every branch of its items requires: the server looks for them outside of branches. */
function withKeysOutside(items: Structural, keys: readonly string[]): Structural {
  const branches = items.anyOf ?? items.oneOf ?? [];
  const required = keys.filter(
    (key) => branches.length > 0 && branches.every((branch) => branch.required?.includes(key) === true),
  );
  if (required.length === 0) return items;
  return { ...items, required: [...new Set([...(items.required ?? []), ...required])].toSorted() };
}

/** Several unions at once, as `z.union([…]).and(z.union([…]))` makes them. */
function unionsOf(parts: readonly Raw[], node: Raw, site: Site): Structural {
  const cuts = parts.map((part) => cut(shapeOf(part, site)));
  const [first = {}, ...others] = cuts.map(({ skeleton }) => skeleton);
  const skeleton = others.reduce((whole, other) => withBase(other, whole, site), first);
  if (others.some(({ type }) => type !== first.type)) return refuse(site, 'is an intersection of several types');
  const conditions = cuts.map((part) => part.conditions).filter((part) => Object.keys(part).length > 0);
  const lifted: Structural = { ...skeleton, ...(conditions.length > 0 && { allOf: conditions }) };
  const rest = schemasAt(node['allOf']).filter((part) => !parts.includes(part));
  const { allOf: _unions, ...own } = node;
  const outer: Raw = { ...own, ...(rest.length > 0 && { allOf: rest }) };
  if (isBare(outer)) return lifted;
  const { allOf = [], ...base } = shapeOf(merge({ type: first.type }, outer, site), site);
  const whole = withBase(base, lifted, site);
  return { ...whole, allOf: [...allOf, ...conditions] };
}

function unionOf(key: 'anyOf' | 'oneOf', node: Raw, site: Site): Structural {
  const { [key]: union, ...outer } = node;
  const branches = schemasAt(union).map((branch) => translate(branch, site));
  if (branches.some((branch) => gapIn(branch) !== undefined)) return { [preserve]: true };
  const types = new Set(branches.map((branch) => branch.type));
  if (branches.length === 2 && types.has('integer') && types.has('string')) return integerOrString(branches, site);
  const [type] = types;
  if (types.size > 1 || type === undefined) {
    const names = branches.map(
      (branch) => branch.type ?? (branch[intOrString] === true ? 'int-or-string' : 'anything'),
    );
    return refuse(site, `is a union of ${names.join(' and ')}`, unionCure(names));
  }
  const lifted = lift(key, branches, site);
  return isBare(outer) ? lifted : withBase(shapeOf(merge({ type }, outer, site), site), lifted, site);
}

function unionCure(names: readonly string[]): string | undefined {
  const isNumberOrString = names.every((name) => name === 'number' || name === 'string');
  return isNumberOrString ? 'use z.int(): only an integer and a string can be combined' : undefined;
}

/** Whether nothing but words is next to a union. */
function isBare(outer: Raw): boolean {
  const kept = [...conditionKeys, 'properties', 'items', 'additionalProperties'];
  return !kept.some((key) => outer[key] !== undefined);
}

/** An object with fields of its own and a union beside them: `z.object({…}).and(z.discriminatedUnion(…))`. */
function withBase(base: Structural, lifted: Structural, site: Site): Structural {
  const properties: Record<string, Structural> = { ...lifted.properties, ...base.properties };
  for (const [name, schema] of Object.entries(base.properties ?? {})) {
    const other = propertyOf(lifted, name);
    if (other !== undefined)
      unite([{ type: schema.type }, { type: other.type }], { ...site, path: child(site.path, name) });
  }
  return { ...lifted, ...base, ...(Object.keys(properties).length > 0 && { properties }) };
}

function refuseNullableEnum(schema: Structural, site: Site): void {
  if (schema.nullable !== true || schema.enum === undefined) return;
  refuse(
    site,
    'is a nullable enumeration, but no server-side enum accepts null',
    'use .optional() instead of .nullable()',
  );
}

function withDefault(schema: Structural, node: Raw, { path, findings }: Site): Structural {
  const value = node['default'];
  if (value === undefined) return schema;
  const faults = value === null ? [{ path, message: 'null is not a default' }] : valueProblems(schema, value, path);
  for (const fault of faults) {
    findings.refuse({
      code: 'CRD_DEFAULT_INVALID',
      path,
      message: `the default breaks its schema at ${fault.path}: ${fault.message}`,
    });
  }
  return { ...schema, default: value as Json };
}
