import type { Arbitrary } from 'fast-check';
import type { Json, JsonObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver/schema';
import { fc } from './fast-check.ts';
import { stringValues } from './string-values.ts';

type Values = Arbitrary<Json>;

/** Where a schema stands, what is to be used there, and what to do about a pattern that cannot be generated. */
export interface Making {
  readonly path: string;
  /** Values by path, as `spec.env[*].name`. */
  readonly samples: Readonly<Record<string, readonly Json[]>>;
  readonly refusePattern: (path: string, pattern: string) => never;
}

/**
 * Values of a structural schema: types, bounds, enumerations, formats, patterns, list types and unions are kept; what else
 * the server demands (CEL rules above all) is left to its judgement.
 */
export function schemaValues(given: Schema, making: Making): Values {
  const samples = making.samples[making.path];
  if (samples !== undefined && samples.length > 0) return fc.constantFrom(...samples);
  const branches = given.oneOf ?? (given['x-kubernetes-int-or-string'] === true ? undefined : given.anyOf);
  if (branches !== undefined && branches.length > 0) {
    const { oneOf: _oneOf, anyOf: _anyOf, ...base } = given;
    return fc.oneof(...branches.map((branch) => schemaValues(merged(base, branch), making)));
  }
  const schema = (given.allOf ?? []).reduce(merged, given);
  const plain = withDefault(typedValues(schema, making), schema);
  return schema.nullable === true
    ? fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: fc.constant(null) })
    : plain;
}

function withDefault(values: Values, { default: value }: Schema): Values {
  return value === undefined
    ? values
    : fc.oneof({ weight: 5, arbitrary: values }, { weight: 1, arbitrary: fc.constant(value) });
}

/** What a branch demands, on top of what the schema says. */
function merged(schema: Schema, branch: Schema): Schema {
  const { properties, items, required, allOf: _allOf, ...rest } = branch;
  const fields = Object.entries(properties ?? {}).map(([name, part]) => [
    name,
    merged(schema.properties?.[name] ?? {}, part),
  ]);
  return {
    ...schema,
    ...rest,
    ...(properties !== undefined && { properties: { ...schema.properties, ...Object.fromEntries(fields) } }),
    ...(required !== undefined && { required: [...new Set([...(schema.required ?? []), ...required])] }),
    ...(items !== undefined && { items: merged(schema.items ?? {}, items) }),
  };
}

function typedValues(schema: Schema, making: Making): Values {
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return fc.oneof(integers(schema), strings(schema, making));
  switch (schema.type) {
    case 'string':
      return strings(schema, making);
    case 'integer':
      return integers(schema);
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(schema, making);
    case 'object':
      return objects(schema, making);
    default:
      return anything();
  }
}

/** No minus zero: JSON has none. And no null, which the server takes for absent. */
const anything = (): Values =>
  fc
    .jsonValue({ maxDepth: 2 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Json)
    .map((value) => value ?? 'null');

function strings(schema: Schema, { path, refusePattern }: Making): Arbitrary<string> {
  return stringValues(schema) ?? refusePattern(path, schema.pattern ?? '');
}

/** Beyond it JavaScript rounds, and the server's int64 does not. */
const safe = Number.MAX_SAFE_INTEGER;

function integers(schema: Schema): Arbitrary<number> {
  const width = schema.format === 'int32' ? 2 ** 31 : safe;
  const { multipleOf: step = 1 } = schema;
  const least = schema.minimum === undefined ? -width : schema.minimum + (schema.exclusiveMinimum === true ? 1 : 0);
  const most = schema.maximum === undefined ? width - 1 : schema.maximum - (schema.exclusiveMaximum === true ? 1 : 0);
  const [min, max] = [Math.ceil(Math.max(least, -width) / step), Math.floor(Math.min(most, width - 1) / step)];
  const near = fc.integer({ min, max: Math.min(max, Math.max(min, 0) + 20) });
  return fc.oneof(near, fc.integer({ min, max })).map((n) => n * step + 0);
}

function numbers(schema: Schema): Arbitrary<number> {
  const { minimum: min = -1e9, maximum: max = 1e9, multipleOf } = schema;
  const bounds = {
    min,
    max,
    noNaN: true,
    noDefaultInfinity: true,
    minExcluded: schema.exclusiveMinimum === true,
    maxExcluded: schema.exclusiveMaximum === true,
  };
  const values = fc.double(bounds).map((n) => n + 0);
  return multipleOf === undefined ? values : values.map((n) => Math.round(n / multipleOf) * multipleOf + 0);
}

/** How many items or entries a list or map has beyond what it must have. */
const spare = 4;

function lists(schema: Schema, making: Making): Values {
  const { minItems: minLength = 0, maxItems = minLength + spare, items = {} } = schema;
  const bounds = { minLength, maxLength: Math.min(maxItems, minLength + spare) };
  const values = schemaValues(items, { ...making, path: `${making.path}[*]` });
  const identity = identityIn(schema);
  return identity === undefined ? fc.array(values, bounds) : fc.uniqueArray(values, { ...bounds, selector: identity });
}

/** By what the server tells items apart. */
function identityIn(schema: Schema): ((item: Json) => string) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const properties = schema.items?.properties ?? {};
  if (schema['x-kubernetes-list-type'] === 'set') return canonical;
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  return (item) => canonical(keys.map((key) => (item as JsonObject)[key] ?? properties[key]?.default ?? null));
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const fieldNames = (): Arbitrary<string> => fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/);

function objects(schema: Schema, making: Making): Values {
  const below = (name: string): Making => ({ ...making, path: `${making.path}.${name}` });
  const properties = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(properties.map(([name, part]) => [name, schemaValues(part, below(name))]));
  const { required = [] } = schema;
  const own = fc.record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) });
  const others = otherFields(schema, making);
  const all = others === undefined ? own : fc.tuple(own, others).map(([known, more]) => ({ ...more, ...known }));
  // A record without a prototype is not plain JSON.
  return all.map((value) => Object.fromEntries(Object.entries(value)) as JsonObject);
}

/** Entries of a map, or what an object takes without knowing it. */
function otherFields(schema: Schema, making: Making): Arbitrary<JsonObject> | undefined {
  const { additionalProperties: values, required = [] } = schema;
  if (schema['x-kubernetes-embedded-resource'] === true) {
    return fc.record({
      apiVersion: fc.constant('v1'),
      kind: fc.constant('ConfigMap'),
      metadata: fc.record({ name: fieldNames().filter((name) => !name.endsWith('-')) }),
    });
  }
  if (typeof values === 'object') {
    const entry = schemaValues(values, { ...making, path: `${making.path}[*]` });
    const { minProperties: minKeys = 0, maxProperties = minKeys + spare } = schema;
    const free = fc.dictionary(fieldNames(), entry, {
      minKeys,
      maxKeys: Math.min(maxProperties, minKeys + spare),
      noNullPrototype: true,
    });
    return fc
      .tuple(free, fc.record(Object.fromEntries(required.map((name) => [name, entry]))))
      .map(([some, must]) => ({ ...some, ...must }));
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) return undefined;
  // A name that no version has, so that what is unknown stays unknown in all of them.
  const unknownName = fieldNames().map((name) => `unknown-${name}`);
  return fc.dictionary(unknownName, anything(), { maxKeys: 2, noNullPrototype: true });
}
