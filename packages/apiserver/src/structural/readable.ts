import { branchesOf } from './junctors.ts';
import type { WrittenSchema } from './shape.ts';

/** Keywords of JSON Schema that have no place in a structural schema. */
export const unsupportedKeywords: readonly (keyof WrittenSchema)[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

/** Whether the schema has a structural form at all; without one the server checks its keywords and nothing else. */
export function isReadable(schema: WrittenSchema): boolean {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...branchesOf(schema).map((branch) => branch.schema),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.items === undefined ? [] : [schema.items as WrittenSchema]),
  ];
  return !hasUnreadableKeyword(schema) && parts.every(isReadable);
}

function hasUnreadableKeyword(schema: WrittenSchema): boolean {
  return (
    [...unsupportedKeywords, '$schema' as const].some((keyword) => isPresent(schema[keyword])) ||
    Array.isArray(schema.items) ||
    schema['x-kubernetes-preserve-unknown-fields'] === false
  );
}

export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
