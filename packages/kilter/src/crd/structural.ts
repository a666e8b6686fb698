import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';

/**
 * A structural schema on its way: rules and other marks of helpers still are next to what the server knows, under
 * keys that begin with `x-kilter-`, until `inOrder` leaves them out.
 */
export type Structural = JSONSchemaProps;

export function markOf(schema: Structural, key: `x-kilter-${string}`): unknown {
  return (schema as Readonly<Record<string, unknown>>)[key];
}

/** A schema has one type, or none where it takes an integer or a string, or anything. */
export const preserve = 'x-kubernetes-preserve-unknown-fields';
export const intOrString = 'x-kubernetes-int-or-string';

/** Conditions on a value, as opposed to its type, its words and its extensions. */
export const conditionKeys = [
  'format',
  'enum',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'allOf',
  'anyOf',
  'oneOf',
] as const;

const words = ['description', 'title', 'type'] as const;
const rest = [
  'nullable',
  'default',
  'items',
  'additionalProperties',
  'properties',
  'example',
  'externalDocs',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const;
const order = [...words, ...conditionKeys, ...rest] as const;

/** The same schema with its keywords in one fixed order, and without the marks of helpers. */
export function inOrder(schema: Structural): JSONSchemaProps {
  const result: JSONSchemaProps = {};
  for (const key of order) if (schema[key] !== undefined) Object.assign(result, { [key]: schema[key] });
  return result;
}

/** A field's own schema: `constructor` and the like are fields only if someone declares them. */
export function propertyOf({ properties }: Structural, name: string): Structural | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of the items, of a map's values or of one field: where a path may lead next. */
export function valuesOf(schema: Structural): Structural | undefined {
  const values = schema.additionalProperties;
  return typeof values === 'object' ? values : undefined;
}

/** Whether CEL has a type for a value: what is kept without a schema has none, nor has a list or map of it. */
export function isTyped(schema: Structural): boolean {
  if (schema[intOrString] === true) return true;
  if (schema.type === 'array') return schema.items !== undefined && isTyped(schema.items);
  const values = valuesOf(schema);
  return schema.type !== undefined && (values === undefined || isTyped(values));
}
