import { inShort } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import { labelSelector, parseLabelSelector } from './selector.ts';

/** Terms as the properties of an object. A list and a Map have none of them, and would select everything. */
function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Map);
}

/** What would be read as something else: a value that holds a comma would widen or narrow the selection unseen. */
function isTerm(key: string, value: unknown): boolean {
  const wanted = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(wanted)) return false;
  const [term, ...more] = parseLabelSelector(labelSelector({ [key]: value as string | readonly string[] })) ?? [];
  return term !== undefined && more.length === 0 && term.key === key && deepEqual(term.values, wanted);
}

/** What is wrong with a label selector; undefined where it selects what it says. Types forbid most of it, but not `process.env.SHARD!`. */
export function labelsFault(labels: unknown): string | undefined {
  const isText = typeof labels === 'string' && parseLabelSelector(labels) !== undefined;
  if (!isText && !isRecord(labels)) return `${inShort(labels)} is not a label selector`;
  const wrong = isRecord(labels) ? Object.entries(labels).find(([key, value]) => !isTerm(key, value)) : undefined;
  return wrong && `${inShort(wrong[1])} cannot be a value of the label ${JSON.stringify(wrong[0])}`;
}

/** The same of a field selector that is not text. */
export function fieldsFault(fields: unknown): string | undefined {
  if (!isRecord(fields)) return `${inShort(fields)} is not a field selector`;
  const isWrong = ([path, value]: [string, unknown]): boolean => typeof value !== 'string' || !/^[^=!,\s]+$/.test(path);
  const wrong = Object.entries(fields).find(isWrong);
  return wrong && `${JSON.stringify(wrong[0])} cannot be compared with ${inShort(wrong[1])}`;
}
