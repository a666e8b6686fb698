import type { Schema } from '../values/index.ts';
import { celName } from './names.ts';
import { type CelType, dyn, listOf, mapOf, scalar } from './type.ts';

/** A part of a schema as rules see it: its type, and how large its values may get. */
export interface Declared {
  readonly type: CelType;
  /** Characters of a string, items of a list, entries of a map; 0 for what has no size. */
  readonly maxElements: number;
  /** The bytes the smallest value takes in a request. */
  readonly minSize: number;
  readonly fields?: ReadonlyMap<string, Declared>;
  readonly item?: Declared;
}

/** A request is never larger, so that nothing in it is. */
export const maxRequestSize: number = 3 * 1024 * 1024;

const text: Schema = { type: 'string' };
const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const visibleMetadata: Schema = { type: 'object', properties: { name: text, generateName: text } };

/** The root of a resource has fields its schema need not name; of metadata, rules see the names only. */
export function resourceSchema(schema: Schema): Schema {
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: text, kind: text, metadata: visibleMetadata },
  };
}

/** What rules see of a schema; undefined for data without a type, and for lists and maps of it. */
export function declaredBy(schema: Schema, isResource: boolean): Declared | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return { type: dyn, maxElements: stringLength(schema), minSize: 1 };
  }
  switch (schema.type) {
    case 'array':
      return listDeclared(schema);
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? mapDeclared(schema, schema.additionalProperties)
        : objectDeclared(isResource ? resourceSchema(schema) : schema);
    case 'string':
      return stringDeclared(schema);
    case 'boolean':
      return { type: scalar('bool'), maxElements: 0, minSize: 4 };
    case 'number':
      return { type: scalar('double'), maxElements: 0, minSize: 1 };
    case 'integer':
      return { type: scalar('int'), maxElements: 0, minSize: 1 };
    default:
      // A number or a text, which the server reads as a text.
      return schema.title === quantity ? stringDeclared(schema) : undefined;
  }
}

const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

function listDeclared({ items, maxItems }: Schema): Declared | undefined {
  const item = items && declaredBy(items, isEmbedded(items));
  if (item === undefined) return undefined;
  const fitting = Math.floor((maxRequestSize - 2) / (item.minSize + 1));
  return { type: listOf(item.type), maxElements: Math.max(0, maxItems ?? fitting), minSize: 2, item };
}

function mapDeclared({ maxProperties }: Schema, values: Schema): Declared | undefined {
  const item = declaredBy(values, isEmbedded(values));
  if (item === undefined) return undefined;
  const fitting = Math.floor((maxRequestSize - 2) / (item.minSize + 6));
  return {
    type: mapOf(scalar('string'), item.type),
    maxElements: Math.max(0, maxProperties ?? fitting),
    minSize: 2,
    item,
  };
}

function objectDeclared(schema: Schema): Declared {
  const fields = new Map<string, Declared>();
  let minSize = 2;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const declared = declaredBy(property, isEmbedded(property));
    if (declared === undefined) continue;
    const name = celName(key);
    if (name !== undefined) fields.set(name, declared);
    const isSent = schema.required?.includes(key) === true && (property.default ?? null) === null;
    if (isSent) minSize += Buffer.byteLength(key) + declared.minSize + 4;
  }
  const types = new Map([...fields].map(([name, { type }]) => [name, type]));
  return { type: { kind: 'object', fields: types }, maxElements: 0, minSize, fields };
}

interface TimeForm {
  readonly kind: 'timestamp' | 'duration';
  readonly maxElements: number;
  readonly minSize: number;
}

const timeForms: Readonly<Record<string, TimeForm>> = {
  duration: { kind: 'duration', maxElements: 32, minSize: 3 },
  date: { kind: 'timestamp', maxElements: 12, minSize: 12 },
  'date-time': { kind: 'timestamp', maxElements: 32, minSize: 21 },
};

function stringDeclared(schema: Schema): Declared {
  const { format, maxLength } = schema;
  const time = timeForms[format ?? ''];
  if (time !== undefined) return { ...time, type: scalar(time.kind) };
  if (format === 'byte') {
    return { type: scalar('bytes'), maxElements: Math.max(0, maxLength ?? maxRequestSize - 2), minSize: 2 };
  }
  return { type: scalar('string'), maxElements: stringLength(schema), minSize: 2 };
}

/** In bytes, of which a character may take four. */
function stringLength(schema: Schema): number {
  if (schema.maxLength !== undefined) return Math.max(0, schema.maxLength) * 4;
  if (schema.enum !== undefined && schema.enum.length > 0 && schema.type === 'string') {
    return schema.enum.reduce<number>(
      (most, value) => Math.max(most, typeof value === 'string' ? Buffer.byteLength(value) : 0),
      0,
    );
  }
  return maxRequestSize - 2;
}
