import { compilePattern, isFlaw } from '../formats/index.ts';
import { child, entry, forbidden, invalid, required } from '../schema/index.ts';
import { fieldOf, type Issue } from '../values/index.ts';
import type { WrittenSchema } from './shape.ts';

export interface Branch {
  /** `anyOf[0]`, `not`: its place below the schema. */
  readonly name: string;
  readonly schema: WrittenSchema;
}

/** The schemas below a schema's junctors. */
export function branchesOf(schema: WrittenSchema): Branch[] {
  const listed = (['anyOf', 'allOf', 'oneOf'] as const).flatMap((junctor) =>
    (schema[junctor] ?? []).map((branch, index) => ({ name: `${junctor}[${index}]`, schema: branch })),
  );
  return schema.not === undefined ? listed : [...listed, { name: 'not', schema: schema.not }];
}

/** What a branch must leave to the schema around it. */
const outsideOnly: readonly [keyof WrittenSchema, string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** The exception says which part is the pair of bare types that int-or-string is written with. */
export function branchIssues(schema: WrittenSchema, path: string, exception?: 'whole' | 'anyOf'): Issue[] {
  if (exception === 'whole') return [];
  const inner = branchesOf(schema).filter(({ name }) => exception !== 'anyOf' || !name.startsWith('anyOf'));
  return [
    ...outsideOnly
      .filter(([keyword]) => isSet(schema, keyword))
      .map(([keyword, detail]) => forbidden(child(path, keyword), detail)),
    ...inner.flatMap((branch) => branchIssues(branch.schema, `${path}.${branch.name}`)),
    ...partsOf(schema).flatMap((part) => branchIssues(part.schema, `${path}.${part.name}`)),
    ...(schema.properties !== undefined && Object.hasOwn(schema.properties, 'metadata')
      ? [forbidden(entry(child(path, 'properties'), 'metadata'), 'must not be specified in a nested context')]
      : []),
    ...patternIssues(schema, path),
  ];
}

function isSet(schema: WrittenSchema, keyword: keyof WrittenSchema): boolean {
  const value = schema[keyword];
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return value !== false;
}

function partsOf(schema: WrittenSchema): Branch[] {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name: entry('properties', name),
    schema: property,
  }));
  return schema.items === undefined
    ? properties
    : [...properties, { name: 'items', schema: schema.items as WrittenSchema }];
}

export function patternIssues({ pattern }: WrittenSchema, path: string): Issue[] {
  if (pattern === undefined || pattern === '') return [];
  const expression = compilePattern(pattern);
  if (!isFlaw(expression)) return [];
  return [
    invalid(child(path, 'pattern'), pattern, `must be a valid regular expression, but isn't: ${expression.flaw}`),
  ];
}

/** Fields that a branch speaks of and the schema around it does not have. */
export function completenessIssues(schema: WrittenSchema, path: string): Issue[] {
  return branchesOf(schema).flatMap((branch) =>
    branchCompleteness(branch.schema, schema, { outside: path, branch: `${path}.${branch.name}` }),
  );
}

function branchCompleteness(
  branch: WrittenSchema,
  schema: WrittenSchema | undefined,
  paths: { outside: string; branch: string },
): Issue[] {
  if (schema === undefined) return [required(paths.outside, `because it is defined in ${paths.branch}`)];
  const inner = branchesOf(branch).flatMap(({ name, schema: nested }) =>
    branchCompleteness(nested, schema, { ...paths, branch: `${paths.branch}.${name}` }),
  );
  const parts = partsOf(branch).flatMap(({ name, schema: part }) =>
    branchCompleteness(part, counterpart(schema, name), {
      outside: `${paths.outside}.${name}`,
      branch: `${paths.branch}.${name}`,
    }),
  );
  return [...inner, ...parts];
}

function counterpart(schema: WrittenSchema, part: string): WrittenSchema | undefined {
  if (part === 'items') return schema.items as WrittenSchema | undefined;
  return fieldOf(schema.properties ?? {}, part.slice('properties['.length, -1));
}
