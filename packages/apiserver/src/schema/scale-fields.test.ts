import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { scaleIssues } from './scale-fields.ts';

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const fields = (value: JsonObject, part?: 'all' | 'status'): string[] =>
  scaleIssues(value, scale, part).map(({ field, message }) => `${field}: ${message}`);

test('what the scale subresource could not show', () => {
  expect(fields({})).toEqual([]);
  expect(fields({ spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=b' } })).toEqual([]);
  expect(fields({ spec: { replicas: -1 } })).toEqual([
    '.spec.replicas: Invalid value: -1: should be a non-negative integer',
  ]);
  expect(fields({ status: { replicas: 2 ** 31 } })).toEqual([
    '.status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647',
  ]);
  expect(fields({ spec: { replicas: '3' }, status: { selector: {} } })).toEqual([
    expect.stringContaining('.spec.replicas: Invalid value: 0:'),
    expect.stringContaining('.status.selector: Invalid value: "":'),
  ]);
});

test('a write of status is not judged by spec', () => {
  expect(fields({ spec: { replicas: -1 }, status: { replicas: -1 } }, 'status')).toEqual([
    '.status.replicas: Invalid value: -1: should be a non-negative integer',
  ]);
});
