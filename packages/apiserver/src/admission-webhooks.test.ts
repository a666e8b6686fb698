import { type JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { textIn } from './values/index.ts';
import { configMap, paths, ServerUnderTest, types, withWebApps } from './server-under-test.test-support.ts';
import { allow, configure, deny, FakeWebhooks, patching, webhook } from './webhooks.test-support.ts';

const { configMaps } = paths;
const merge = { type: types.merge };

function start(): { hooks: FakeWebhooks; api: ServerUnderTest } {
  const hooks = new FakeWebhooks();
  return { hooks, api: new ServerUnderTest({ services: hooks.resolver }) };
}

const onlyFor = (name: string): JsonObject => ({ name: 'only', expression: `object.metadata.name == '${name}'` });
const add = (path: string, value: string): JsonObject => ({ op: 'add', path, value });

describe('API-A1: who is asked, and when', () => {
  test('mutating webhooks in order, each sees what the one before made', async () => {
    const { hooks, api } = start();
    await using _ = api;
    for (const name of ['one', 'two']) hooks.admission(name, () => patching([add(`/data/${name}`, 'x')]));
    await configure(api, 'Mutating', [webhook('one'), webhook('two')]);
    const created = await api.ok(`POST ${configMaps}`, configMap('a', { data: { start: 'x' } }));
    expect(created['data']).toEqual({ one: 'x', start: 'x', two: 'x' });
    expect(hooks.of('two')[0]).toMatchObject({ object: { data: { one: 'x', start: 'x' } } });
  });

  test('validating webhooks after validation, all of them, whatever one says', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('no', () => deny('not this one'));
    hooks.admission('yes', () => allow);
    await configure(api, 'Validating', [webhook('no'), webhook('yes')]);
    const invalid = await api.send(`POST ${configMaps}`, configMap('Not Valid'));
    expect(invalid.code).toBe(422);
    expect(hooks.asked).toEqual([]);
    const refused = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(refused.body['message']).toBe('admission webhook "no.example.com" denied the request: not this one');
    expect(hooks.asked.map(({ hook }) => hook)).toEqual(['no', 'yes']);
    expect((await api.send(`GET ${configMaps}/a`)).code).toBe(404);
  });

  test('on create, update and delete, with the old object where there is one', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('sees', () => allow);
    await configure(api, 'Validating', [webhook('sees')]);
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: '1' } }));
    await api.ok(`PATCH ${configMaps}/a`, { data: { k: '2' } }, merge);
    await api.ok(`DELETE ${configMaps}/a`);
    expect(hooks.of('sees').map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE', 'DELETE']);
    const [created, , deleted] = hooks.of('sees');
    expect(created).toMatchObject({ oldObject: null, options: { kind: 'CreateOptions' } });
    expect(deleted).toMatchObject({
      object: null,
      oldObject: { data: { k: '2' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  test('mutating webhooks about an update that comes too late as well', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('sees', () => ({ ...allow, warnings: ['look out'] }));
    await api.ok(`POST ${configMaps}`, configMap('a'));
    await configure(api, 'Mutating', [webhook('sees')]);
    const late = configMap('a', { metadata: { resourceVersion: '1' } });
    expect(await api.send(`PUT ${configMaps}/a`, late)).toMatchObject({ code: 409, warnings: ['299 - "look out"'] });
    expect(hooks.of('sees')).toHaveLength(1);
  });

  test('on connections, with their options, before anybody looks for the pod', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('no', () => deny('no shells'));
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: ['CONNECT'] }];
    await configure(api, 'Validating', [{ ...webhook('no'), rules }]);
    const path = '/api/v1/namespaces/default/pods/none';
    const refused = await api.send(`GET ${path}/exec?command=ls&command=-l&stdin=true`);
    expect(refused.body['message']).toBe('admission webhook "no.example.com" denied the request: no shells');
    expect(hooks.of('no')).toMatchObject([
      {
        operation: 'CONNECT',
        subResource: 'exec',
        name: 'none',
        namespace: 'default',
        object: { kind: 'PodExecOptions', apiVersion: 'v1', stdin: true, command: ['ls', '-l'] },
        options: null,
      },
    ]);
    expect((await api.send(`GET ${path}/attach`)).code).toBe(404);
    expect((await api.send(`GET ${path}/log`)).code).toBe(404);
    expect(hooks.of('no')).toHaveLength(1);
  });
});

describe('API-A2: a review', () => {
  test('says who does what to which object', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('sees', () => allow);
    await configure(api, 'Validating', [webhook('sees', { timeoutSeconds: 3 })]);
    await api.ok(`POST ${configMaps}?dryRun=All&fieldManager=me`, configMap('a'));
    expect(hooks.asked[0]?.path).toBe('/sees?timeout=3s');
    expect(hooks.of('sees')[0]).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      dryRun: true,
      options: { dryRun: ['All'], fieldManager: 'me' },
      object: { kind: 'ConfigMap', apiVersion: 'v1' },
      oldObject: null,
    });
  });

  test('warnings reach the client, whatever is decided', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('warns', ({ name }) => ({ ...(name === 'bad' ? deny('no') : allow), warnings: ['look out'] }));
    await configure(api, 'Validating', [webhook('warns')]);
    expect((await api.send(`POST ${configMaps}`, configMap('a'))).warnings).toEqual(['299 - "look out"']);
    expect(await api.send(`POST ${configMaps}`, configMap('bad'))).toMatchObject({
      code: 403,
      warnings: ['299 - "look out"'],
    });
  });
});

test('API-A2: warnings about what a collection holds reach whoever deletes it, also if one of its objects stays', async () => {
  const { hooks, api } = start();
  await using _ = api;
  hooks.admission('warns', ({ operation, oldObject }) => {
    const { metadata } = (oldObject ?? { metadata: {} }) as { metadata: JsonObject };
    const name = textIn(metadata, 'name');
    return { ...(operation === 'DELETE' && name === 'b' ? deny('no') : allow), warnings: [`${operation} ${name}`] };
  });
  await configure(api, 'Validating', [webhook('warns')]);
  for (const name of ['a', 'b']) await api.ok(`POST ${configMaps}`, configMap(name));
  const onlyA = `${configMaps}?fieldSelector=metadata.name%3Da`;
  expect((await api.send(`DELETE ${onlyA}`)).warnings).toEqual(['299 - "DELETE a"']);
  await api.ok(`POST ${configMaps}`, configMap('a'));
  expect(await api.send(`DELETE ${configMaps}`)).toMatchObject({
    code: 403,
    warnings: ['299 - "DELETE a"', '299 - "DELETE b"'],
  });
});

test('API-A2: warnings reach the client though the object is refused afterwards', async () => {
  const { hooks, api } = start();
  await using _ = api;
  hooks.admission('warns', () => ({ ...allow, warnings: ['look out'] }));
  await configure(api, 'Mutating', [webhook('warns')]);
  const { code, warnings } = await api.send(`POST ${configMaps}`, configMap('x', { data: { 'not a key': '1' } }));
  expect([code, warnings]).toEqual([422, ['299 - "look out"']]);
});

describe('API-A3: a webhook that refuses', () => {
  test.each<[JsonObject, number, string]>([
    [{ code: 200, message: 'no' }, 400, 'denied the request: no'],
    [{}, 400, 'denied the request without explanation'],
    [{ code: 418, reason: 'Teapot' }, 418, 'denied the request: Teapot'],
  ])('with %j is answered with %i', async (status, code, text) => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('no', () => ({ allowed: false, status }));
    await configure(api, 'Validating', [webhook('no')]);
    const refused = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(refused.code).toBe(code);
    expect(refused.body['message']).toBe(`admission webhook "no.example.com" ${text}`);
  });
});

describe('API-A3: a webhook that fails', () => {
  const failing = async (
    answer: Parameters<FakeWebhooks['handler']>[1],
    more: JsonObject = {},
  ): Promise<ServerUnderTest> => {
    const { hooks, api } = start();
    hooks.handler('bad', answer);
    await configure(api, 'Mutating', [webhook('bad', { timeoutSeconds: 1, ...more })]);
    return api;
  };
  const review = (response: JsonObject): Promise<{ status: number; body: Uint8Array }> =>
    Promise.resolve({
      status: 200,
      body: Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })),
    });
  const messageOf = async (api: ServerUnderTest): Promise<unknown> =>
    (await api.send(`POST ${configMaps}`, configMap('a'))).body['message'];
  const failed = 'Internal error occurred: failed calling webhook "bad.example.com": ';

  test('that hangs is left after its time; the store is as it was', async () => {
    await using api = await failing(() => new Promise(() => undefined));
    const creating = api.send(`POST ${configMaps}`, configMap('a'));
    await api.clock.advance(1000);
    const { code, body } = await creating;
    expect(code).toBe(500);
    expect(body['message']).toBe(
      `${failed}failed to call webhook: Post "https://bad.hooks.svc:443/bad?timeout=1s": context deadline exceeded`,
    );
    expect((await api.send(`GET ${configMaps}/a`)).code).toBe(404);
  });

  test.for<[string, () => Promise<{ status: number; body: Uint8Array }>, string]>([
    [
      'another uid',
      () => review({ uid: 'other', allowed: true }),
      'received invalid webhook response: expected response.uid=',
    ],
    ['no response', () => review(undefined as never), 'received invalid webhook response: webhook response was absent'],
    [
      'not 200',
      () => Promise.resolve({ status: 503, body: Buffer.from('') }),
      'failed to call webhook: the server is currently unable to handle the request',
    ],
    [
      'not JSON',
      () => Promise.resolve({ status: 200, body: Buffer.from('not json') }),
      "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string",
    ],
    [
      'a rejection',
      () => Promise.reject(new Error('EOF')),
      'failed to call webhook: Post "https://bad.hooks.svc:443/bad?timeout=1s": EOF',
    ],
  ])('%s', async ([, answer, text]) => {
    await using api = await failing(answer);
    expect(await messageOf(api)).toContain(`${failed}${text}`);
  });

  test('by a redirect to nowhere is named as where it led', async () => {
    const location = 'https://127.0.0.1:1/elsewhere';
    await using api = await failing(() =>
      Promise.resolve({ status: 307, headers: { location }, body: Buffer.alloc(0) }),
    );
    const text = `failed to call webhook: Post "${location}": dial tcp 127.0.0.1:1: connect: connection refused`;
    expect(await messageOf(api)).toBe(`${failed}${text}`);
  });

  test('is passed over where failures are ignored', async () => {
    await using api = await failing(() => Promise.reject(new Error('EOF')), { failurePolicy: 'Ignore' });
    expect((await api.send(`POST ${configMaps}`, configMap('a'))).code).toBe(201);
  });

  test('a patch that does not apply, and one of an object that goes', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('bad', () => patching([{ op: 'remove', path: '/data/none' }]));
    await configure(api, 'Mutating', [webhook('bad')]);
    expect(await messageOf(api)).toBe(
      'Internal error occurred: remove operation does not apply: doc is missing path: "/data/none": missing value',
    );
    hooks.admission('bad', () => allow);
    await api.ok(`POST ${configMaps}`, configMap('a'));
    hooks.admission('bad', () => patching([{ op: 'add', path: '/data', value: {} }]));
    const refused = await api.send(`DELETE ${configMaps}/a`);
    expect(refused.body['message']).toBe(
      'Internal error occurred: admission webhook "bad.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });
});

describe('API-A3: an answer that nests deeper than the server reads', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const patch = (depth: number): string => `[{"op":"add","path":"/metadata/annotations","value":${nested(depth)}}]`;
  const told = 'exceeded max depth';

  test.each([5_000, 200_000])('%d levels in a patch are the failure of the webhook', async (depth) => {
    const { hooks, api } = start();
    await using _ = api;
    const encoded = Buffer.from(patch(depth)).toString('base64');
    hooks.admission('deep', () => ({ allowed: true, patchType: 'JSONPatch', patch: encoded }));
    await configure(api, 'Mutating', [webhook('deep', { matchConditions: [onlyFor('a')] })]);
    await configure(api, 'Mutating', [webhook('deep', { matchConditions: [onlyFor('b')], failurePolicy: 'Ignore' })]);
    const failing = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(failing).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
    expect(failing.body['message']).toContain(told);
    expect((await api.send(`POST ${configMaps}`, configMap('b'))).code).toBe(201);
  });

  test.each([5_000, 200_000])('%d levels in the review are, too', async (depth) => {
    const { hooks, api } = start();
    await using _ = api;
    const body = Buffer.from(
      `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"x":${nested(depth)}}}`,
    );
    hooks.handler('deep', () => Promise.resolve({ status: 200, body }));
    await configure(api, 'Validating', [webhook('deep')]);
    const failing = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(failing).toMatchObject({ code: 500, body: { reason: 'InternalError' } });
    expect(failing.body['message']).toContain('failed calling webhook');
  });
});

describe('API-A4: a Service', () => {
  test('nobody answers for is not found, or does not take connections', async () => {
    const { api } = start();
    await using _ = api;
    await configure(api, 'Validating', [
      webhook('gone', { clientConfig: { service: { namespace: 'default', name: 'gone' } } }),
    ]);
    const refused = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(refused.body['message']).toContain(
      'Post "https://gone.default.svc:443/?timeout=10s": service "gone" not found',
    );
    await api.ok('POST /api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'gone' },
      spec: { ports: [{ port: 443 }] },
    });
    const unreachable = await api.send(`POST ${configMaps}`, configMap('a'));
    expect(unreachable.body['message']).toMatch(/dial tcp [\d.]+:443: connect: connection refused$/);
  });
});

describe('API-A5: a webhook is about', () => {
  test('what its rules, selectors and conditions say', async () => {
    const { hooks, api } = start();
    await using _ = api;
    const picked = { matchLabels: { pick: 'me' } };
    const condition = { name: 'named', expression: "object.metadata.name.startsWith('a')" };
    for (const name of ['labelled', 'named', 'elsewhere', 'status']) hooks.admission(name, () => allow);
    const rule = { apiGroups: [''], apiVersions: ['*'], operations: ['*'] };
    await configure(api, 'Validating', [
      webhook('labelled', { objectSelector: picked }),
      webhook('named', { matchConditions: [condition] }),
      webhook('elsewhere', { namespaceSelector: picked }),
      webhook('status', { rules: [{ ...rule, resources: ['*/status'] }] }),
    ]);
    await api.ok(`POST ${configMaps}`, configMap('a'));
    await api.ok(`POST ${configMaps}`, configMap('b', { metadata: { labels: { pick: 'me' } } }));
    expect(hooks.asked.map(({ hook, request }) => `${hook} ${request.name}`)).toEqual(['named a', 'labelled b']);
  });

  test('a condition that fails refuses, or leaves the webhook out where failures are ignored', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('picky', () => allow);
    const matchConditions = [{ name: 'c', expression: 'object.data.none == "x"' }];
    await configure(api, 'Validating', [webhook('picky', { matchConditions, failurePolicy: 'Ignore' })]);
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: '1' } }));
    await configure(api, 'Validating', [webhook('picky', { matchConditions })]);
    const refused = await api.send(`POST ${configMaps}`, configMap('b', { data: { k: '1' } }));
    expect(refused).toMatchObject({ code: 403 });
    expect(refused.body['message']).toBe(
      `configmaps "b" is forbidden: expression 'object.data.none == "x"' resulted in error: no such key: none`,
    );
    expect(hooks.asked).toEqual([]);
  });

  test('another version of its resource, which it is shown in its own; Exact is not', async () => {
    const hooks = new FakeWebhooks();
    await using api = new ServerUnderTest({ services: hooks.resolver });
    for (const name of ['any', 'exact']) hooks.admission(name, () => allow);
    const rules = [
      { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'], operations: ['*'] },
    ];
    await configure(api, 'Validating', [webhook('any', { rules }), webhook('exact', { rules, matchPolicy: 'Exact' })]);
    await api.ok('POST /apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 2 },
    });
    expect(hooks.asked.map(({ hook }) => hook)).toEqual(['any']);
    expect(hooks.of('any')[0]).toMatchObject({
      kind: { version: 'v1' },
      requestKind: { version: 'v2' },
      object: { apiVersion: 'autoscaling/v1' },
    });
  });

  test('the Scale of an object, not the object', async () => {
    const hooks = new FakeWebhooks();
    await using api = await withWebApps({ services: hooks.resolver });
    hooks.admission('scales', ({ object }) =>
      patching([{ op: 'replace', path: '/spec/replicas', value: replicasOf(object) + 1 }]),
    );
    const replicasOf = (scale: unknown): number => (scale as { spec: { replicas: number } }).spec.replicas;
    const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['webapps/scale'], operations: ['*'] }];
    await configure(api, 'Mutating', [webhook('scales', { rules })]);
    await api.ok(`POST ${paths.webApps}`, {
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'a' },
      spec: {},
    });
    const scaled = await api.ok(`PATCH ${paths.webApps}/a/scale`, { spec: { replicas: 4 } }, merge);
    expect(scaled).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
    expect(hooks.of('scales')[0]).toMatchObject({
      kind: { group: 'autoscaling', kind: 'Scale' },
      subResource: 'scale',
    });
  });

  test('a webhook with IfNeeded is asked once more where a later one changed the object', async () => {
    const { hooks, api } = start();
    await using _ = api;
    hooks.admission('early', () => patching([add('/data/early', 'x')]));
    hooks.admission('late', () => patching([add('/data/late', 'x')]));
    await configure(api, 'Mutating', [webhook('early', { reinvocationPolicy: 'IfNeeded' }), webhook('late')]);
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: '1' } }));
    expect(hooks.asked.map(({ hook }) => hook)).toEqual(['early', 'late', 'early']);
  });
});

test('API-A6: nobody is asked about webhook configurations', async () => {
  const { hooks, api } = start();
  await using _ = api;
  hooks.admission('no', () => deny('nothing any more'));
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }];
  await configure(api, 'Validating', [webhook('no', { rules })]);
  const all = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  expect((await api.send(`POST ${configMaps}`, configMap('a'))).code).toBe(403);
  expect((await api.send(`DELETE ${all}`)).code).toBe(200);
  expect((await api.send(`POST ${configMaps}`, configMap('a'))).code).toBe(201);
});
