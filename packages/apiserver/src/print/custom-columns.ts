import { type Json, type JsonObject, parseTime } from 'kilter/api';
import { column, type Column } from './column.ts';
import { humanDuration } from './human-duration.ts';

/** A column as a CustomResourceDefinition declares it. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** Every value a JSON path such as `.spec.replicas` leads to in an object, in order; none if it is missing. */
export type ReadPath = (object: JsonObject, path: string) => readonly Json[];

const ageColumn: DeclaredColumn = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

function dateCell(value: Json, now: number): Json {
  if (typeof value !== 'string') return null;
  const time = parseTime(value);
  return time === undefined ? '<invalid>' : humanDuration(now - time);
}

function textCell(value: Json): string {
  const exact = (_: string, part: unknown): unknown => (typeof part === 'bigint' ? Number(part) : part);
  return typeof value === 'object' ? JSON.stringify(value, exact) : String(value);
}

/** Integers beyond 2^53 are bigint, and are written in full. */
function wholeNumber(value: Json): Json {
  return typeof value === 'bigint' ? value : null;
}

/** A value as its column's type has it; what does not fit is null, as a missing one is. */
function cellOf(value: Json | undefined, { type }: DeclaredColumn, now: number): Json {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return textCell(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : wholeNumber(value);
    case 'number':
      return typeof value === 'number' ? value : wholeNumber(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return dateCell(value, now);
    default:
      return null;
  }
}

/** The declared columns of a custom resource, or its age if it declares none. */
export function customColumns(declared: readonly DeclaredColumn[], read: ReadPath): Column[] {
  return (declared.length > 0 ? declared : [ageColumn]).map((one) => {
    const { name, type, format = '', jsonPath, priority = 0 } = one;
    const description = one.description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    const cell: Column['cell'] = (object, now) => cellOf(read(object, jsonPath)[0], one, now);
    return column(name, cell, { type, format, description, priority });
  });
}
