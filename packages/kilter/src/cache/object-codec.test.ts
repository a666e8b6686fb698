import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSINode } from '../k8s/storage/v1.ts';
import { type Intake, intakeOf, type IntakeOptions, type Received } from './intake.ts';
import { Thing } from './model-server.test-support.ts';
import { ObjectCodec } from './object-codec.ts';
import { ageOf, ObjectStore } from './store.ts';
import type { StoredObject } from './stored-object.ts';

const options: IntakeOptions = {
  names: Thing.names,
  metadataOnly: false,
  ownManager: (manager) => manager === 'own/x',
};
const clusterScoped: IntakeOptions = { ...options, names: { ...Thing.names, scope: 'Cluster' } };

/** Everything a store or a reader can learn from what was received. */
function account(received: Received): unknown {
  if (!received.usable) return received;
  const { object, key, resourceVersion } = received;
  const { ref, uid, generation, deleting, labels, controllerUid } = object;
  const facts = { ref, uid, generation, deleting, labels, controllerUid, resourceVersion: object.resourceVersion };
  return { key, resourceVersion, facts, object: object.decode(), own: object.ownFields() };
}

function byBytes(codec: ObjectCodec): Intake {
  return (text) => {
    // Something before and behind it, as in a line of a watch.
    const source = Buffer.from(`{"object":${text as string}}`);
    const { received, end } = codec.take(source, 10);
    expect(end).toBe(source.length - 1);
    return received;
  };
}

const managed = (manager: string): unknown => ({
  manager,
  operation: 'Apply',
  fieldsV1: { 'f:spec': { 'f:size': {} } },
});

const rows: readonly unknown[] = [
  {
    kind: 'Thing',
    apiVersion: 'example.com/v1',
    metadata: { name: 'a', namespace: 'n', resourceVersion: '1', uid: 'u' },
    spec: { size: 1 },
  },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { kind: 'PartialObjectMetadata', metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'a', namespace: 'n', resourceVersion: '1' },
  },
  { kind: 'Status', metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { kind: 'Bhing', metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { kind: 'Thinh', metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { kind: 'Thinf', metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { kind: 7, metadata: { name: 'a', namespace: 'n', resourceVersion: '1' } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: 'é"1' } },
  { metadata: { name: 'é', namespace: 'n\n', resourceVersion: '1', uid: '€' } },
  { metadata: { name: 'a/b', namespace: 'n', resourceVersion: '1' } },
  { metadata: { name: 'a'.repeat(400), namespace: 'n'.repeat(200), resourceVersion: '1' } },
  { metadata: { name: '', namespace: 'n', resourceVersion: '1' } },
  { metadata: { name: 'a', namespace: '', resourceVersion: '1' } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '' } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: 5 } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', uid: 7 } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', generation: 12, deletionTimestamp: 'x' } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', generation: -1.5, deletionTimestamp: '' } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', generation: '3', deletionTimestamp: null } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', generation: 1e21 } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', labels: { a: 'b', é: 'ü', __proto: 'x' } } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', labels: { a: null } } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', labels: {} } },
  {
    metadata: {
      name: 'a',
      namespace: 'n',
      resourceVersion: '1',
      ownerReferences: [
        { uid: 'x', controller: false },
        { uid: 'y', controller: true },
      ],
    },
  },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', ownerReferences: [{ controller: true, uid: 5 }] } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', ownerReferences: {} } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', ownerReferences: null } },
  {
    metadata: { name: 'a', namespace: 'n', resourceVersion: '1', managedFields: [managed('other'), managed('own/x')] },
  },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', managedFields: [managed('other')] } },
  { metadata: { name: 'a', namespace: 'n', resourceVersion: '1', managedFields: 'own/x' } },
  { metadata: [] },
  { metadata: null },
  {},
  [],
  null,
  'text',
  7,
];

describe('objects from bytes', () => {
  test.each([
    ['namespaced', options],
    ['cluster-scoped', clusterScoped],
    ['metadata only', { ...options, metadataOnly: true }],
  ])('RF-23: are taken in, or refused, as parsed ones are: %s', (_, given) => {
    const oracle = intakeOf(given);
    const codec = new ObjectCodec(given);
    // The second time everything is known.
    for (let time = 0; time < 2; time += 1) {
      for (const raw of rows) {
        expect(account(byBytes(codec)(JSON.stringify(raw))), JSON.stringify(raw)).toEqual(account(oracle(raw)));
        expect(account(codec.takeValue(raw)), JSON.stringify(raw)).toEqual(account(oracle(raw)));
      }
    }
  });

  test.each([
    '{"metadata":{"name":"a","name":"b","namespace":"n","resourceVersion":"1"}}',
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1"},"metadata":{"name":"c","namespace":"n","resourceVersion":"2"}}',
    '{"metadata":{"n\\u0061me":"a","namespace":"n","resourceVersion":"1"}}',
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1","__proto__":{"x":1}},"spec":{"__proto__":{"size":1}}}',
    '{"kind":"Thing","kind":"Status","metadata":{"name":"a","namespace":"n","resourceVersion":"1"}}',
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1","managedFields":[ { "manager" : "own/x" } ]}}',
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1","generation":9007199254740993},"spec":{"size":9007199254740993}}',
    '{"metadata":{"name":"a","namespace":"n","resourceVersion":"1","labels":{"x":"1","x":"2"}}}',
  ])('as JSON.parse reads them: %s', (text) => {
    const given = byBytes(new ObjectCodec(options))(text);
    expect(account(given)).toEqual(account(intakeOf(options)(JSON.parse(text))));
  });

  test.each<[string, object, object]>([
    ['a whole object', {}, { kind: 'Thing', apiVersion: 'example.com/v1' }],
    ['one of a list, without its kind', {}, {}],
    ['metadata alone', {}, { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }],
    ['one with a generation', { generation: 12 }, { kind: 'Thing' }],
    ['one with labels and owners', { labels: { a: 'b' }, ownerReferences: [{ uid: 'x' }] }, { kind: 'Thing' }],
  ])('keep no facts beside an ordinary record: %s', (_, more, type) => {
    const raw = { ...type, metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1', ...more } };
    const codec = new ObjectCodec(options);
    const [bytes, value] = [byBytes(codec)(JSON.stringify(raw)), codec.takeValue(raw)];
    if (!bytes.usable || !value.usable) throw new Error('not usable');
    // What was parsed already has them: that is how an object out of the ordinary is kept.
    expect(bytes.object.size).toBeLessThan(value.object.size);
  });

  test('give private copies', () => {
    const codec = new ObjectCodec(options);
    const received = byBytes(codec)(JSON.stringify(rows[0]));
    if (!received.usable) throw new Error(received.problem);
    (received.object.decode() as Thing).metadata.name = 'changed';
    expect(received.object.decode().metadata.name).toBe('a');
  });
});

describe('a store of records', () => {
  const text = (name: string, version: number, filler: number): string =>
    JSON.stringify({
      kind: 'Thing',
      metadata: { name, namespace: 'n', resourceVersion: String(version), uid: name },
      spec: { size: version, filler: `${name}:${'x'.repeat(filler)}` },
    });

  test('answers as one of texts does, whatever was replaced and moved meanwhile, and keeps what is held readable', () => {
    const deed = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      filler: fc.nat(300_000),
      gone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(deed, { minLength: 1, maxLength: 60 }), (deeds) => {
        const codec = new ObjectCodec(options);
        const store = new ObjectStore();
        const oracle = new ObjectStore();
        const held: { read: () => unknown; expected: unknown }[] = [];
        for (const [version, { name, filler, gone }] of deeds.entries()) {
          const given = text(name, version, gone ? 0 : filler);
          const received = byBytes(codec)(given);
          if (!received.usable) throw new Error(received.problem);
          held.push({ read: () => received.object.decode(), expected: JSON.parse(given).spec.filler });
          for (const [one, object] of [
            [store, received.object],
            [oracle, intakeOf(options)(JSON.parse(given))],
          ] as const) {
            if (gone) one.remove(`n/${name}`);
            else one.put('usable' in object ? (object as { object: typeof received.object }).object : object);
          }
        }
        const all = (one: ObjectStore): unknown => one.all().map((object) => [object.key, object.decode()]);
        expect(all(store)).toEqual(all(oracle));
        for (const { read, expected } of held)
          expect((read() as { spec: { filler: string } }).spec.filler).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  test('sets aside at most about twice what its objects need, however often they change', () => {
    const codec = new ObjectCodec(options);
    const store = new ObjectStore();
    for (let round = 0; round < 50; round += 1) {
      for (let n = 0; n < 200; n += 1) {
        const received = byBytes(codec)(text(`t${n}`, round * 200 + n, 5000 + ((n * 37 + round) % 3000)));
        if (received.usable) store.put(received.object);
      }
    }
    expect(codec.slabs.size).toBeLessThan(2 * store.size + 2 * 1024 * 1024);
    expect(store.count).toBe(200);
  });

  test('gives back what removed objects needed, and keeps what stays in one place', () => {
    const codec = new ObjectCodec(options);
    const store = new ObjectStore();
    const put = (name: string): void => {
      const received = byBytes(codec)(text(name, 1, 100_000));
      if (received.usable) store.put(received.object);
    };
    for (let n = 0; n < 200; n += 1) put(`t${n}`);
    const full = codec.slabs.size;
    expect(full).toBeGreaterThanOrEqual(store.size);
    for (let n = 0; n < 200; n += 1) if (n % 20 !== 0) store.remove(`n/t${n}`);
    expect(codec.slabs.size).toBeLessThan(full / 3);
    expect(codec.slabs.size).toBeGreaterThanOrEqual(store.size);
    expect(store.all().map((object) => (object.decode() as Thing).spec)).toHaveLength(10);
  });
});

test('CL-16: a null that Go wrote for an empty list is read as one', () => {
  const codec = new ObjectCodec({ ...options, names: CSINode.names });
  const metadata = { name: 'n', resourceVersion: '1' };
  const received = byBytes(codec)(JSON.stringify({ metadata, spec: { drivers: null } }));
  expect(account(received)).toMatchObject({ object: { metadata, spec: { drivers: [] } } });
});

const thousandDigits = '9'.repeat(1000);

test.each([
  ['of a thousand digits', thousandDigits],
  ['of a thousand digits below zero', `-${thousandDigits}`],
  ['of a thousand digits and a half', `${thousandDigits}.5`],
  ['with a large exponent', '1e309'],
  ['with a large exponent below zero', '-2E+400'],
])('C-09: a number %s makes its object unusable, and no other', (_, number) => {
  const codec = new ObjectCodec(options);
  const metadata = JSON.stringify({ name: 'a', namespace: 'n', resourceVersion: '7' });
  const refused = { usable: false, key: 'n/a', resourceVersion: '7', problem: expect.stringContaining('too large') };
  for (const at of [`"spec":{"n":${number}}`, `"spec":[[${number}]]`, `"n":${number}`]) {
    const text = `{"metadata":${metadata},${at}}`;
    expect(byBytes(codec)(text)).toMatchObject(refused);
    expect(codec.takeValue(JSON.parse(text))).toMatchObject(refused);
  }
  expect(byBytes(codec)(`{"metadata":${metadata},"spec":{"n":1e308}}`)).toMatchObject({ usable: true });
  // Where a key stands twice, the last of the two counts.
  expect(byBytes(codec)(`{"metadata":${metadata},"n":${number},"n":1}`)).toMatchObject({ usable: true });
});

interface Given {
  readonly resourceVersion: string;
  readonly uid?: string | undefined;
  readonly owners?: readonly object[] | undefined;
}

function objectOf(intake: Intake, { resourceVersion, uid, owners }: Given, asText = true): StoredObject {
  const metadata = { name: 'a', namespace: 'n', resourceVersion, uid, ownerReferences: owners };
  const received = intake(asText ? JSON.stringify({ metadata }) : { metadata });
  if (!received.usable) throw new Error(received.problem);
  return received.object;
}

describe('records beside each other, by their bytes alone', () => {
  const version = fc.constantFrom(
    '0',
    '1',
    '9',
    '10',
    '11',
    '99',
    '100',
    '007',
    '07',
    'x',
    '1x',
    '-1',
    '18446744073709551616',
    'é1',
  );
  const uid = fc.constantFrom(undefined, '', 'u', 'v', 'uu', 'é');

  test('the age is what the texts of versions and UIDs say', () => {
    const codec = byBytes(new ObjectCodec(options));
    const plain = intakeOf(options);
    fc.assert(
      fc.property(version, version, uid, uid, (one, two, uidOfOne, uidOfTwo) => {
        const given = { resourceVersion: one, uid: uidOfOne };
        const held = { resourceVersion: two, uid: uidOfTwo };
        const expected = ageOf(objectOf(plain, given, false), objectOf(plain, held, false));
        expect(ageOf(objectOf(codec, given), objectOf(codec, held))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });

  test('owners are certainly the same where two records of one codec say so, and nowhere else', () => {
    const [codec, other] = [byBytes(new ObjectCodec(options)), byBytes(new ObjectCodec(options))];
    const owned = (uid: string): Given => ({ resourceVersion: '1', owners: [{ uid, controller: true }] });
    const object = objectOf(codec, owned('u'));
    const against = (held: StoredObject): boolean | undefined => object.hasOwnersOf?.(held);
    expect(against(objectOf(codec, { ...owned('u'), resourceVersion: '2' }))).toBe(true);
    expect(against(objectOf(codec, owned('v')))).toBe(false);
    expect(against(objectOf(codec, { resourceVersion: '1' }))).toBe(false);
    expect(against(objectOf(other, owned('u')))).toBe(false);
  });

  test('what a store knows of owners follows every change of them', () => {
    const owner = fc.record({ uid: fc.constantFrom('u', 'v', 'uid-of-an-owner'), controller: fc.boolean() });
    const owners = fc.option(fc.array(owner, { maxLength: 3 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(owners, fc.boolean()), { maxLength: 8 }), (states) => {
        // Records of two codecs name their strings by different numbers.
        const codecs = [byBytes(new ObjectCodec(options)), byBytes(new ObjectCodec(options))] as const;
        const store = new ObjectStore();
        for (const [index, [given, other]] of states.entries()) {
          const object = objectOf(codecs[other ? 1 : 0], { resourceVersion: `${index + 1}`, owners: given });
          store.put(object);
          for (const known of ['u', 'v', 'uid-of-an-owner']) {
            const controls = given?.find(({ controller }) => controller)?.uid === known;
            expect(store.controlledBy(known)).toEqual(controls ? [object] : []);
          }
        }
      }),
    );
  });
});
