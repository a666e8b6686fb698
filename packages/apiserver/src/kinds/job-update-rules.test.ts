import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { jobUpdateIssues } from './job-update-rules.ts';

const fieldsOf = (spec: JsonObject, old: JsonObject): string[] =>
  jobUpdateIssues(spec, old).map(({ field, message }) => `${field}: ${message.split(': ').at(-1) ?? ''}`);

describe('how many pods a Job is done with', () => {
  const before = { completionMode: 'Indexed', completions: 3, parallelism: 2 };
  test.each<readonly [JsonObject, JsonObject, readonly string[]]>([
    [{ completions: 4, parallelism: 4 }, before, []],
    [{ completions: 4 }, before, ['spec.completions: can only be modified in tandem with spec.parallelism']],
    [{ parallelism: 3 }, before, []],
    [
      { completions: 4, parallelism: 4 },
      { completionMode: 'NonIndexed', completions: 3 },
      ['spec.completions: field is immutable'],
    ],
  ])('%j after %j', (change, spec, expected) => {
    expect(fieldsOf({ ...spec, ...change }, { spec })).toEqual(expected);
  });
});

describe('the pods of a Job', () => {
  const container = { name: 'c', image: 'i' };
  const pods = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    template: { metadata, spec: { containers: [container], ...spec } },
  });
  const nowhere = pods({});
  const suspended = { ...nowhere, suspend: true };
  const changes: readonly (readonly [change: string, spec: JsonObject])[] = [
    ['nodes', pods({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }], schedulingGates: [{ name: 'g' }] })],
    ['preferences', pods({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } })],
    ['labels', pods({}, { labels: { a: 'b' }, annotations: { c: 'd' } })],
    ['amounts', pods({ containers: [{ ...container, resources: { requests: { cpu: '1' } } }] })],
  ];
  const stopped = (status: string): JsonObject => ({
    startTime: 'T',
    conditions: [{ type: 'Suspended', status }],
  });

  test.each(changes)('may change where none of them was started: %s', (_, spec) => {
    expect(fieldsOf(spec, { spec: suspended })).toEqual([]);
    expect(fieldsOf(spec, { spec: suspended, status: stopped('True') })).toEqual([]);
  });
  test.each(changes)('stay while one of them may run: %s', (_, spec) => {
    const immutable = ['spec.template: field is immutable'];
    expect(fieldsOf(spec, { spec: nowhere })).toEqual(immutable);
    expect(fieldsOf(spec, { spec: suspended, status: stopped('False') })).toEqual(immutable);
    expect(fieldsOf(spec, { spec: suspended, status: { ...stopped('True'), active: 1 } })).toEqual(immutable);
  });
  test.each<readonly [change: string, spec: JsonObject]>([
    ['images', pods({ containers: [{ ...container, image: 'j' }] })],
    ['names', pods({ containers: [{ ...container, name: 'd' }] })],
    ['number', pods({ containers: [container, { name: 'd', image: 'i' }] })],
    ['neighbours', pods({ affinity: { podAffinity: {} } })],
    ['priority', pods({ priorityClassName: 'p' })],
  ])('stay what they are, even of a suspended one: %s', (_, spec) => {
    expect(fieldsOf(spec, { spec: suspended })).toEqual(['spec.template.spec: field is immutable']);
  });
});

test('what else is decided once', () => {
  const fields = [
    'selector',
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ];
  expect(fieldsOf(Object.fromEntries(fields.map((field) => [field, 'x'])), { spec: {} })).toEqual(
    fields.map((field) => `spec.${field}: field is immutable`),
  );
});
