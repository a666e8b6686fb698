import { fieldSelector, type Fields, type Labels, labelSelector, parseLabelSelector } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';

export function invalidOption(what: string): KilterError {
  return new KilterError('CLIENT_OPTION_INVALID', what);
}

/** A number of things or seconds as it is in a query; undefined where it was not given. */
export function wholeNumber(value: number | undefined, name: string, least: 0 | 1): string | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && value >= least) return String(value);
  throw invalidOption(`${name}: ${String(value)} is not a whole number of at least ${least}`);
}

/**
 * One label of a selector given as data. What the server would read as something else is refused: a value that holds a
 * comma would widen or narrow the selection unseen.
 */
function checkLabel(key: string, value: string | readonly string[]): void {
  const wanted = typeof value === 'string' ? [value] : value;
  const text = Array.isArray(wanted) ? labelSelector({ [key]: value }) : '';
  const [term, ...more] = parseLabelSelector(text) ?? [];
  const same = term !== undefined && more.length === 0 && term.key === key && deepEqual(term.values, wanted);
  if (!same)
    throw invalidOption(`labels: ${JSON.stringify(value)} cannot be a value of the label ${JSON.stringify(key)}`);
}

function labelsText(labels: Labels): string {
  if (typeof labels === 'object') for (const [key, value] of Object.entries(labels)) checkLabel(key, value);
  return labelSelector(labels);
}

function fieldsText(fields: Fields): string {
  if (typeof fields === 'object') {
    for (const [path, value] of Object.entries(fields)) {
      if (typeof value !== 'string' || !/^[^=!,\s]+$/.test(path)) {
        throw invalidOption(`fields: ${JSON.stringify(path)} cannot be compared with ${JSON.stringify(value)}`);
      }
    }
  }
  return fieldSelector(fields);
}

/** The selectors of a list, a watch or a deletion as they are in a query. */
export function selectors({ labels, fields }: { labels?: Labels | undefined; fields?: Fields | undefined }): {
  labelSelector: string | undefined;
  fieldSelector: string | undefined;
} {
  return {
    labelSelector: labels === undefined ? undefined : labelsText(labels),
    fieldSelector: fields === undefined ? undefined : fieldsText(fields),
  };
}
