import type { Json, JsonObject } from 'kilter/api';
import { type Issue, stringifyJson } from '../values/index.ts';
import { invalid } from './issue.ts';
import { readPath } from './json-path.ts';

/** Where a scalable resource keeps its replica counts, as dotted paths with a leading dot. */
export interface ScaleFields {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** What the scale subresource could not show of a resource; `part` is the half that is being written. */
export function scaleIssues(value: JsonObject, scale: ScaleFields, part: 'all' | 'status' = 'all'): Issue[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(part === 'all' ? countIssues(value, specReplicasPath) : []),
    ...countIssues(value, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : selectorIssues(value, labelSelectorPath)),
  ];
}

const maximum = 2 ** 31 - 1;

function countIssues(value: JsonObject, path: string): Issue[] {
  const count = readPath(value, path);
  if (count === undefined) return [];
  const whole = typeof count === 'bigint' || Number.isInteger(count);
  if (!whole) return [invalid(path, 0, wrongType(path, count, 'int64'))];
  const number = count as number;
  if (number < 0) return [invalid(path, number, 'should be a non-negative integer')];
  return number > maximum ? [invalid(path, number, `should be less than or equal to ${maximum}`)] : [];
}

function selectorIssues(value: JsonObject, path: string): Issue[] {
  const selector = readPath(value, path);
  if (selector === undefined || typeof selector === 'string') return [];
  return [invalid(path, '', wrongType(path, selector, 'string'))];
}

function wrongType(path: string, value: Json, expected: string): string {
  return `${path} accessor error: ${stringifyJson(value)} is not of the type expected, ${expected}`;
}
