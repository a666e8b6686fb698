import fc from 'fast-check';
import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';
import type { PatchHints } from './patch-hints.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const byKey = (key: string, item: PatchHints = {}): PatchHints => ({
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': key,
  items: item,
});

/** The parts of Pod and Service that matter here. */
const hints: PatchHints = {
  properties: {
    metadata: {
      properties: {
        labels: { additionalProperties: {} },
        finalizers: { 'x-kubernetes-patch-strategy': 'merge' },
        ownerReferences: byKey('uid'),
      },
    },
    spec: {
      properties: {
        containers: byKey('name', {
          properties: { env: byKey('name'), ports: byKey('containerPort'), volumeMounts: byKey('mountPath') },
        }),
        volumes: { ...byKey('name'), 'x-kubernetes-patch-strategy': 'merge,retainKeys' },
        tolerations: {},
        template: { 'x-kubernetes-patch-strategy': 'replace' },
        ports: byKey('port'),
        unkeyed: { 'x-kubernetes-patch-strategy': 'merge' },
      },
    },
    status: { properties: { conditions: byKey('type') } },
  },
};

const apply = (document: JsonObject, patch: Json): JsonObject =>
  strategicMergePatch(frozen(document), frozen(patch), hints);

describe('API-P4: lists merge by the key their schema names', () => {
  const rows: [why: string, document: JsonObject, patch: JsonObject, result: JsonObject][] = [
    [
      'containers by name, the others stay',
      {
        spec: {
          containers: [
            { name: 'a', image: '1' },
            { name: 'b', image: '1' },
          ],
        },
      },
      { spec: { containers: [{ name: 'b', image: '2' }] } },
      {
        spec: {
          containers: [
            { name: 'a', image: '1' },
            { name: 'b', image: '2' },
          ],
        },
      },
    ],
    [
      'a new item comes in front of those only the server has',
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ name: 'b' }] } },
      { spec: { containers: [{ name: 'b' }, { name: 'a' }] } },
    ],
    [
      'env inside containers',
      {
        spec: {
          containers: [
            {
              name: 'a',
              env: [
                { name: 'X', value: '1' },
                { name: 'Y', value: '1' },
              ],
            },
          ],
        },
      },
      { spec: { containers: [{ name: 'a', env: [{ name: 'X', value: '2' }] }] } },
      {
        spec: {
          containers: [
            {
              name: 'a',
              env: [
                { name: 'X', value: '2' },
                { name: 'Y', value: '1' },
              ],
            },
          ],
        },
      },
    ],
    [
      'container ports by number',
      { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'x' }] }] } },
      { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }] }] } },
      { spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'x', protocol: 'TCP' }] }] } },
    ],
    [
      'volume mounts by path',
      { spec: { containers: [{ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'v' }] }] } },
      { spec: { containers: [{ name: 'a', volumeMounts: [{ mountPath: '/a', readOnly: true }] }] } },
      { spec: { containers: [{ name: 'a', volumeMounts: [{ mountPath: '/a', name: 'v', readOnly: true }] }] } },
    ],
    [
      'service ports by port',
      { spec: { ports: [{ port: 80, name: 'web' }] } },
      { spec: { ports: [{ port: 80, targetPort: 8080 }] } },
      { spec: { ports: [{ port: 80, name: 'web', targetPort: 8080 }] } },
    ],
    [
      'conditions by type',
      { status: { conditions: [{ type: 'Ready', status: 'False' }] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
    [
      'owner references by uid',
      { metadata: { ownerReferences: [{ uid: '1', name: 'x' }] } },
      { metadata: { ownerReferences: [{ uid: '1', controller: true }] } },
      { metadata: { ownerReferences: [{ uid: '1', name: 'x', controller: true }] } },
    ],
    [
      'finalizers are a set',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['c', 'b'] } },
      { metadata: { finalizers: ['c', 'a', 'b'] } },
    ],
    [
      'tolerations are one piece',
      { spec: { tolerations: [{ key: 'a' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
      { spec: { tolerations: [{ key: 'b' }] } },
    ],
    [
      'a merge of two strategies merges',
      { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
      { spec: { volumes: [{ name: 'w' }] } },
      { spec: { volumes: [{ name: 'w' }, { name: 'v', emptyDir: {} }] } },
    ],
    [
      'maps merge, null takes away',
      { metadata: { labels: { a: '1', b: '1' } } },
      { metadata: { labels: { a: null, c: '1' } } },
      { metadata: { labels: { b: '1', c: '1' } } },
    ],
    [
      'the replace strategy replaces an object',
      { spec: { template: { a: 1, b: 2 } } },
      { spec: { template: { c: 3 } } },
      { spec: { template: { c: 3 } } },
    ],
    [
      'fields nobody described: objects merge, lists are replaced',
      { other: { a: [1], b: { x: 1 } } },
      { other: { a: [2], b: { y: 2 } } },
      { other: { a: [2], b: { x: 1, y: 2 } } },
    ],
    [
      'two empty lists stay an empty list',
      { spec: { containers: [] } },
      { spec: { containers: [] } },
      { spec: { containers: [] } },
    ],
    [
      'another type replaces',
      { spec: { containers: 'x' } },
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ name: 'a' }] } },
    ],
  ];
  test.each(rows)('%s', (...[, document, patch, result]) => {
    expect(apply(document, patch)).toEqual(result);
  });
});

describe('API-P4: directives', () => {
  const containers = [
    { name: 'a', image: '1' },
    { name: 'b', image: '1' },
  ];
  const rows: [why: string, document: JsonObject, patch: JsonObject, result: JsonObject][] = [
    [
      '$patch: delete removes an item',
      { spec: { containers } },
      { spec: { containers: [{ name: 'a', $patch: 'delete' }] } },
      { spec: { containers: [{ name: 'b', image: '1' }] } },
    ],
    [
      '$patch: delete of an item that is not there',
      { spec: { containers } },
      { spec: { containers: [{ name: 'z', $patch: 'delete' }] } },
      { spec: { containers } },
    ],
    [
      '$patch: replace anywhere replaces the list',
      { spec: { containers } },
      { spec: { containers: [{ name: 'c' }, { $patch: 'replace' }] } },
      { spec: { containers: [{ name: 'c' }] } },
    ],
    [
      '$patch: replace replaces an object',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: { $patch: 'replace', b: '2' } } },
      { metadata: { labels: { b: '2' } } },
    ],
    [
      '$patch: delete empties an object',
      { metadata: { labels: { a: '1' } } },
      { metadata: { labels: { $patch: 'delete' } } },
      { metadata: { labels: {} } },
    ],
    [
      'an object with $patch vanishes where there is nothing to patch',
      { spec: {} },
      { spec: { template: { $patch: 'replace', a: 1 } } },
      { spec: {} },
    ],
    [
      '$deleteFromPrimitiveList takes out of a set',
      { metadata: { finalizers: ['a', 'b', 'c'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'c'] } },
      { metadata: { finalizers: ['b'] } },
    ],
    [
      '$deleteFromPrimitiveList of a list that is not there',
      { metadata: {} },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      { metadata: {} },
    ],
    [
      '$setElementOrder orders, leftovers keep their place',
      { spec: { containers: [{ name: 'x' }, ...containers] } },
      { spec: { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] } },
      { spec: { containers: [{ name: 'x' }, { name: 'b', image: '1' }, { name: 'a', image: '1' }] } },
    ],
    [
      '$setElementOrder with the items it orders',
      { spec: { containers } },
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }],
          containers: [{ name: 'c' }, { name: 'b', image: '2' }],
        },
      },
      { spec: { containers: [{ name: 'c' }, { name: 'a', image: '1' }, { name: 'b', image: '2' }] } },
    ],
    [
      '$setElementOrder of scalars',
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { '$setElementOrder/finalizers': ['b', 'a', 'c'], finalizers: ['c'] } },
      { metadata: { finalizers: ['b', 'a', 'c'] } },
    ],
    [
      '$setElementOrder of a list that comes with the patch',
      { spec: {} },
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
          containers: [{ name: 'b' }, { name: 'a' }],
        },
      },
      { spec: { containers: [{ name: 'b' }, { name: 'a' }] } },
    ],
    [
      '$setElementOrder of nothing',
      { spec: {} },
      { spec: { '$setElementOrder/containers': [{ name: 'a' }] } },
      { spec: {} },
    ],
    [
      '$retainKeys drops what it does not name',
      { spec: { volumes: [{ name: 'v', emptyDir: {}, x: 1 }] } },
      { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/' } }] } },
      { spec: { volumes: [{ name: 'v', hostPath: { path: '/' } }] } },
    ],
    [
      'directives in new items are not stored',
      { spec: {} },
      {
        spec: {
          volumes: [
            { name: 'v', $retainKeys: ['name'], x: null },
            { name: 'w', $patch: 'delete' },
          ],
        },
      },
      { spec: { volumes: [{ name: 'v' }] } },
    ],
  ];
  test.each(rows)('%s', (...[, document, patch, result]) => {
    expect(apply(document, patch)).toEqual(result);
  });

  const refused: [why: string, document: JsonObject, patch: Json, failure: string][] = [
    ['no object', {}, [1], 'malformed'],
    [
      '$patch: merge, which is what happens anyway',
      { metadata: { labels: {} } },
      { metadata: { labels: { $patch: 'merge' } } },
      'contradictory',
    ],
    [
      '$patch: merge of an item',
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ name: 'a', $patch: 'merge' }] } },
      'contradictory',
    ],
    [
      'an item without its key',
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ image: 'x' }] } },
      'contradictory',
    ],
    [
      '$patch: delete without the key',
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ $patch: 'delete' }] } },
      'contradictory',
    ],
    [
      'a merged list of objects without a key in the schema',
      { spec: { unkeyed: [{ a: 1 }] } },
      { spec: { unkeyed: [{ a: 2 }] } },
      'contradictory',
    ],
    [
      'objects among scalars',
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: [{ a: 1 }] } },
      'contradictory',
    ],
    [
      'an order that contradicts the patch',
      { spec: { containers: [{ name: 'a' }] } },
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'a' }, { name: 'b' }],
          containers: [{ name: 'b' }, { name: 'a' }],
        },
      },
      'contradictory',
    ],
    [
      'an order that is not a list',
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { '$setElementOrder/containers': 'a' } },
      'contradictory',
    ],
    [
      'a deletion from no list',
      { metadata: { finalizers: ['a'] } },
      { metadata: { $deleteFromPrimitiveList: ['a'] } },
      'malformed',
    ],
    ['an order of no list', { spec: {} }, { spec: { $setElementOrder: [] } }, 'malformed'],
    ['retained keys that are not a list', { spec: {} }, { spec: { $retainKeys: 'a' } }, 'malformed'],
    ['a field that is patched but not retained', { spec: {} }, { spec: { $retainKeys: ['a'], b: 1 } }, 'malformed'],
  ];
  test.each(refused)('refused: %s', (...[, document, patch, failure]) => {
    expect(() => apply(document, patch)).toThrow(PatchError);
    expect(() => apply(document, patch)).toThrow(expect.objectContaining({ failure }));
  });
});

test('the result shares nothing with document and patch', () => {
  const document = { spec: { containers: [{ name: 'a', env: [{ name: 'X' }] }] } };
  const patch = { spec: { containers: [{ name: 'b', env: [{ name: 'Y' }] }] } };
  const result = strategicMergePatch(document, patch, hints) as typeof document;
  for (const container of result.spec.containers) container.env.push({ name: 'Z' });
  expect([document, patch]).toEqual([
    { spec: { containers: [{ name: 'a', env: [{ name: 'X' }] }] } },
    { spec: { containers: [{ name: 'b', env: [{ name: 'Y' }] }] } },
  ]);
});

test('a field called __proto__ is data, and no prototype changes', () => {
  const patch = JSON.parse('{"metadata": {"labels": {"__proto__": {"polluted": "true"}}}}') as Json;
  const result = strategicMergePatch({ metadata: { labels: { a: '1' } } }, patch, hints);
  expect(JSON.stringify(result)).toBe('{"metadata":{"labels":{"a":"1","__proto__":{"polluted":"true"}}}}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json);

test('without hints and directives it is a merge patch', () => {
  fc.assert(
    fc.property(object, object, (document, patch) => {
      expect(strategicMergePatch(document, patch, {})).toEqual(mergePatch(document, patch));
    }),
  );
});

const items = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e'), image: fc.constantFrom('1', '2') }),
  {
    selector: ({ name }) => name,
  },
);

test('a merged list has every key of both sides once, and the patch’s own order', () => {
  fc.assert(
    fc.property(items, items, (current, added) => {
      const merged = strategicMergePatch({ spec: { containers: current } }, { spec: { containers: added } }, hints) as {
        spec: { containers: { name: string }[] };
      };
      const names = merged.spec.containers.map(({ name }) => name);
      const all = new Set([...current, ...added].map(({ name }) => name));
      expect(new Set(names)).toEqual(all);
      expect(names).toHaveLength(all.size);
      const ofPatch = added.map(({ name }) => name);
      expect(names.filter((name) => ofPatch.some((other) => other === name))).toEqual(ofPatch);
    }),
  );
});

test('an addition takes the place of what the same patch deletes, as on the real server', () => {
  const hints = {
    properties: { list: { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' } },
  };
  const patch = {
    '$setElementOrder/list': [{ name: 'b' }, { name: 'new' }],
    list: [{ name: 'new' }, { name: 'a', $patch: 'delete' }],
  };
  const document = { list: [{ name: 'a' }, { name: 'b' }, { name: 'server' }] };
  expect(strategicMergePatch(document, patch, hints)).toEqual({
    list: [{ name: 'b' }, { name: 'server' }, { name: 'new' }],
  });
});

test.each<[what: string, patch: (name: string) => JsonObject, left: number]>([
  ['adds', (name) => ({ name: `new-${name}` }), 80_000],
  ['changes', (name) => ({ name, value: 'w' }), 40_000],
  ['deletes', (name) => ({ name, $patch: 'delete' }), 0],
])(
  'a patch that %s many items looks for each of them only once',
  (_, change, left) => {
    const list = Array.from({ length: 40_000 }, (__, index) => ({ name: `n${index}` }));
    const patched = strategicMergePatch(
      { spec: { volumes: list } },
      { spec: { volumes: list.map(({ name }) => change(name)) } },
      { properties: { spec: { properties: { volumes: byKey('name') } } } },
    );
    expect((patched as { spec: { volumes: Json[] } }).spec.volumes).toHaveLength(left);
  },
  10_000,
);
