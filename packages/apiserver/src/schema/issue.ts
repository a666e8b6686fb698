import type { Json } from 'kilter/api';
import { compactJson, type Issue, quote, valueText } from '../values/index.ts';
import { fieldName } from './field-path.ts';

/** The forms of issues, worded as kube-apiserver words the causes of a 422. A path of '' is the root: `<nil>`. */

function issue(path: string, reason: Issue['reason'], message: string): Issue {
  return { field: fieldName(path), reason, message };
}

const detailed = (text: string, detail: string): string => (detail === '' ? text : `${text}: ${detail}`);

/** What stands for a value that is too big to print, such as the object a rule refused. */
export const omitted: unique symbol = Symbol('omitted');

function withValue(kind: string, value: Json | typeof omitted): string {
  return value === omitted ? kind : `${kind}: ${valueText(value)}`;
}

export function invalid(path: string, value: Json | typeof omitted, detail: string): Issue {
  return issue(path, 'FieldValueInvalid', detailed(withValue('Invalid value', value), detail));
}

export function typeInvalid(path: string, value: Json, detail: string): Issue {
  return issue(path, 'FieldValueTypeInvalid', detailed(withValue('Invalid value', value), detail));
}

export function required(path: string, detail: string = ''): Issue {
  return issue(path, 'FieldValueRequired', detailed('Required value', detail));
}

export function forbidden(path: string, detail: string): Issue {
  return issue(path, 'FieldValueForbidden', detailed('Forbidden', detail));
}

export function duplicate(path: string, value: Json | typeof omitted): Issue {
  return issue(path, 'FieldValueDuplicate', withValue('Duplicate value', value));
}

export function notSupported(path: string, value: Json, supported: readonly Json[]): Issue {
  const list = supported.map((item) => quote(typeof item === 'string' ? item : compactJson(item))).join(', ');
  return issue(
    path,
    'FieldValueNotSupported',
    detailed(withValue('Unsupported value', value), `supported values: ${list}`),
  );
}

/** The server says bytes where it counted characters. */
export function tooLong(path: string, limit: number): Issue {
  return issue(path, 'FieldValueTooLong', `Too long: may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`);
}

export function tooMany(path: string, actual: number, limit: number): Issue {
  return issue(
    path,
    'FieldValueTooMany',
    `Too many: ${actual}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
  );
}
