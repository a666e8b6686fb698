import { intOrString, isTyped, type Structural, valuesOf } from './structural.ts';

/** A request is never larger to the server's estimates, so that nothing in it is. */
const requestSize = 3 * 1024 * 1024;

interface Sizes {
  /** The bytes the smallest value takes in a request. */
  readonly least: number;
  /** Characters of a string, items of a list, entries of a map; 0 for what has no size. */
  readonly elements: number;
}

const times: Readonly<Record<string, Sizes>> = {
  duration: { least: 3, elements: 32 },
  date: { least: 12, elements: 12 },
  'date-time': { least: 21, elements: 32 },
};

/** How large values of a schema get, as the server estimates it for the cost of rules. */
export function sizesOf(schema: Structural): Sizes {
  if (schema[intOrString] === true) return { least: 1, elements: textLength(schema) };
  const values = valuesOf(schema);
  switch (schema.type) {
    case 'array':
      return { least: 2, elements: schema.maxItems ?? fitting(sizesOf(schema.items ?? {}).least + 1) };
    case 'object':
      if (values === undefined) return { least: leastObject(schema), elements: 0 };
      return { least: 2, elements: schema.maxProperties ?? fitting(sizesOf(values).least + 6) };
    case 'string':
      return times[schema.format ?? ''] ?? { least: 2, elements: textLength(schema) };
    default:
      return { least: schema.type === 'boolean' ? 4 : 1, elements: 0 };
  }
}

/** So many values of this schema there are in one request, if nothing above bounds them. */
export function mostValues(schema: Structural): number {
  return Math.floor(requestSize / (sizesOf(schema).least + 1));
}

function fitting(least: number): number {
  return Math.floor((requestSize - 2) / least);
}

function leastObject({ properties = {}, required = [] }: Structural): number {
  const sent = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) && (property.default ?? null) === null && isTyped(property),
  );
  return sent.reduce((sum, [name, property]) => sum + Buffer.byteLength(name) + sizesOf(property).least + 4, 2);
}

/** In bytes, of which a character may take four. */
function textLength({ type, format, maxLength, enum: values = [] }: Structural): number {
  if (maxLength !== undefined) return format === 'byte' ? maxLength : maxLength * 4;
  if (type !== 'string' || values.length === 0 || format === 'byte') return requestSize - 2;
  return Math.max(...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}
