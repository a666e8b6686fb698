import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  webApp,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps } = paths;

describe('what the server fills in', () => {
  test('API-C1: uid, version, time, namespace, generation and managedFields, whatever the client sent', async () => {
    await using api = await withWebApps();
    const claims = {
      uid: 'mine',
      generation: 7,
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 5,
      selfLink: '/mine',
    };
    const { code, body } = await api.send(`POST ${webApps}`, webApp('a', { metadata: claims, spec: { image: 'i' } }));
    expect(code).toBe(201);
    const metadata = metadataOf(body);
    expect(metadata).toEqual({
      name: 'a',
      namespace: 'default',
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      resourceVersion: expect.stringMatching(/^\d+$/),
      generation: 1,
      creationTimestamp: '2023-11-14T22:13:20Z',
      managedFields: [
        {
          manager: 'tester',
          operation: 'Update',
          apiVersion: 'example.com/v1',
          time: '2023-11-14T22:13:20Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { '.': {}, 'f:image': {}, 'f:replicas': {} } },
        },
      ],
    });
    expect(await api.ok(`GET ${webApps}/a`)).toEqual(body);
    const versioned = await api.send(`POST ${webApps}`, webApp('b', { metadata: { resourceVersion: '5' } }));
    expect(versioned.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'resourceVersion should not be set on objects to be created',
      code: 500,
    });
  });

  test('API-C4: generateName keeps 58 characters, adds 5 without vowels, and gives up after 8 taken names', async () => {
    let dice: number[] = [];
    await using api = new ServerUnderTest({ random: () => dice.shift() ?? 0.5 });
    const named = async (prefix: string): Promise<string> =>
      metadataOf(await api.ok(`POST ${configMaps}`, { metadata: { generateName: prefix } }))['name'] as string;
    expect(await named('x-')).toMatch(/^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(await named(`${'a'.repeat(70)}`)).toMatch(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    // All later draws are alike: seven collisions, then another letter.
    const collisions = Array.from({ length: 7 * 5 }, () => 0.5);
    dice = [...collisions, ...Array.from({ length: 5 }, () => 0)];
    expect(await named('x-')).toBe('x-bbbbb');
    const { code, body } = await api.send(`POST ${configMaps}`, { metadata: { generateName: 'x-' } });
    expect([code, body['reason']]).toEqual([409, 'AlreadyExists']);
  });

  test('API-C9: PUT creates Leases and Services, and nothing that does not say so', async () => {
    await using api = new ServerUnderTest();
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'me' } };
    const put = await api.send('PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/l', lease);
    expect(put.code).toBe(201);
    const kinds: [string, JsonObject, number][] = [
      ['/api/v1/namespaces/default/services', { spec: { ports: [{ port: 80 }] } }, 201],
      ['/api/v1/namespaces/default/endpoints', {}, 201],
      ['/api/v1/namespaces/default/events', { involvedObject: { namespace: 'default' } }, 201],
      ['/apis/rbac.authorization.k8s.io/v1/clusterroles', {}, 201],
      ['/api/v1/namespaces/default/configmaps', {}, 404],
      ['/api/v1/namespaces', {}, 404],
    ];
    for (const [path, fields, code] of kinds) {
      expect([path, (await api.send(`PUT ${path}/x`, { metadata: { name: 'x' }, ...fields })).code]).toEqual([
        path,
        code,
      ]);
    }
  });
});

describe('what is refused', () => {
  test.each([
    {
      why: 'no JSON',
      body: 'garbage',
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: invalid character 'g' looking for beginning of value (67617262616765)`,
    },
    {
      why: 'nothing',
      body: '',
      code: 400,
      message: `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    },
    {
      why: 'another kind',
      body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
      code: 400,
      message:
        'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
    },
    {
      why: 'another namespace',
      body: configMap('x', { metadata: { namespace: 'other' } }),
      code: 400,
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    },
    {
      why: 'a wrong type',
      body: configMap('x', { data: { a: 5 } }),
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
    {
      why: 'a wrong type in metadata',
      body: configMap('x', { metadata: { labels: { a: 1 } } }),
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    },
    {
      why: 'no name',
      body: { metadata: {} },
      code: 422,
      message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    },
  ])('a ConfigMap with $why', async ({ body, code, message }) => {
    await using api = new ServerUnderTest();
    const reply = await api.send(`POST ${configMaps}`, body);
    expect([reply.code, reply.body['message']]).toEqual([code, message]);
  });

  test('API-C2: checks come in order: decode, kind, namespace of the body, namespace, its end, validation', async () => {
    await using api = new ServerUnderTest();
    await api.ok('POST /api/v1/namespaces', { metadata: { name: 'ending' } });
    await api.ok('DELETE /api/v1/namespaces/ending');
    const rows: [string, unknown, number, string][] = [
      ['nope', '{', 400, 'the object provided is unrecognized (must be of type ConfigMap)'],
      [
        'nope',
        { kind: 'Pod', metadata: { namespace: 'x', name: 'A' } },
        400,
        'Pod in version "v1" cannot be handled as a ConfigMap',
      ],
      ['nope', { metadata: { namespace: 'x', name: 'A' } }, 400, 'the namespace of the provided object does not match'],
      ['nope', { metadata: { name: 'A' } }, 404, 'namespaces "nope" not found'],
      [
        'ending',
        { metadata: { name: 'A' } },
        403,
        'configmaps "A" is forbidden: unable to create new content in namespace ending because it is being terminated',
      ],
      ['default', { metadata: { name: 'A' } }, 422, 'ConfigMap "A" is invalid: metadata.name: Invalid value: "A"'],
      // apiVersion and kind may be left out for built-in kinds.
      ['default', { metadata: { name: 'a' } }, 201, ''],
    ];
    for (const [namespace, body, code, message] of rows) {
      const reply = await api.send(`POST /api/v1/namespaces/${namespace}/configmaps`, body);
      expect([reply.code, (reply.body['message'] as string | undefined) ?? '']).toEqual([
        code,
        expect.stringContaining(message),
      ]);
    }
    const { body } = await api.send('POST /api/v1/namespaces/ending/configmaps', configMap('x'));
    expect(body['details']).toEqual({
      name: 'x',
      kind: 'configmaps',
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: 'namespace ending is being terminated',
          field: 'metadata.namespace',
        },
      ],
    });
  });

  test('a custom resource without kind or version, unlike a built-in one', async () => {
    await using api = await withWebApps();
    const reply = await api.send(`POST ${webApps}`, { metadata: { name: 'x' } });
    expect([reply.code, reply.body['message']]).toEqual([
      400,
      `the object provided is unrecognized (must be of type WebApp): Object 'Kind' is missing in '{"metadata":{"name":"x"}}' ({"metadata":{"name":"x"}})`,
    ]);
  });

  test('API-C5: a duplicate: 409 AlreadyExists, whose details name the resource', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${configMaps}`, configMap('x'));
    await api.ok(`POST ${webApps}`, webApp('x'));
    expect((await api.send(`POST ${configMaps}`, configMap('x'))).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "x" already exists',
      reason: 'AlreadyExists',
      details: { name: 'x', kind: 'configmaps' },
      code: 409,
    });
    const grouped = await api.send(`POST ${webApps}`, webApp('x'));
    expect([grouped.code, grouped.body['message'], grouped.body['details']]).toEqual([
      409,
      'webapps.example.com "x" already exists',
      { name: 'x', group: 'example.com', kind: 'webapps' },
    ]);
  });

  test('API-E9: an invalid object: every cause with reason, message and field; several in brackets; the kind in details', async () => {
    await using api = await withWebApps();
    const one = await api.send(`POST ${webApps}`, webApp('x', { spec: { replicas: 99 } }));
    const why = 'Invalid value: 99: spec.replicas in body should be less than or equal to 10';
    expect(one.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `WebApp.example.com "x" is invalid: spec.replicas: ${why}`,
      reason: 'Invalid',
      details: {
        name: 'x',
        group: 'example.com',
        kind: 'WebApp',
        causes: [{ reason: 'FieldValueInvalid', message: why, field: 'spec.replicas' }],
      },
      code: 422,
    });
    const several = await api.send(
      `POST ${configMaps}`,
      configMap('x', { metadata: { finalizers: ['bare'], labels: { 'a b': '' } } }),
    );
    expect(several.body['message']).toMatch(
      /^ConfigMap "x" is invalid: \[metadata\.labels: .*, metadata\.finalizers\[0\]: .*\]$/,
    );
    expect((several.body['details'] as { causes: { field: string }[] }).causes.map(({ field }) => field)).toEqual([
      'metadata.labels',
      'metadata.finalizers[0]',
    ]);
    const options = await api.send(`POST ${configMaps}?dryRun=Some`, configMap('x'));
    expect([options.body['message'], options.body['details']]).toEqual([
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
      expect.objectContaining({ group: 'meta.k8s.io', kind: 'CreateOptions' }),
    ]);
  });

  test('API-C11: two controllers; while duplicate owners are removed with a warning', async () => {
    await using api = new ServerUnderTest();
    const owner = (name: string, controller?: boolean): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      uid: name,
      ...(controller && { controller }),
    });
    const two = configMap('x', { metadata: { ownerReferences: [owner('a', true), owner('b', true)] } });
    const refused = await api.send(`POST ${configMaps}`, two);
    expect([refused.code, refused.body['message']]).toEqual([
      422,
      expect.stringContaining(
        'Only one reference can have Controller set to true. Found "true" in references for ConfigMap/a and ConfigMap/b',
      ),
    ]);
    const twice = configMap('x', { metadata: { ownerReferences: [owner('a'), owner('a')] } });
    const kept = await api.send(`POST ${configMaps}`, twice);
    expect([kept.code, metadataOf(kept.body)['ownerReferences']]).toEqual([201, [owner('a')]]);
    expect(kept.warnings.join()).toContain('duplicate UID(s) observed: a');
  });
});

describe('names', () => {
  const subdomain = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`;
  test.each([
    { path: configMaps, name: 'a.b-c.1', problem: undefined },
    { path: configMaps, name: 'A_b', problem: subdomain },
    { path: configMaps, name: 'a'.repeat(254), problem: 'must be no more than 253 characters' },
    { path: '/api/v1/namespaces', name: 'a.b', problem: 'must not contain dots' },
    { path: '/api/v1/namespaces', name: '1a', problem: undefined },
    { path: '/api/v1/namespaces/default/services', name: 'a.b', problem: 'must not contain dots' },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', name: 'system:Admin_1', problem: undefined },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', name: 'a/b', problem: `may not contain '/'` },
  ])('API-C3: $name at $path: $problem', async ({ path, name, problem }) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`POST ${path}`, { metadata: { name } });
    if (problem === undefined) expect(code).toBe(201);
    else expect([code, body['message']]).toEqual([422, expect.stringContaining(problem)]);
  });
});

describe('options', () => {
  test('API-C13: dryRun=All runs everything and stores nothing; other values are refused', async () => {
    await using api = await withWebApps();
    const before = api.server.registry.usage().revision;
    const dry = await api.send(`POST ${webApps}?dryRun=All`, webApp('a', { spec: { image: 'i' } }));
    expect([dry.code, dry.body['spec']]).toEqual([201, { image: 'i', replicas: 1 }]);
    expect(metadataOf(dry.body)).not.toHaveProperty('resourceVersion');
    expect((await api.send(`POST ${webApps}?dryRun=All`, webApp('a', { spec: { replicas: 99 } }))).code).toBe(422);
    expect((await api.send(`GET ${webApps}/a`)).code).toBe(404);
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const stored = await api.ok(`GET ${webApps}/a`);
    const patched = await api.ok(
      `PATCH ${webApps}/a?dryRun=All`,
      { spec: { image: 'j' } },
      { type: 'application/merge-patch+json' },
    );
    expect([patched['spec'], metadataOf(patched)['resourceVersion']]).toEqual([
      { image: 'j', replicas: 1 },
      metadataOf(stored)['resourceVersion'],
    ]);
    const removed = await api.ok(`DELETE ${webApps}/a`, { dryRun: ['All'] });
    expect(removed['status']).toBe('Success');
    expect(await api.ok(`GET ${webApps}/a`)).toEqual(stored);
    expect(api.server.registry.usage().revision).toBe(before + 1);
    for (const request of [`POST ${webApps}?dryRun=x`, `PUT ${webApps}/a?dryRun=x`, `DELETE ${webApps}/a?dryRun=x`]) {
      expect((await api.send(request, request.startsWith('DELETE') ? undefined : webApp('a'))).code).toBe(422);
    }
  });

  const twice =
    '{"apiVersion":"example.com/v1","kind":"WebApp","metadata":{"name":"a"},"spec":{"image":"a","image":"b","nope":1}}';
  const strict = 'strict decoding error: duplicate field "spec.image", unknown field "spec.nope"';
  test.each([
    {
      validation: '',
      code: 201,
      warnings: ['299 - "duplicate field \\"spec.image\\""', '299 - "unknown field \\"spec.nope\\""'],
    },
    {
      validation: '?fieldValidation=Warn',
      code: 201,
      warnings: ['299 - "duplicate field \\"spec.image\\""', '299 - "unknown field \\"spec.nope\\""'],
    },
    { validation: '?fieldValidation=Ignore', code: 201, warnings: [] },
    { validation: '?fieldValidation=Strict', code: 400, warnings: [] },
    { validation: '?fieldValidation=Nope', code: 422, warnings: [] },
  ])('API-C14: fieldValidation "$validation": $code, duplicates first', async ({ validation, code, warnings }) => {
    await using api = await withWebApps();
    const reply = await api.send(`POST ${webApps}${validation}`, twice);
    expect([reply.code, reply.warnings]).toEqual([code, warnings]);
    if (code === 201) expect(reply.body['spec']).toEqual({ image: 'b', replicas: 1 });
    if (code === 400)
      expect(reply.body['message']).toBe(`WebApp in version "v1" cannot be handled as a WebApp: ${strict}`);
  });

  test('API-C14: it holds for YAML and for patches', async () => {
    await using api = await withWebApps();
    const yaml = 'apiVersion: example.com/v1\nkind: WebApp\nmetadata: {name: a}\nspec: {nope: 1}\n';
    const created = await api.send(`POST ${webApps}`, yaml, { type: 'application/yaml' });
    expect([created.code, created.warnings]).toEqual([201, ['299 - "unknown field \\"spec.nope\\""']]);
    const doubled = 'apiVersion: example.com/v1\nkind: WebApp\nmetadata: {name: b}\nspec:\n  image: a\n  image: b\n';
    const strictYaml = await api.send(`POST ${webApps}?fieldValidation=Strict`, doubled, { type: 'application/yaml' });
    expect([strictYaml.code, strictYaml.body['message']]).toEqual([
      400,
      expect.stringContaining('line 6: key "image" already set in map'),
    ]);
    const merge = { type: 'application/merge-patch+json' };
    const json = { type: 'application/json-patch+json' };
    const warned = await api.send(`PATCH ${webApps}/a`, { spec: { nope: 1 } }, merge);
    expect([warned.code, warned.warnings]).toEqual([200, ['299 - "unknown field \\"spec.nope\\""']]);
    const refused = await api.send(`PATCH ${webApps}/a?fieldValidation=Strict`, { spec: { nope: 1 } }, merge);
    expect([refused.code, refused.body['message']]).toEqual([
      422,
      expect.stringContaining('strict decoding error: unknown field "spec.nope"'),
    ]);
    const operations = [{ op: 'add', path: '/spec', value: { nope: 1 } }];
    expect((await api.send(`PATCH ${webApps}/a?fieldValidation=Strict`, operations, json)).code).toBe(422);
    const builtin = await api.send(`POST ${configMaps}`, configMap('x', { nope: 1 }));
    expect([builtin.code, builtin.warnings]).toEqual([201, ['299 - "unknown field \\"nope\\""']]);
  });
});

test('bytes may be none at all', async () => {
  await using api = new ServerUnderTest();
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { k: '' } };
  expect((await api.ok('POST /api/v1/namespaces/default/secrets', secret))['data']).toEqual({ k: '' });
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, binaryData: { k: '' } };
  expect((await api.ok('POST /api/v1/namespaces/default/configmaps', map))['binaryData']).toEqual({ k: '' });
});

test('names that every JavaScript object has are names as any other', async () => {
  await using api = await withWebApps();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      nodeSelector: { toString: 'a' },
      containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: 1 }, requests: { constructor: 1 } } }],
    },
  };
  const refused = await api.send('POST /api/v1/namespaces/default/pods', pod);
  expect([refused.code, refused.warnings]).toEqual([422, []]);
  expect(refused.text).toContain('must be a standard resource for containers');
  const limits = [{ type: 'Container', max: { toString: '1' } }];
  const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } };
  expect((await api.send('POST /api/v1/namespaces/default/limitranges', range)).code).toBe(422);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: '__proto__' };
  expect((await api.send('POST /api/v1/namespaces/default/secrets', secret)).code).toBe(201);
  const properties = { a: { type: '__proto__', format: 'ipv4' } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'odds.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'odds', kind: 'Odd' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  };
  const judged = await api.send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  expect(judged.code).toBe(422);
});
