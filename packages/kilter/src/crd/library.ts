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

interface Place {
  readonly path: Segments;
  readonly message: string;
}

/** A library's answer with the places it could not represent, which read as anything. */
interface Answer {
  readonly schema: Raw;
  readonly gaps: readonly Place[];
}

function ask(schema: StandardJsonSchema, side: Side): Answer {
  let failure: unknown;
  for (const target of targets) {
    try {
      return { schema: schema['~standard'].jsonSchema[side]({ target }), gaps: [] };
    } catch (error) {
      failure ??= error;
    }
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  return askTolerantly(schema, side) ?? { schema: { type: 'object' }, gaps: [{ path: [], message }] };
}

/** zod says where it gives up when it is asked not to throw; other libraries leave one message for the whole. */
function askTolerantly(schema: StandardJsonSchema, side: Side): Answer | undefined {
  const gaps: Place[] = [];
  const unrepresentable = ({ path = [], message = 'has no JSON Schema form' }: Partial<Place>): 'any' => {
    gaps.push({ path, message });
    return 'any';
  };
  try {
    const answer = schema['~standard'].jsonSchema[side]({
      target: 'draft-2020-12',
      libraryOptions: { unrepresentable },
    });
    return gaps.length > 0 ? { schema: answer, gaps } : undefined;
  } catch {
    return undefined;
  }
}

/** The library's answer, or nothing if it has none to give; what is wrong with it goes to the findings. */
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
  const [input, output, again] = [ask(schema, 'input'), ask(schema, 'output'), ask(schema, 'input')];
  const places = new Set<string>();
  for (const [code, { gaps }] of [
    ['CRD_SCHEMA_UNREPRESENTABLE', input],
    ['CRD_SCHEMA_TRANSFORM', output],
  ] as const) {
    for (const gap of gaps) {
      const place = schemaPath(path, gap.path);
      if (!places.has(place)) findings.refuse({ code, path: place, message: gap.message });
      places.add(place);
    }
  }
  refuseChanging(input.schema, again.schema, asked);
  return { input: input.schema, output: output.schema };
}

/** A definition in plain JavaScript has no types to hold it. */
function speaksBothStandards(schema: unknown): boolean {
  const standard = isRecord(schema) || typeof schema === 'function' ? (schema as Raw)['~standard'] : undefined;
  if (!isRecord(standard) || typeof standard['validate'] !== 'function') return false;
  const jsonSchema = standard['jsonSchema'];
  return (
    isRecord(jsonSchema) && typeof jsonSchema['input'] === 'function' && typeof jsonSchema['output'] === 'function'
  );
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
