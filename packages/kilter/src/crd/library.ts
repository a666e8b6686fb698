import { deepEqual } from '../internal/index.ts';
import { schemaPath } from './field-path.ts';
import { isRecord, type Raw } from './json-schema.ts';
import type { Findings } from './problem.ts';
import type { StandardJsonSchema, Target } from './standard.ts';

/** What a library makes of one schema: the JSON Schema of what goes in and of what comes out. */
export interface LibrarySchema {
  readonly input: Raw;
  readonly output: Raw;
}

type Side = 'input' | 'output';
type Segments = readonly (string | number)[];

/** A schema, and where in the definition it stands. */
interface Asked {
  readonly schema: StandardJsonSchema;
  readonly path: string;
  readonly findings: Findings;
}

/**
 * The draft first: it says what OpenAPI 3.0 has no words for (key schemas of records, tuples). The translation reads
 * both dialects, so a library with only one of them will do.
 */
const targets: readonly Target[] = ['draft-2020-12', 'openapi-3.0'];

function ask(schema: StandardJsonSchema, side: Side): Raw | Error {
  const failures: Error[] = [];
  for (const target of targets) {
    try {
      return schema['~standard'].jsonSchema[side]({ target });
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return failures[0] ?? new Error('it offers no JSON Schema');
}

/** The library's answer, or nothing after the reasons went to the findings. */
export function librarySchema(asked: Asked): LibrarySchema | undefined {
  const { schema, path, findings } = asked;
  if (!speaksBothStandards(schema)) {
    findings.refuse({
      code: 'CRD_SCHEMA_UNREPRESENTABLE',
      path,
      message: 'is no schema with both Standard Schema and Standard JSON Schema',
      cure: 'use zod 4.2 or newer, or another library that speaks Standard JSON Schema',
    });
    return undefined;
  }
  const input = ask(schema, 'input');
  if (input instanceof Error) return giveUp(asked, 'input', input);
  const output = ask(schema, 'output');
  if (output instanceof Error) return giveUp(asked, 'output', output);
  refuseChanging(input, ask(schema, 'input'), asked);
  return { input, output };
}

/** A definition in plain JavaScript has no types to hold it. */
function speaksBothStandards(schema: unknown): boolean {
  const standard = isRecord(schema) || typeof schema === 'function' ? (schema as Raw)['~standard'] : undefined;
  if (!isRecord(standard) || typeof standard['validate'] !== 'function') return false;
  const jsonSchema = standard['jsonSchema'];
  return isRecord(jsonSchema) && typeof jsonSchema['input'] === 'function' && typeof jsonSchema['output'] === 'function';
}

function giveUp({ schema, path, findings }: Asked, side: Side, error: Error): undefined {
  const code = side === 'input' ? 'CRD_SCHEMA_UNREPRESENTABLE' : 'CRD_SCHEMA_TRANSFORM';
  const places = unrepresentablePlaces(schema, side);
  if (places.length === 0) findings.refuse({ code, path, message: error.message });
  for (const place of places) findings.refuse({ code, path: schemaPath(path, place.path), message: place.message });
}

interface Place {
  readonly path: Segments;
  readonly message: string;
}

/** zod says where it gives up when it is asked not to throw; other libraries leave one message for the whole. */
function unrepresentablePlaces(schema: StandardJsonSchema, side: Side): Place[] {
  const places: Place[] = [];
  const unrepresentable = ({ path = [], message = 'has no JSON Schema form' }: Partial<Place>): 'any' => {
    places.push({ path, message });
    return 'any';
  };
  try {
    schema['~standard'].jsonSchema[side]({ target: 'draft-2020-12', libraryOptions: { unrepresentable } });
  } catch {
    return [];
  }
  return places;
}

/** A default from the clock or from chance differs between two answers. */
function refuseChanging(first: Raw, second: unknown, { path, findings }: Asked): void {
  for (const place of differences(first, second, [])) {
    findings.refuse({
      code: 'CRD_DEFAULT_INVALID',
      path: schemaPath(path, place),
      message: 'the schema says something else each time it is asked',
    });
  }
}

function differences(a: unknown, b: unknown, at: Segments): Segments[] {
  if (deepEqual(a, b)) return [];
  if (!isRecord(a) || !isRecord(b) || !deepEqual(Object.keys(a), Object.keys(b))) return [at];
  return Object.keys(a).flatMap((key) => differences(a[key], b[key], [...at, key]));
}
