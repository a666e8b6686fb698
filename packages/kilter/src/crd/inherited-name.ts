import { isRecord } from './json-schema.ts';
import { type Structural, valuesOf } from './structural.ts';

/** Whether a schema was found to have such names; a schema does not change. */
const known = new WeakMap<Structural, boolean>();

/** Whether a schema has fields that every object of JavaScript seems to have, as `constructor`. */
function hasInheritedNames(schema: Structural): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const parts = [...Object.values(schema.properties ?? {}), schema.items, valuesOf(schema)];
  const has =
    Object.keys(schema.properties ?? {}).some((name) => name in Object.prototype) ||
    parts.some((part) => part !== undefined && hasInheritedNames(part));
  known.set(schema, has);
  return has;
}

/**
 * The value for a library to judge: where a field is called like something objects inherit, copies that inherit nothing,
 * because libraries read fields without asking whose they are.
 */
export function withoutInherited(schema: Structural | undefined, value: unknown): unknown {
  return schema !== undefined && hasInheritedNames(schema) ? bare(value) : value;
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = bare(inner);
  return copy;
}
