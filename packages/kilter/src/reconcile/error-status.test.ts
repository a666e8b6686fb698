import { describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../api/index.ts';
import { errorManagerOf, leftByErrors, partsOf, together } from './error-status.ts';

test('what a patch sets: fields and types of conditions, nothing that it only mentions', () => {
  const patch = { message: 'm', gone: undefined, cleared: null, conditions: [{ type: 'Ready' }, { type: 'Failed' }] };
  expect(partsOf(patch)).toEqual({ fields: ['message', 'cleared'], conditions: ['Ready', 'Failed'] });
  expect(partsOf({})).toEqual({ fields: [], conditions: [] });
});

test('parts of two failures are the parts of either', () => {
  const a = { fields: ['x', 'y'], conditions: ['A'] };
  const b = { fields: ['y', 'z'], conditions: ['A', 'B'] };
  expect(together(a, b)).toEqual({ fields: ['x', 'y', 'z'], conditions: ['A', 'B'] });
  expect([together(a, undefined), together(undefined, b), together(undefined, undefined)]).toEqual([a, b, undefined]);
});

describe('ST-4: what errors have left in a status', () => {
  const entry = (fieldsV1: object, given: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry =>
    ({ manager: errorManagerOf('me'), operation: 'Update', subresource: 'status', fieldsV1, ...given }) as never;
  const status = {
    '.': {},
    'f:message': {},
    'f:observedGeneration': {},
    'f:conditions': {
      '.': {},
      'k:{"type":"Ready"}': { '.': {}, 'f:status': {}, 'f:message': {} },
      'k:{"type":"Late"}': { 'f:reason': {} },
      'k:{"type":"Kept"}': { 'f:message': {}, 'f:lastTransitionTime': {} },
      'k:{"other":"x"}': { 'f:status': {} },
      'v:1': { 'f:status': {} },
    },
  };

  test('the fields their manager owns, and the conditions whose verdict it owns', () => {
    expect(leftByErrors([entry({ 'f:status': status })], 'me')).toEqual({
      fields: ['message'],
      conditions: ['Ready', 'Late'],
    });
  });

  test('without conditions, the fields alone', () => {
    expect(leftByErrors([entry({ 'f:status': { 'f:message': {} } })], 'me')).toEqual({
      fields: ['message'],
      conditions: [],
    });
  });

  test.each([
    ['no entry', []],
    ['the controller’s own entry', [entry({ 'f:status': status }, { manager: 'me' })]],
    ['another controller’s errors', [entry({ 'f:status': status }, { manager: errorManagerOf('you') })]],
    ['an entry for the object itself', [entry({ 'f:status': status }, { subresource: undefined })]],
    ['an entry for another subresource', [entry({ 'f:status': status }, { subresource: 'scale' })]],
    ['an entry without a status', [entry({ 'f:spec': {} })]],
  ])('nothing, with %s', (_, entries) => {
    expect(leftByErrors(entries, 'me')).toBeUndefined();
  });
});
