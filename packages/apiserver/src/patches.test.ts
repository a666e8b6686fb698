import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, deployments } = paths;

describe('the four patch languages', () => {
  test('each changes what it says, and records who did', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: 'v' } }));
    const one = await api.ok(
      `PATCH ${configMaps}/a?fieldManager=one`,
      { data: { a: '1', k: null } },
      { type: types.merge },
    );
    const two = await api.ok(`PATCH ${configMaps}/a?fieldManager=two`, [{ op: 'add', path: '/data/b', value: '2' }], {
      type: types.json,
    });
    const three = await api.ok(
      `PATCH ${configMaps}/a?fieldManager=three`,
      { data: { c: '3' } },
      { type: types.strategic },
    );
    const apply = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { d: '4' } };
    const four = await api.ok(`PATCH ${configMaps}/a?fieldManager=four`, apply, { type: types.apply });
    expect([one, two, three, four].map(({ data }) => data)).toEqual([
      { a: '1' },
      { a: '1', b: '2' },
      { a: '1', b: '2', c: '3' },
      { a: '1', b: '2', c: '3', d: '4' },
    ]);
    const managers = metadataOf(four)['managedFields'] as { manager: string; operation: string }[];
    expect(managers.map(({ manager, operation }) => `${manager} ${operation}`).sort()).toEqual([
      'four Apply',
      'one Update',
      'tester Update',
      'three Update',
      'two Update',
    ]);
  });

  test('strategic merge knows the keys of built-in lists', async () => {
    await using api = new ServerUnderTest();
    const container = { name: 'c', image: 'i', env: [{ name: 'A', value: '1' }] };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    await api.ok(`POST ${deployments}`, { metadata: { name: 'd' }, spec });
    const change = { spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'B', value: '2' }] }] } } } };
    const patched = await api.ok(`PATCH ${deployments}/d`, change, { type: types.strategic });
    expect(patched).toMatchObject({
      spec: { template: { spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'B' }, { name: 'A' }] }] } } },
    });
  });

  test('API-S1: an apply needs a manager and the kind of its endpoint, and brings no managedFields', async () => {
    await using api = await withWebApps();
    const config = (rest: JsonObject = {}): JsonObject => webApp('a', rest);
    const rows: [string, JsonObject, number, string][] = [
      [
        '',
        config(),
        422,
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      ],
      [`?fieldManager=${'m'.repeat(129)}`, config(), 422, 'fieldManager: Too long: may not be more than 128 bytes'],
      ['?fieldManager=m%01', config(), 422, 'invalid character U+0001 (at position 1)'],
      ['?fieldManager=m', config({ kind: 'Other' }), 400, 'invalid object type: example.com/v1, Kind=Other'],
      [
        '?fieldManager=m',
        config({ apiVersion: 'example.com/v2' }),
        400,
        'invalid object type: example.com/v2, Kind=WebApp',
      ],
      ['?fieldManager=m', config({ metadata: { managedFields: [] } }), 400, 'metadata.managedFields must be nil'],
    ];
    await api.ok(`POST ${webApps}`, webApp('a'));
    for (const [query, body, code, message] of rows) {
      const reply = await api.send(`PATCH ${webApps}/a${query}`, body, { type: types.apply });
      expect([reply.code, reply.body['message']]).toEqual([code, expect.stringContaining(message)]);
    }
    const forced = await api.send(`PATCH ${webApps}/a?force=true`, {}, { type: types.merge });
    expect([forced.code, forced.body['message']]).toEqual([
      422,
      expect.stringContaining('force: Forbidden: may not be specified for non-apply patch'),
    ]);
    // The name may be left out where the object exists.
    const { metadata: _, ...nameless } = config({ spec: { image: 'i' } });
    expect((await api.send(`PATCH ${webApps}/a?fieldManager=m`, nameless, { type: types.apply })).code).toBe(200);
  });

  test('API-S2: an apply to what is missing creates it, without owning defaults; a uid or a stale version is a conflict', async () => {
    await using api = await withWebApps();
    const apply = (name: string, rest: JsonObject) =>
      api.send(`PATCH ${webApps}/${name}?fieldManager=m`, webApp(name, rest), { type: types.apply });
    const created = await apply('a', { spec: { image: 'i' } });
    expect([created.code, created.body['spec']]).toEqual([201, { image: 'i', replicas: 1 }]);
    expect(metadataOf(created.body)['managedFields']).toEqual([
      expect.objectContaining({ manager: 'm', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:image': {} } } }),
    ]);
    const gone = await apply('b', { metadata: { uid: 'abc' } });
    expect([gone.code, gone.body['message']]).toEqual([
      409,
      expect.stringContaining('uid mismatch: the provided object specified uid abc, and no existing object was found'),
    ]);
    expect((await apply('a', { metadata: { resourceVersion: '1' } })).code).toBe(409);
  });

  test('API-E6: an apply against another owner is a conflict that names both, and force takes the field', async () => {
    await using api = await withWebApps();
    const apply = (manager: string, image: string, force = '') =>
      api.send(`PATCH ${webApps}/a?fieldManager=${manager}${force}`, webApp('a', { spec: { image } }), {
        type: types.apply,
      });
    expect((await apply('one', 'i')).code).toBe(201);
    const refused = await apply('two', 'j');
    expect(refused.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 1 conflict: conflict with "one": .spec.image',
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.image' }] },
      code: 409,
    });
    const forced = await apply('two', 'j', '&force=true');
    expect([forced.code, forced.body['spec']]).toEqual([200, { image: 'j', replicas: 1 }]);
  });

  test('an apply to /status owns status alone, and one to the object leaves status alone', async () => {
    await using api = await withWebApps();
    const config = webApp('a', { metadata: { labels: { l: 'x' } }, spec: { image: 'i' }, status: { replicas: 5 } });
    const main = await api.ok(`PATCH ${webApps}/a?fieldManager=main`, config, { type: types.apply });
    expect(main).not.toHaveProperty('status');
    const other = webApp('a', { metadata: { labels: { l: 'y' } }, spec: { image: 'j' }, status: { replicas: 2 } });
    const status = await api.ok(`PATCH ${webApps}/a/status?fieldManager=status`, other, { type: types.apply });
    expect(status).toMatchObject({ metadata: { labels: { l: 'x' } }, spec: { image: 'i' }, status: { replicas: 2 } });
    expect(metadataOf(status)['managedFields']).toEqual([
      expect.objectContaining({ manager: 'main', operation: 'Apply' }),
      expect.objectContaining({
        manager: 'status',
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:replicas': {} } },
      }),
    ]);
  });
});

describe('what a patch may not do', () => {
  const stale = 'the object has been modified; please apply your changes to the latest version and try again';
  test.each([
    {
      patch: { metadata: { name: 'zz' } },
      code: 400,
      message: 'the name of the object (zz) does not match the name on the URL (a)',
    },
    {
      patch: { metadata: { namespace: 'zz' } },
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    },
    {
      patch: { metadata: { uid: 'zz' } },
      code: 422,
      message: 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "zz": field is immutable',
    },
    {
      patch: { metadata: { resourceVersion: '1' } },
      code: 409,
      message: `Operation cannot be fulfilled on configmaps "a": ${stale}`,
    },
  ])('API-P3: $patch is refused with $code', async ({ patch, code, message }) => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const reply = await api.send(`PATCH ${configMaps}/a`, patch, { type: types.merge });
    expect([reply.code, reply.body['message']]).toEqual([code, message]);
  });

  test('API-P3: only apply creates; with the current version a patch goes through', async () => {
    await using api = new ServerUnderTest();
    for (const [type, body] of [
      [types.merge, {}],
      [types.json, []],
      [types.strategic, {}],
    ] as const) {
      const reply = await api.send(`PATCH ${configMaps}/a`, body, { type });
      expect([reply.code, reply.body['message']]).toEqual([404, 'configmaps "a" not found']);
    }
    const { resourceVersion } = metadataOf(await api.ok(`POST ${configMaps}`, configMap('a')));
    const reply = await api.send(
      `PATCH ${configMaps}/a`,
      { metadata: { resourceVersion }, data: { a: 'b' } },
      { type: types.merge },
    );
    expect([reply.code, reply.body['data']]).toEqual([200, { a: 'b' }]);
  });

  test.each([
    { body: {}, type: types.json, code: 400, message: 'error decoding patch: ' },
    { body: '[]x', type: types.merge, code: 400, message: 'error decoding patch: ' },
    { body: [], type: types.merge, code: 400, message: 'error decoding patch: ' },
    {
      body: [{ op: 'test', path: '/data/x', value: '1' }],
      type: types.json,
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    },
    {
      body: [{ op: 'remove', path: '/data/x' }],
      type: types.json,
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    },
    {
      body: Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })),
      type: types.json,
      code: 413,
      message: '10000',
    },
    {
      body: { data: { a: 5 } },
      type: types.merge,
      code: 422,
      message: 'cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
    { body: { kind: 'Pod' }, type: types.merge, code: 422, message: '"" is invalid: patch: Invalid value' },
  ])('a patch that is invalid or does not fit: $code $type', async ({ body, type, code, message }) => {
    await using api = new ServerUnderTest();
    const before = await api.ok(`POST ${configMaps}`, configMap('a'));
    const reply = await api.send(`PATCH ${configMaps}/a`, body, { type });
    expect([reply.code, reply.body['message']]).toEqual([code, expect.stringContaining(message)]);
    expect(await api.ok(`GET ${configMaps}/a`)).toEqual(before);
  });
});

describe('API-E15: where the real server breaks the connection, a refusal, and nothing is stored', () => {
  const container = { name: 'c', image: 'i' };
  const spec = {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
  };
  test.each<[what: string, status: number, pod: JsonObject]>([
    ['names of fields to keep that are lists', 400, { $retainKeys: [['containers']], containers: [container] }],
    ['names of fields to keep that are objects', 400, { $retainKeys: [{ a: 'b' }], containers: [container] }],
    ['a merge key that is an object', 422, { containers: [{ name: {}, image: 'i' }] }],
    ['an order of objects', 500, { '$setElementOrder/containers': [{ name: { a: 1 } }], containers: [container] }],
    ['lists of lists', 500, { containers: [[container]] as unknown as JsonObject[] }],
  ])('%s: %i', async (_, status, pod) => {
    await using api = new ServerUnderTest();
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
    const before = await api.ok(`POST ${deployments}`, deployment);
    const answer = await api.send(
      `PATCH ${deployments}/d`,
      { spec: { template: { spec: pod } } },
      { type: types.strategic },
    );
    expect(answer.code).toBe(status);
    expect(metadataOf(await api.ok(`GET ${deployments}/d`))['resourceVersion']).toBe(
      metadataOf(before)['resourceVersion'],
    );
  });
});
