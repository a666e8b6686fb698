// A row of the table of definitions: one definition, in one or more schema libraries, and what becomes of its objects.
// Every verdict is stated by hand; the runners compare `validate`, the embedded server and a real one with it.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import type { Json, JsonObject } from 'kilter/api';
import { customResource, type Problem, type StandardJsonSchema } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import type { DefinedKind } from '../src/validate/index.ts';

export type Library = 'zod' | 'valibot' | 'arktype';

/** The same schema as different libraries say it. */
export type Forms = { readonly zod: unknown } & Partial<Record<Library, unknown>>;

export interface Case {
  /** `read` stores `from` under the row's earlier schema and looks at it under the present one. */
  readonly act: 'create' | 'update' | 'status' | 'read';
  /** The object without apiVersion and kind; the runner adds a name. */
  readonly object: JsonObject;
  /** What is stored before. */
  readonly from?: JsonObject | undefined;
  /** The spec and status that are stored, if the object is accepted. */
  readonly stored?: JsonObject | undefined;
  /** `spec.x Invalid`, or `spec Invalid: pin the image tag` where a rule speaks: what it is refused for. */
  readonly problems?: readonly string[] | undefined;
  /** Unknown fields, as `spec.x.nope`. */
  readonly unknown?: readonly string[] | undefined;
  /** Of servers only. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** `metadata.generation` after the write. Of servers only. */
  readonly generation?: number | undefined;
  /** Warnings of `validate` about what the schema library refuses, of all libraries or of each: `spec.x`. */
  readonly disagrees?: Disagrees | undefined;
}

export type Disagrees = readonly string[] | Partial<Record<Library, readonly string[]>>;

export interface Row {
  /** Where it is in the table, which numbers it: part of the name of its kind. */
  readonly index?: number;
  readonly title: string;
  /** The statements it shows: `CRD-M1 CRD-F2`. */
  readonly shows: string;
  /** The schema of the spec. */
  readonly spec: Forms;
  readonly cases: readonly Case[];
  /** Other keys of the definition. */
  readonly rest?: Readonly<Record<string, unknown>> | undefined;
  /** The schema of the spec, in zod, under which the old objects of updates and reads were stored. */
  readonly earlier?: unknown;
  /** What the manifest says, by path: `spec.names.plural`. */
  readonly manifest?: Readonly<Record<string, unknown>> | undefined;
  /** Warnings of the definition, as `CRD_RULE_COST spec.x`; without the key none are looked at. */
  readonly warns?: readonly string[] | undefined;
  /** The definition is refused: `CRD_LIST_KEYS spec.x`. */
  readonly refused?: readonly string[] | undefined;
  /** The definition is fine for `customResource`, and refused by `validate` and by the server. */
  readonly refusedLater?: RefusedLater | undefined;
  /** Mutations of the schema that change no verdict, with the reason: `spec.x format`; `*` for all but those of rules. */
  readonly equivalent?: Readonly<Record<string, string>> | undefined;
}

export interface RefusedLater {
  /** What `validate` throws. */
  readonly code: 'CRD_RULE_INVALID' | 'CRD_RULE_COST' | 'CRD_DEFAULT_INVALID';
  /** What the server says, each with the end of the field: `[0].rule Invalid`. */
  readonly problems: readonly string[];
}

type Rest = Omit<Partial<Row>, 'title' | 'shows' | 'spec' | 'cases'>;

/** A row about one field of the spec, `x`. For arktype, the properties of the spec are given. */
export function field(title: string, shows: string, { forms, cases = [], ...rest }: FieldRow): Row {
  const { zod, valibot, arktype } = forms;
  const spec: Forms = {
    zod: z.object({ x: zod as z.ZodType }),
    ...(valibot !== undefined && { valibot: inValibot(v.object({ x: valibot as v.GenericSchema })) }),
    ...(arktype !== undefined && { arktype: (type as (properties: unknown) => unknown)(arktype) }),
  };
  return { title, shows, spec, cases, ...rest };
}

export interface FieldRow extends Rest {
  readonly forms: Forms;
  readonly cases?: readonly Case[];
}

/** A row about the spec as a whole. */
export function spec(title: string, shows: string, { forms, cases = [], ...rest }: FieldRow): Row {
  const { valibot } = forms;
  const whole = { ...forms, ...(valibot !== undefined && { valibot: inValibot(valibot as v.GenericSchema) }) };
  return { title, shows, spec: whole, cases, ...rest };
}

/** A row about what is not in the schemas; its spec is empty unless the rest gives one. */
export function definition(title: string, shows: string, rest: Rest & { spec?: Forms; cases?: readonly Case[] }): Row {
  return { title, shows, spec: { zod: z.object({}) }, cases: [], ...rest };
}

function inValibot(schema: v.GenericSchema): unknown {
  return toStandardJsonSchema(schema);
}

export interface Expected {
  readonly unknown?: readonly string[];
  readonly fieldValidation?: Case['fieldValidation'];
  readonly generation?: number;
  readonly disagrees?: Disagrees;
}

/**
 * Ways to write cases, of which the value is at one place. Paths of problems are relative to it: `Invalid`, `.a Required`,
 * `[1] Duplicate`. Others are whole, with a slash before those that start with a dot: `spec.b Invalid`, `/.spec.n Invalid`.
 */
export interface CaseWords {
  /** Created and stored as it is. */
  readonly takes: (value: Json | undefined, expected?: Expected) => Case;
  /** Created and stored as something else. */
  readonly becomes: (value: Json | undefined, stored: Json | undefined, expected?: Expected) => Case;
  readonly refuses: (value: Json | undefined, ...problems: string[]) => Case;
  /** Replaces a stored value. */
  readonly changes: (from: Json | undefined, value: Json | undefined, expected?: Expected) => Case;
  readonly refusesChange: (from: Json | undefined, value: Json | undefined, ...problems: string[]) => Case;
  /** Stored before a change of the schema, and read after it. */
  readonly reads: (from: Json | undefined, shown: Json | undefined) => Case;
}

function at(prefix: string): (problem: string) => string {
  return (problem) => {
    const [, place = '', rest = ''] = /^(\S*?) ?((?:[A-Z]\w+)(?:: .*)?)$/s.exec(problem) ?? [];
    const isRelative = place === '' || /^[.[]/.test(place);
    const path = isRelative ? `${prefix}${prefix === '' ? place.replace(/^\./, '') : place}` : place.replace(/^\//, '');
    return `${path === '' ? '<nil>' : path} ${rest}`;
  };
}

function words(prefix: string, wrap: (value: Json | undefined) => JsonObject): CaseWords {
  const problemsOf = (problems: string[]): string[] => problems.map(at(prefix));
  return {
    takes: (value, expected) => ({ act: 'create', object: wrap(value), stored: wrap(value), ...expected }),
    becomes: (value, stored, expected) => ({ act: 'create', object: wrap(value), stored: wrap(stored), ...expected }),
    refuses: (value, ...problems) => ({ act: 'create', object: wrap(value), problems: problemsOf(problems) }),
    changes: (from, value, expected) => ({
      act: 'update',
      from: wrap(from),
      object: wrap(value),
      stored: wrap(value),
      ...expected,
    }),
    refusesChange: (from, value, ...problems) => ({
      act: 'update',
      from: wrap(from),
      object: wrap(value),
      problems: problemsOf(problems),
    }),
    reads: (from, shown) => ({ act: 'read', from: wrap(from), object: wrap(from), stored: wrap(shown) }),
  };
}

/** Of `spec.x`; undefined leaves it out. */
export const ofX: CaseWords = words('spec.x', (x) => ({ spec: x === undefined ? {} : { x } }));
/** Of the spec; undefined leaves it out. */
export const ofSpec: CaseWords = words('spec', (value) => (value === undefined ? {} : { spec: value }));
/** Of the whole object. */
export const ofObject: CaseWords = words('', (value) => value as JsonObject);

/** A write of the status subresource: the status is stored, or refused. */
export const ofStatus: Pick<CaseWords, 'takes' | 'becomes' | 'refuses'> & {
  change(from: JsonObject, object: JsonObject, outcome: { stored?: JsonObject; problems?: string[] } & Expected): Case;
} = {
  takes: (status, expected) => statusCase(status, { stored: { spec: {}, status: status ?? null } }, expected),
  becomes: (status, stored, expected) => statusCase(status, { stored: { spec: {}, status: stored ?? null } }, expected),
  refuses: (status, ...problems) => statusCase(status, { problems: problems.map(at('status')) }),
  change: (from, object, { problems, ...rest }) => ({
    act: 'status',
    from,
    object,
    ...(problems !== undefined && { problems: problems.map(at('status')) }),
    ...rest,
  }),
};

function statusCase(status: Json | undefined, outcome: Partial<Case>, expected?: Expected): Case {
  return { act: 'status', from: { spec: {} }, object: { spec: {}, status: status ?? null }, ...outcome, ...expected };
}

/** What the server adds where a rule stands and the object is too wrong for it to run. */
export const rulesNotRun =
  '<nil> Invalid: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

export const group = 'table.example.com';

/** What a defined kind has here beside what every kind has. */
export interface TableKind extends DefinedKind {
  readonly warnings: readonly Problem[];
  manifest(): ReturnType<DefinedKind['manifest']> & JsonObject;
}

type AnySchema = StandardJsonSchema<object, object>;

/** The kind of a row; throws where the definition is refused. Kinds of one row and different libraries have different names. */
export function kindOf(row: Row, library: Library = 'zod'): TableKind {
  return define(row, row.spec[library], `Row${row.index}${library === 'zod' ? '' : library}`);
}

/** The kind as it was before, for rows with an earlier schema. */
export function earlierKindOf(row: Row): TableKind {
  return define(row, row.earlier, `Row${row.index}`);
}

function define(row: Row, schema: unknown, kind: string): TableKind {
  const made = customResource({
    group,
    version: 'v1',
    kind,
    spec: schema as AnySchema,
    ...(row.rest as { status?: AnySchema }),
  });
  return made as unknown as TableKind;
}

export function disagreeing({ disagrees = [] }: Case, library: Library): readonly string[] {
  return Array.isArray(disagrees) ? disagrees : ((disagrees as Partial<Record<Library, string[]>>)[library] ?? []);
}

export const librariesOf = (row: Row): Library[] =>
  (['zod', 'valibot', 'arktype'] as const).filter((library) => row.spec[library] !== undefined);
