import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { applyPatch } from './apply-patch.ts';
import { trackUpdate } from './track-update.ts';

const text: Schema = { type: 'string' };
const map: Schema = { type: 'object', additionalProperties: text };
const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', properties: { name: text, annotations: map } },
    data: map,
  },
};
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const write = { schema, apiVersion: 'v1', now: '2030-01-01T00:00:00Z' };
const object = (data: JsonObject, annotations?: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'k', ...(annotations && { annotations }) },
  data,
});
/** An object as `kubectl apply` without --server-side leaves it. */
const clientSide = (data: JsonObject, lastApplied = JSON.stringify(object(data))): JsonObject =>
  trackUpdate({ ...write, manager: 'kubectl-client-side-apply', updated: object(data, { [annotation]: lastApplied }) });
const apply = (live: JsonObject, data: JsonObject, manager = 'kubectl'): JsonObject =>
  applyPatch({ ...write, live, manager, force: false, applied: object(data) }).object;
const annotationOf = (result: JsonObject): unknown =>
  ((result['metadata'] as JsonObject)['annotations'] as JsonObject)[annotation];

describe('API-S11: kubectl moving to server-side apply', () => {
  test('takes over without a conflict what its annotation says it wrote, and brings the annotation up to date', () => {
    const live = clientSide({ a: '1', b: '2' });
    expect(() => apply(live, { a: '<9>' }, 'other')).toThrow(
      'conflict with "kubectl-client-side-apply" using v1: .data.a',
    );
    const moved = apply(live, { b: '2', a: '<9>' });
    expect(moved['data']).toEqual({ a: '<9>', b: '2' });
    expect(annotationOf(moved)).toBe(
      String.raw`{"apiVersion":"v1","data":{"a":"\u003c9\u003e","b":"2"},"kind":"ConfigMap","metadata":{"name":"k"}}` +
        '\n',
    );
  });

  test('conflicts over what was changed since by somebody else', () => {
    const live = clientSide({ a: '1', b: '2' });
    const edited = trackUpdate({
      ...write,
      live,
      manager: 'editor',
      updated: object({ a: '1', b: 'edited' }, { [annotation]: annotationOf(live) as string }),
    });
    expect(() => apply(edited, { a: '9', b: '3' })).toThrow(
      'Apply failed with 1 conflict: conflict with "editor" using v1: .data.b',
    );
  });

  test.each([
    'nonsense',
    '',
    '[]',
    '{"apiVersion":"v2","kind":"ConfigMap","data":{"a":"1"}}',
    '{"apiVersion":"v1","nope":1}',
  ])('an annotation %j allows nothing', (lastApplied) => {
    expect(() => apply(clientSide({ a: '1' }, lastApplied), { a: '2' })).toThrow('Apply failed with 1 conflict');
  });

  test('an object without the annotation gets none', () => {
    const live = applyPatch({ ...write, manager: 'kubectl', force: false, applied: object({ a: '1' }) }).object;
    expect(apply(live, { a: '2' })['metadata']).not.toHaveProperty('annotations');
  });

  test('a configuration too large for an annotation takes it away', () => {
    const moved = apply(clientSide({ a: '1' }), { a: '1', b: 'x'.repeat(256 * 1024) });
    expect(annotationOf(moved)).toBeUndefined();
  });
});
