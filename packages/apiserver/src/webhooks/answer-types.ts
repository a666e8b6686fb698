// Whether the fields of an answer have the types of a review, in the words of Go's decoder.
import type { Json, JsonObject } from 'kilter/api';
import { isBase64, isNumeric, isObject, jsonKind } from '../values/index.ts';

/** A field: by its type in Go, and by what JSON has to be there. */
type Field =
  | { readonly go: string; readonly json: 'string' | 'boolean' | 'integer' | 'bytes' }
  | { readonly go: string; readonly list: Field }
  | { readonly go: string; readonly map: Field }
  | { readonly go: string; readonly struct: Struct };

interface Struct {
  readonly name: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const text = (go = 'string'): Field => ({ go, json: 'string' });
const uid = text('types.UID');

const cause: Struct = { name: 'StatusCause', fields: { reason: text('v1.CauseType'), message: text(), field: text() } };
const details: Struct = {
  name: 'StatusDetails',
  fields: {
    name: text(),
    group: text(),
    kind: text(),
    uid,
    causes: { go: '[]v1.StatusCause', list: { go: 'v1.StatusCause', struct: cause } },
    retryAfterSeconds: { go: 'int32', json: 'integer' },
  },
};
const status: Struct = {
  name: 'Status',
  fields: {
    status: text(),
    message: text(),
    reason: text('v1.StatusReason'),
    details: { go: 'v1.StatusDetails', struct: details },
    code: { go: 'int32', json: 'integer' },
  },
};
const response: Struct = {
  name: 'AdmissionResponse',
  fields: {
    uid,
    allowed: { go: 'bool', json: 'boolean' },
    status: { go: 'v1.Status', struct: status },
    patch: { go: '[]uint8', json: 'bytes' },
    patchType: text('v1.PatchType'),
    auditAnnotations: { go: 'map[string]string', map: text() },
    warnings: { go: '[]string', list: text() },
  },
};
const request: Struct = { name: 'AdmissionRequest', fields: { uid } };
const review: Struct = {
  name: 'AdmissionReview',
  fields: {
    request: { go: 'v1.AdmissionRequest', struct: request },
    response: { go: 'v1.AdmissionResponse', struct: response },
  },
};

/** Where a value stands: the struct it is in, and its way from the top. */
interface Location {
  readonly struct: string;
  readonly path: string;
}

const fits = (value: Json, field: Field): boolean => {
  if ('list' in field) return Array.isArray(value);
  if ('map' in field || 'struct' in field) return isObject(value);
  if (field.json === 'integer') return isNumeric(value) && isInt32(value);
  return typeof value === (field.json === 'boolean' ? 'boolean' : 'string');
};

const isInt32 = (value: number | bigint): boolean =>
  typeof value === 'bigint' ? BigInt.asIntN(32, value) === value : Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** Where base64 breaks off; undefined where it does not. */
function base64Problem(value: string): string | undefined {
  const kept = value.replaceAll(/[\r\n]/g, '');
  if (isBase64(kept)) return undefined;
  const [good = ''] = /^[A-Za-z0-9+/]*/.exec(kept) ?? [];
  const at = good.length === kept.length ? good.length - (good.length % 4) : good.length;
  return `illegal base64 data at input byte ${at}`;
}

function mismatch(value: Json, field: Field, { struct, path }: Location): string {
  const what = isNumeric(value) && 'json' in field && field.json === 'integer' ? `number ${value}` : jsonKind(value);
  return `json: cannot unmarshal ${what} into Go struct field ${struct}.${path} of type ${field.go}`;
}

function firstOf(values: readonly Json[], field: Field, place: Location): string | undefined {
  for (const value of values) {
    const problem = fieldProblem(value, field, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(value: Json, field: Field, place: Location): string | undefined {
  if (value === null) return undefined;
  if (!fits(value, field)) return mismatch(value, field, place);
  if ('list' in field) return firstOf(value as Json[], field.list, place);
  if ('map' in field) return firstOf(Object.values(value as JsonObject), field.map, place);
  if ('struct' in field) return structProblem(value as JsonObject, field.struct, `${place.path}.`);
  return field.json === 'bytes' ? base64Problem(value as string) : undefined;
}

function structProblem(object: JsonObject, { name, fields }: Struct, before: string): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const problem = field && fieldProblem(value, field, { struct: name, path: `${before}${key}` });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The first field of an AdmissionReview that cannot be read; undefined if all can. */
export const answerProblem = (answer: JsonObject): string | undefined => structProblem(answer, review, '');
