import type { InformerCore } from './informer-core.ts';
import { newestOf } from './store-reads.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intakeOf, type IntakeOptions } from './intake.ts';
import { Thing, thing } from './model-server.test-support.ts';
import { ObjectMap } from './object-map.ts';
import { ObjectStore, type Replaced, type Replacement } from './store.ts';
import type { StoredObject } from './stored-object.ts';

const options: IntakeOptions = { names: Thing.names, metadataOnly: false, ownManager: () => false };

interface Version {
  readonly name: string;
  readonly namespace?: string;
  readonly size?: number;
  readonly version?: number;
  readonly owner?: string | undefined;
  readonly labels?: Record<string, string> | undefined;
}

function stored({ name, namespace = 'default', size = 1, version = 1, owner, labels }: Version): StoredObject {
  const object = thing(name, { namespace, size });
  const ownerReferences =
    owner === undefined ? [] : [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: owner, controller: true }];
  const metadata = {
    ...object.metadata,
    uid: `${namespace}-${name}`,
    resourceVersion: `${version}`,
    ownerReferences,
    labels,
  };
  const received = intakeOf(options)({ ...object, metadata });
  if (!received.usable) throw new Error(received.problem);
  return received.object;
}

const size = (object: StoredObject): string[] => [String((object.decode() as Thing).spec?.size)];
function replace(store: ObjectStore, replacement: Replacement): Replaced {
  const comparing = store.compare(replacement);
  for (;;) {
    const { done, value } = comparing.next();
    if (done === true) return store.replace(value);
  }
}

const keys = (objects: readonly StoredObject[]): string[] => objects.map(({ key }) => key).toSorted();

describe('a store', () => {
  test('keeps nothing of what was removed, in its indexes either', () => {
    const store = new ObjectStore();
    store.addIndex('size', size);
    store.put(stored({ name: 'a', owner: 'u' }));
    store.remove('default/a');
    expect([store.count, store.size, store.all(), store.controlledBy('u')]).toEqual([0, 0, [], []]);
    expect(store.isIndexed('size', '1', 'default/a')).toBe(false);
  });

  test('replaces one namespace without touching another, and says what that changed', () => {
    const store = new ObjectStore();
    const [a, b, far] = [stored({ name: 'a' }), stored({ name: 'b' }), stored({ name: 'a', namespace: 'shop' })];
    for (const object of [a, b, far]) store.put(object);
    const [newer, c] = [stored({ name: 'b', version: 2 }), stored({ name: 'c' })];
    const objects = new Map([newer, c].map((object) => [object.key, object] as const));
    const replaced = replace(store, { namespace: 'default', objects, unusable: new Set() });
    expect(replaced.removed).toEqual([a]);
    expect(replaced.written).toEqual([
      { before: b, after: newer },
      { before: undefined, after: c },
    ]);
    expect(keys(store.all())).toEqual(['default/b', 'default/c', 'shop/a']);
  });

  test('answers by index, owner and namespace just what a look at every object would give', () => {
    const version = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      namespace: fc.constantFrom('x', 'y'),
      size: fc.nat(3),
      version: fc.nat(9),
      owner: fc.option(fc.constantFrom('u1', 'u2'), { nil: undefined }),
      labels: fc.option(fc.dictionary(fc.constantFrom('app', '__proto__', 'tier'), fc.constantFrom('a', 'b')), {
        nil: undefined,
      }),
    });
    const deed = fc.oneof(
      version.map((given) => ({ put: given })),
      version.map(({ name, namespace }) => ({ remove: `${namespace}/${name}` })),
      fc.array(version, { maxLength: 4 }).map((given) => ({ replace: given })),
      fc.array(version, { maxLength: 4 }).map((given) => ({ fill: given })),
    );
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 30 }), fc.nat(30), (deeds, indexedAt) => {
        const store = new ObjectStore();
        const model = new Map<string, StoredObject>();
        for (const [i, one] of deeds.entries()) {
          if (i === indexedAt) {
            store.addIndex('size', size);
            store.labelled('app', []);
          }
          if ('put' in one) {
            const object = stored(one.put);
            expect(store.put(object)).toBe(model.get(object.key));
            model.set(object.key, object);
          } else if ('remove' in one) {
            expect(store.remove(one.remove)).toBe(model.get(one.remove));
            model.delete(one.remove);
          } else if ('fill' in one) {
            const objects = new ObjectMap();
            for (const given of one.fill) objects.set(stored(given));
            for (const object of objects.values()) model.set(object.key, object);
            expect([...store.fill(objects)]).toHaveLength(objects.all().length);
          } else {
            const objects = new Map(
              one.replace.map((given) => [`${given.namespace}/${given.name}`, stored(given)] as const),
            );
            replace(store, { namespace: undefined, objects, unusable: new Set() });
            model.clear();
            for (const [key, object] of objects) model.set(key, store.get(key) ?? object);
          }
        }
        if (!store.hasIndex('size')) store.addIndex('size', size);
        const all = [...model.values()];
        expect(keys(store.all())).toEqual(keys(all));
        expect([store.count, store.size]).toEqual([all.length, all.reduce((sum, object) => sum + object.size, 0)]);
        expect(keys(store.all('x'))).toEqual(keys(all.filter(({ ref }) => ref.namespace === 'x')));
        for (const value of ['0', '1', '2', '3']) {
          expect(keys(store.by('size', value))).toEqual(keys(all.filter((object) => size(object)[0] === value)));
        }
        for (const label of ['app', 'tier', 'constructor']) {
          const expected = all.filter(({ labels }) => Object.hasOwn(labels ?? {}, label) && labels?.[label] === 'a');
          expect(keys(store.labelled(label, ['a', 'a']))).toEqual(keys(expected));
        }
        for (const uid of ['u1', 'u2']) {
          expect(keys(store.controlledBy(uid))).toEqual(keys(all.filter(({ controllerUid }) => controllerUid === uid)));
        }
      }),
    );
  });
});

test('an index that is dropped is gone', () => {
  const store = new ObjectStore();
  store.put(stored({ name: 'a', size: 3 }));
  store.addIndex('size', size);
  expect([store.hasIndex('size'), keys(store.by('size', '3'))]).toEqual([true, ['default/a']]);
  store.dropIndex('size');
  expect([store.hasIndex('size'), store.by('size', '3')]).toEqual([false, []]);
});

test('CA-6: the indexes of the 16 labels asked for last are kept', () => {
  const store = new ObjectStore();
  let reads = 0;
  store.put({
    ...stored({ name: 'a' }),
    size: 1,
    get labels() {
      reads += 1;
      return { app: 'db' };
    },
    decode: () => thing('a'),
    ownFields: () => [],
  });
  const readsFor = (label: string): number => {
    reads = 0;
    store.labelled(label, ['x']);
    return reads;
  };
  for (let n = 0; n < 16; n += 1) expect(readsFor(`l${n}`)).toBe(1);
  expect(readsFor('l0')).toBe(0);
  expect(readsFor('l16')).toBe(1);
  expect(readsFor('l0')).toBe(0);
  expect(readsFor('l1')).toBe(1);
});

test('CA-6: indexes of labels are made when asked for, and no more than a few are kept', () => {
  const store = new ObjectStore();
  store.put(stored({ name: 'a', labels: { app: 'db' } }));
  for (let n = 0; n < 40; n += 1) expect(store.labelled(`label-${n}`, ['x'])).toEqual([]);
  expect(keys(store.labelled('app', ['db']))).toEqual(['default/a']);
  let reads = 0;
  const counted: StoredObject = {
    ...stored({ name: 'b' }),
    size: 1,
    get labels() {
      reads += 1;
      return { app: 'db' };
    },
    decode: () => thing('b'),
    ownFields: () => [],
  };
  store.put(counted);
  expect(reads).toBeLessThanOrEqual(16);
  reads = 0;
  store.labelled('app', ['db']);
  expect(reads).toBe(0);
});

describe('what is taken in', () => {
  const metadata = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1' };
  const whole = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: { size: 1 }, unknown: [1] };

  test('keeps unknown fields, and gives apiVersion and kind to what came without', () => {
    const { kind: _, apiVersion: __, ...bare } = whole;
    for (const raw of [whole, bare]) {
      const received = intakeOf(options)(raw);
      expect(received.usable && received.object.decode()).toEqual(whole);
    }
  });

  test('reads what is needed without decoding', () => {
    const received = intakeOf(options)({
      ...whole,
      metadata: { ...metadata, generation: 3, labels: { app: 'db' }, deletionTimestamp: '2024-01-01T00:00:00Z' },
    });
    expect(received.usable && received.object).toMatchObject({
      key: 'default/a',
      ref: { namespace: 'default', name: 'a' },
      uid: 'u',
      resourceVersion: '1',
      generation: 3,
      labels: { app: 'db' },
      deleting: true,
    });
  });

  test.each([
    ['text', undefined],
    [null, undefined],
    [{}, undefined],
    [{ metadata: { name: 7, namespace: 'default', resourceVersion: '1' } }, undefined],
    [{ metadata: { name: 'a', resourceVersion: '1' } }, undefined],
    [{ metadata: { ...metadata, resourceVersion: undefined } }, 'default/a'],
    [{ ...whole, kind: 'Status' }, 'default/a'],
    [{ metadata: { ...metadata, ownerReferences: {} } }, 'default/a'],
    [{ metadata: { ...metadata, labels: ['x'] } }, 'default/a'],
  ])('RF-23: %j is not usable, and its key is known where it has one', (raw, key) => {
    const received = intakeOf(options)(raw);
    expect(received).toMatchObject({ usable: false, key });
    expect(!received.usable && received.problem).not.toBe('');
  });
});

test('of what several informers hold for one key, the newest is read, whoever has it', () => {
  const held = (...versions: (string | undefined)[]): InformerCore[] =>
    versions.map((resourceVersion) => {
      const object = resourceVersion === undefined ? undefined : { resourceVersion, uid: 'u' };
      return { store: { get: (key: string) => (key === 'n/x' ? object : undefined) } } as unknown as InformerCore;
    });
  const newest = (...versions: (string | undefined)[]): unknown => newestOf(held(...versions), 'n/x')?.resourceVersion;
  expect([newest('9', '10'), newest('10', '9'), newest(undefined, '7', '8', '6')]).toEqual(['10', '10', '8']);
  expect([newest(), newest(undefined), newestOf(held('1'), 'n/y')]).toEqual([undefined, undefined, undefined]);
});
