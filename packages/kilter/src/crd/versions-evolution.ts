import { checkActions } from './field-action-check.ts';
import { changedIn, type Plan, planOf } from './field-action-fate.ts';
import { isRecord } from './json-schema.ts';
import { Findings } from './problem.ts';
import type { StandardJsonSchema } from './standard.ts';
import { type Structural, valuesOf } from './structural.ts';
import { schemaIn } from './versions-generated.ts';
import type { DeclaredVersion } from './versions.ts';

/** An older version as the field actions of the newest spec describe it. */
export interface Era {
  /** Its spec. */
  readonly spec: Structural;
  /** How its objects become such of the newest version; nothing where they are the same. */
  readonly plan: Plan | undefined;
  /** Where in the newest spec conversion by hand is asked for. */
  readonly changed: readonly string[];
}

export interface Evolution {
  /** The newest spec, deprecations in words. */
  readonly spec: Structural;
  /** By older version. */
  readonly eras: ReadonlyMap<string, Era>;
}

/** What the field actions of a definition say of all its versions. */
export function evolutionOf(spec: Structural, versions: readonly DeclaredVersion[], findings: Findings): Evolution {
  const newest = versions.find(({ prefix }) => prefix === '')?.name ?? '';
  const names = versions.map(({ name }) => name);
  checkActions(spec, 'spec', { newest, versions: names, findings });
  const eras = versions
    .filter(({ prefix }) => prefix !== '')
    .map((version): [string, Era] => {
      const { name: older, prefix } = version;
      // Of a version with its own spec only the comparison needs the generated one.
      const heard = version.spec === undefined ? findings : new Findings();
      const generated = schemaIn(spec, { version: older, path: `${prefix}spec`, findings: heard });
      const plan = planOf(spec, older);
      return [older, { spec: generated, plan, changed: changedIn(plan, 'spec') }];
    });
  return { spec: schemaIn(spec, { version: newest, path: 'spec', findings }), eras: new Map(eras) };
}

/**
 * Stands in for a library's schema where a version has none: it fills the defaults of the structural schema, which judges
 * the rest.
 */
export function generatedSchema(spec: Structural, isOptional: boolean): StandardJsonSchema {
  const jsonSchema = (): Record<string, unknown> => ({ ...spec });
  return {
    '~standard': {
      version: 1,
      vendor: 'kilter',
      validate: (value) => {
        if (value === undefined && !isOptional) return { issues: [{ message: 'is required' }] };
        return { value: value === undefined ? spec.default : fillDefaults(spec, value) };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

/**
 * Fills in the defaults of a schema. As on the server, null is replaced where it is not allowed, and defaults create no
 * parents.
 */
export function fillDefaults(schema: Structural, value: unknown): unknown {
  if (Array.isArray(value)) return schema.items ? value.map((item) => fillDefaults(schema.items ?? {}, item)) : value;
  if (!isRecord(value)) return value;
  const properties = schema.properties ?? {};
  const values = valuesOf(schema);
  const given = Object.entries(value).map(([name, inner]) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : values;
    return [name, part === undefined ? inner : fillDefaults(part, filled(part, inner))] as const;
  });
  const missing = Object.entries(properties)
    .filter(([name, part]) => part.default !== undefined && value[name] === undefined)
    .map(([name, part]) => [name, fillDefaults(part, structuredClone(part.default))] as const);
  return Object.fromEntries([...given, ...missing].filter(([, inner]) => inner !== undefined));
}

function filled(schema: Structural, value: unknown): unknown {
  return value === null && schema.nullable !== true && schema.default !== undefined
    ? structuredClone(schema.default)
    : value;
}
