import type { Raw } from './json-schema.ts';
import { quantityKey } from './metadata.ts';
import type { Site } from './normalize.ts';
import { intOrString, preserve, type Structural } from './structural.ts';

function refuse({ path, findings }: Site, message: string, cure?: string): Structural {
  findings.refuse({ code: 'CRD_SCHEMA_NOT_STRUCTURAL', path, message, cure });
  return { [preserve]: true };
}

/** Bounds of the integer and of the string can stand side by side: each says nothing about the other type. */
export function integerOrString(branches: readonly Structural[], site: Site): Structural {
  const { type: _type, format: _format, ...integer } = branches.find((branch) => branch.type === 'integer') ?? {};
  const { type: _other, ...string } = branches.find((branch) => branch.type === 'string') ?? {};
  const both: Structural = { ...integer, ...wordsAsPattern(string) };
  const unfit = (['enum', 'allOf', 'anyOf', 'oneOf', 'default', 'nullable'] as const).find(
    (key) => both[key] !== undefined,
  );
  if (unfit !== undefined) {
    return refuse(
      site,
      `is an integer or a string with ${unfit} in one of them`,
      unfit === 'enum' ? 'use bounds for the integers, a pattern for the strings' : 'put it on the union as a whole',
    );
  }
  return { ...both, anyOf: [{ type: 'integer' }, { type: 'string' }], [intOrString]: true };
}

/** `'auto'` beside integers: an enumeration would refuse them, a pattern lets them pass. */
function wordsAsPattern(string: Structural): Structural {
  const { enum: words, ...rest } = string;
  if (words === undefined || rest.pattern !== undefined) return string;
  const quoted = words.map((word) => `${word as string}`.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return { ...rest, pattern: `^(?:${quoted.join('|')})$` };
}

/** As resource.Quantity reads it: `500m`, `1Gi`, `1e3`. */
const quantityPattern = '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';

export function quantified(shape: Structural, node: Raw, site: Site): Structural {
  if (node[quantityKey] !== true) return shape;
  if (shape[intOrString] !== true && shape.type !== 'string') {
    return refuse(
      site,
      'has quantity(), but is not an integer or string',
      'use z.union([z.int(), z.string()]).meta(quantity())',
    );
  }
  if (shape.pattern === undefined) return { ...shape, pattern: quantityPattern };
  return refuse(site, 'has quantity() and its own pattern', 'leave the pattern out');
}
