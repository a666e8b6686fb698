import type { Json } from 'kilter/api';
import { type Issue, quote, stringifyJson } from '../values/index.ts';

/** A value as messages quote it. */
const quoted = (value: Json): string => (typeof value === 'string' ? quote(value) : stringifyJson(value));

export const required = (field: string, detail?: string): Issue => ({
  field,
  reason: 'FieldValueRequired',
  message: detail === undefined ? 'Required value' : `Required value: ${detail}`,
});

export const invalidValue = (field: string, value: Json, detail: string): Issue => ({
  field,
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${quoted(value)}: ${detail}`,
});

export const immutable = (field: string, value: Json): Issue => invalidValue(field, value, 'field is immutable');

export const forbiddenField = (field: string, detail: string): Issue => ({
  field,
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
});

/** `supported` is named as given: callers sort as the server does. */
export const unsupported = (field: string, value: Json, supported: readonly string[]): Issue => ({
  field,
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoted(value)}: supported values: ${supported.map(quoted).join(', ')}`,
});

export const tooLong = (field: string, bytes: number): Issue => ({
  field,
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${bytes} bytes`,
});

export const duplicate = (field: string, value: Json): Issue => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${quoted(value)}`,
});

export const notFoundValue = (field: string, value: Json, detail?: string): Issue => ({
  field,
  reason: 'FieldValueNotFound',
  message: `Not found: ${quoted(value)}${detail === undefined ? '' : `: ${detail}`}`,
});

export const tooMany = (field: string, count: number, most: number): Issue => ({
  field,
  reason: 'FieldValueTooMany',
  message: `Too many: ${count}: must have at most ${most} items`,
});

/** A number in a range, both ends included. */
export const outOfRange = (field: string, value: Json, [least, most]: readonly [number, number]): Issue[] =>
  typeof value === 'number' && value >= least && value <= most
    ? []
    : [invalidValue(field, value, `must be between ${least} and ${most}, inclusive`)];

/** What is not there is not negative. */
export const negative = (field: string, value: Json | undefined): Issue[] =>
  typeof value === 'number' && value < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : [];
