import { deepEqual } from '../internal/index.ts';
import { schemaPath } from './field-path.ts';
import { isRecord, type Raw } from './json-schema.ts';
import type { Findings } from './problem.ts';
import type { StandardJsonSchema, Target } from './standard.ts';
import { speakingCure, vendorOptions } from './vendor.ts';

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

function ask({ schema, path, findings }: Asked, side: Side): Raw {
  const standard = schema['~standard'];
  let failure: unknown;
  for (const target of targets) {
    try {
      return standard.jsonSchema[side]({ target, libraryOptions: vendorOptions(standard.vendor) });
    } catch (error) {
      failure ??= error;
    }
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  const code = side === 'input' ? 'CRD_SCHEMA_UNREPRESENTABLE' : 'CRD_SCHEMA_TRANSFORM';
  if (!findings.problems.some((problem) => problem.path === path)) findings.refuse({ code, path, message });
  return { type: 'object' };
}

/** The library's answer, or nothing if it has none to give; what is wrong with it goes to the findings. */
export function librarySchema(asked: Asked): LibrarySchema | undefined {
  const { schema, path, findings } = asked;
  if (!speaksBothStandards(schema)) {
    findings.refuse({
      code: 'CRD_SCHEMA_UNREPRESENTABLE',
      path,
      message: 'is not a schema with both Standard Schema and Standard JSON Schema',
      cure: speakingCure(standardOf(schema)?.['vendor']),
    });
    return undefined;
  }
  const [input, output] = [ask(asked, 'input'), ask(asked, 'output')];
  refuseChanging(input, ask(asked, 'input'), asked);
  return { input, output };
}

/** A definition in plain JavaScript has no types to hold it. */
function standardOf(schema: unknown): Raw | undefined {
  const standard = isRecord(schema) || typeof schema === 'function' ? (schema as Raw)['~standard'] : undefined;
  return isRecord(standard) ? standard : undefined;
}

function speaksBothStandards(schema: unknown): boolean {
  const standard = standardOf(schema);
  if (typeof standard?.['validate'] !== 'function') return false;
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
      message: 'the schema is different each time it is read',
    });
  }
}

function differences(a: unknown, b: unknown, at: Segments): Segments[] {
  if (deepEqual(a, b)) return [];
  if (!isRecord(a) || !isRecord(b) || !deepEqual(Object.keys(a), Object.keys(b))) return [at];
  return Object.keys(a).flatMap((key) => differences(a[key], b[key], [...at, key]));
}
