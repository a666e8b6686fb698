import { fieldSelector, type Fields, fieldsFault, type Labels, labelsFault, labelSelector } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';

export function invalidOption(what: string): KilterError {
  return new KilterError('CLIENT_OPTION_INVALID', what);
}

/** A number of things or seconds as it is in a query; undefined where it was not given. */
export function wholeNumber(value: number | undefined, name: string, least: 0 | 1): string | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && value >= least) return String(value);
  throw invalidOption(`${name}: ${String(value)} is not a whole number of at least ${least}`);
}

/** Text is left to the server to judge. */
function labelsText(labels: Labels): string {
  const fault = typeof labels === 'string' ? undefined : labelsFault(labels);
  if (fault !== undefined) throw invalidOption(`labels: ${fault}`);
  return labelSelector(labels);
}

function fieldsText(fields: Fields): string {
  const fault = typeof fields === 'string' ? undefined : fieldsFault(fields);
  if (fault !== undefined) throw invalidOption(`fields: ${fault}`);
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
