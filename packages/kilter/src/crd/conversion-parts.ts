import type { Json, JsonObject } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import { isRecord } from './json-schema.ts';
import { intOrString, type Structural, valuesOf } from './structural.ts';
import { valueProblems } from './value.ts';

/** Two values for what is missing, so that their results can be distinguished from those of the rest. */
export type Variant = 0 | 1;

/**
 * A spec with a value at every place where its type promises one. The server also converts objects of which parts are
 * missing (what an apply leaves over of them, to learn who owns which field), and functions need not care about those.
 */
export function completed(schema: Structural, value: Json, variant: Variant): Json {
  if (Array.isArray(value)) return value.map((item) => completed(schema.items ?? {}, item, variant));
  if (!isRecord(value)) return value;
  const { properties = {}, required = [] } = schema;
  const given = Object.entries(value).map(([name, inner]) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : valuesOf(schema);
    return [name, part === undefined ? (inner as Json) : completed(part, inner as Json, variant)] as const;
  });
  const missing = Object.entries(properties)
    .filter(([name, part]) => value[name] === undefined && (required.includes(name) || part.default !== undefined))
    .map(([name, part]) => [name, placeholder(part, variant)] as const);
  return Object.fromEntries([...given, ...missing]);
}

/** Of the values a place may have, the first or the second; the first again where it can have only one. */
function placeholder(schema: Structural, variant: Variant): Json {
  const [first = null, ...others] = [...(schema.default === undefined ? [] : [schema.default]), ...candidates(schema)];
  const other = others.find((value) => !deepEqual(value, first)) ?? first;
  return structuredClone(variant === 0 ? first : other);
}

function candidates(schema: Structural): readonly Json[] {
  if (schema.enum !== undefined) return schema.enum;
  if (schema[intOrString] === true) return [0, 1];
  switch (schema.type) {
    case 'string':
      return someTexts(schema);
    case 'integer':
    case 'number':
      return someNumbers(schema);
    case 'boolean':
      return [false, true];
    case 'array':
      return [0, 1].map((n) => {
        const items = Array.from({ length: Math.max(schema.minItems ?? 0, n) });
        return items.map(() => placeholder(schema.items ?? {}, n === 0 ? 0 : 1));
      });
    case 'object':
      return someObjects(schema);
    default:
      return ['a', 'b'];
  }
}

function someNumbers({ minimum = 0, maximum, exclusiveMinimum, multipleOf = 1 }: Structural): number[] {
  const from = Math.ceil(Math.min(minimum, maximum ?? minimum) / multipleOf) + (exclusiveMinimum === true ? 1 : 0);
  return [0, 1, 2].map((n) => (from + n) * multipleOf).filter((n) => maximum === undefined || n <= maximum);
}

function someObjects(schema: Structural): Json[] {
  const values = valuesOf(schema);
  const entry: JsonObject = values === undefined ? {} : { a: placeholder(values, 1) };
  return [completed(schema, {}, 0), completed(schema, entry, 1)];
}

/** Common forms of text, of which a pattern hopefully takes two. */
const texts = [
  'a',
  'b',
  '0',
  '1',
  'a1',
  'b2',
  'A',
  'B',
  '1s',
  '2s',
  '1Gi',
  '2Gi',
  '0.1',
  '1.2',
  'a.b',
  'b.c',
  'a/b',
  'b/c',
];
const times = ['2000-01-01T00:00:00Z', '2000-01-02T00:00:00Z', '2000-01-01', '2000-01-02'];

function someTexts(schema: Structural): string[] {
  const padded = texts.map((text) => text.padEnd(schema.minLength ?? 0, text));
  const choice = schema.format?.startsWith('date') === true ? times : padded;
  const fitting = choice.filter((text) => valueProblems(schema, text, '').length === 0);
  return fitting.length > 0 ? fitting : padded;
}

/** What two values agree on: the fields that do not depend on what was made up. */
export function agreed(a: Json | undefined, b: Json | undefined): Json | undefined {
  if (deepEqual(a, b)) return a;
  if (isRecord(a) && isRecord(b)) {
    const fields = Object.keys(a).map((name) => [name, agreed(own(a as JsonObject, name), own(b as JsonObject, name))]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as JsonObject;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  const items = a.map((item, i) => agreed(item, b[i]));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
