import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiVersionOf, type KindNames } from '../api/index.ts';
import { codeOf } from './cache.test-support.ts';
import { ObjectCodec } from './object-codec.ts';
import { type KeptFields, mergeRoles, projectionOf } from './projection.ts';

const names = { group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' } as unknown as KindNames;

function kept(fields: KeptFields, object: object): unknown {
  const codec = new ObjectCodec({
    names,
    metadataOnly: false,
    ownManager: () => false,
    projection: projectionOf(fields, 'Box'),
  });
  const { received } = codec.take(Buffer.from(JSON.stringify(object)), 0);
  return received.usable ? received.object.decode() : received;
}

const metadata = {
  name: 'a',
  namespace: 'n',
  resourceVersion: '1',
  uid: 'u',
  annotations: { note: 'x', 'a.b/c': 'y' },
};
const box = {
  apiVersion: apiVersionOf(names),
  kind: 'Box',
  metadata,
  spec: { node: 'n1', items: [{ image: 'i', env: [{ a: 1 }] }, { image: 'j' }, 7], more: { deep: { er: 1, st: 2 } } },
  status: { phase: 'Running' },
};

describe('IN-21: fields that are not kept are left out on the way from bytes to the store', () => {
  test.each<[KeptFields, object]>([
    [{ keep: ['spec.node'] }, { metadata, spec: { node: 'n1' } }],
    [{ keep: [] }, { metadata }],
    [
      { keep: ['spec.items.image', 'status'] },
      { metadata, spec: { items: [{ image: 'i' }, { image: 'j' }, 7] }, status: box.status },
    ],
    [{ keep: ['spec', 'spec.node'] }, { metadata, spec: box.spec }],
    [
      { keep: ['spec.more.deep'], drop: ['spec.more.deep.er'] },
      { metadata, spec: { more: { deep: { st: 2 } } } },
    ],
    [
      { drop: ['spec.items.env', 'spec.more'] },
      { metadata, spec: { node: 'n1', items: [{ image: 'i' }, { image: 'j' }, 7] }, status: box.status },
    ],
    [
      { drop: [['metadata', 'annotations', 'a.b/c']] },
      { ...box, metadata: { ...metadata, annotations: { note: 'x' } } },
    ],
    [{ drop: ['metadata.annotations'] }, { ...box, metadata: { ...metadata, annotations: undefined } }],
    [{ drop: [] }, box],
  ])('%j', (fields, expected) => {
    expect(kept(fields, box)).toEqual({ apiVersion: 'v1', kind: 'Box', ...expected });
  });

  test.each<[KeptFields, string]>([
    [{ keep: ['metadata.labels'] }, 'metadata of Box is always kept'],
    [{ drop: ['metadata'] }, 'metadata of Box cannot be dropped'],
    [{ drop: ['metadata.labels.x'] }, 'metadata.labels of Box cannot be dropped'],
    [{ drop: ['kind'] }, 'kind of Box cannot be dropped'],
    [{ drop: ['spec..x'] }, '"spec..x" is not the path of a field of Box'],
    [{ keep: [[]] }, '[] is not the path of a field of Box'],
    [{ keep: [7 as unknown as string] }, '7 is not the path of a field of Box'],
  ])('%j is refused', (fields, told) => {
    expect(() => projectionOf(fields, 'Box')).toThrow(told);
    expect(codeOf(() => projectionOf(fields, 'Box'))).toBe('CACHE_FIELDS_INVALID');
  });

  test.each([
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'deletionTimestamp',
    'finalizers',
    'labels',
    'ownerReferences',
  ])('metadata.%s is what the cache lives on: it cannot be dropped', (field) => {
    const told = `metadata.${field} of Box cannot be dropped`;
    expect(() => projectionOf({ drop: [`metadata.${field}`] }, 'Box')).toThrow(told);
  });

  test('places with ever new keys, keys given twice and escaped keys drop the same', () => {
    const fields: KeptFields = { drop: ['spec.secret', 'data.secret'] };
    const codec = new ObjectCodec({
      names,
      metadataOnly: false,
      ownManager: () => false,
      projection: projectionOf(fields, 'Box'),
    });
    const read = (text: string): unknown => {
      const { received } = codec.take(Buffer.from(text), 0);
      return received.usable ? received.object.decode() : received;
    };
    const head = '"metadata":{"name":"a","namespace":"n","resourceVersion":"1"}';
    for (let n = 0; n < 200; n += 1) {
      expect(read(`{${head},"data":{"k${n}":1,"secret":"s","l${n}":2}}`)).toMatchObject({ data: { [`k${n}`]: 1 } });
      expect(JSON.stringify(read(`{${head},"data":{"k${n}":1,"secret":"s","l${n}":2}}`))).not.toContain('secret');
    }
    for (const spec of ['{"a":1,"a":2,"secret":"s"}', '{"s\\u0065cret":"s","a":2}', '{"a":2,"secret":1,"secret":2}']) {
      expect(read(`{${head},"spec":${spec}}`)).toMatchObject({ spec: { a: 2 } });
      expect(JSON.stringify(read(`{${head},"spec":${spec}}`))).not.toContain('secret');
    }
  });

  test('bytes and parsed values give the same, whatever the object and the paths', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__', 'x.y');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    }));
    const path = fc.array(key, { minLength: 1, maxLength: 3 });
    const paths = fc.array(path, { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.option(paths, { nil: undefined }),
        paths,
        fc.array(value, { maxLength: 3 }),
        (keep, drop, values) => {
          const projection = projectionOf({ keep, drop }, 'Box');
          for (const held of values) {
            const object = { ...box, a: held, b: { c: held }, c: [held, { a: held }] };
            const { managedFields: _, ...expected } = (projection?.apply(object) ?? object) as Record<string, unknown>;
            expect(kept({ keep, drop }, object)).toEqual(JSON.parse(JSON.stringify(expected)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('what two ask of the places of a document is asked together', () => {
  const a = { within: { metadata: { within: { name: { note: 1 } } }, spec: { drop: true } } };
  const b = { only: true, within: { metadata: { within: { labels: { note: 2 } } }, status: {} } };
  for (const merged of [mergeRoles(a, b), mergeRoles(b, a)]) {
    expect(JSON.parse(JSON.stringify(merged))).toEqual({
      only: true,
      within: {
        metadata: { only: false, within: { name: { note: 1, only: false }, labels: { note: 2, only: false } } },
        spec: { drop: true, only: false },
        status: { only: false },
      },
    });
  }
});
