import { fieldOf, type Schema } from '../values/index.ts';

const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/;
const escapes: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/**
 * A rule's `fieldPath` as causes write it, `.spec['a.b']` as `spec[a.b]` or `spec.a.b` by what the schema knows of it;
 * undefined where it does not lead to a field of the schema.
 */
export function normalizeFieldPath(fieldPath: string, schema: Schema): string | undefined {
  let rest = fieldPath.trim();
  let current: Schema | undefined = schema;
  let path = '';
  while (rest !== '') {
    const match: RegExpExecArray | null = step.exec(rest);
    if (match === null) return undefined;
    const name: string =
      match[1] ?? (match[2] ?? '').replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
    const next: { schema: Schema; text: string } | undefined = follow(current, name);
    if (next === undefined) return undefined;
    path = next.text.startsWith('[') || path === '' ? `${path}${next.text}` : `${path}.${next.text}`;
    current = next.schema;
    rest = rest.slice(match[0].length);
  }
  return path === '' ? undefined : path;
}

function follow(schema: Schema, name: string): { schema: Schema; text: string } | undefined {
  if (schema.properties !== undefined) {
    const property = fieldOf(schema.properties, name);
    return property && { schema: property, text: name };
  }
  return typeof schema.additionalProperties === 'object'
    ? { schema: schema.additionalProperties, text: `[${name}]` }
    : undefined;
}
