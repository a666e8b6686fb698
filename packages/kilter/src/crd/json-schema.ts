/** A JSON Schema as a library gave it, in the dialect of a draft or of OpenAPI 3.0. */
export type Raw = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema at a keyword: draft 2020-12 allows `true` (anything) and `false` (nothing) for one. */
export function schemaAt(value: unknown): Raw {
  if (isRecord(value)) return value;
  return value === false ? { not: {} } : {};
}

export function schemasAt(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(schemaAt) : [];
}

export function stringsAt(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The named schemas of `properties`, in the order they were written. */
export function propertiesAt(value: unknown): [string, Raw][] {
  return isRecord(value) ? Object.entries(value).map(([name, schema]) => [name, schemaAt(schema)]) : [];
}
