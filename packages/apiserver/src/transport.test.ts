import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { RecordedRequest } from './http/index.ts';
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
const failure = (code: number, reason: string, rest: JsonObject): JsonObject => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason,
  code,
  ...rest,
});

describe('paths that lead nowhere', () => {
  test.each([
    '/nope',
    '/apis/nope.io',
    '/apis/nope.io/v1',
    '/apis/nope.io/v1/foos',
    '/apis/example.com/v9/webapps',
    '/apis/example.com/v1/foos',
    '/apis/example.com/v1/namespaces/default/foos',
    '/apis/example.com/v1/webapps/a',
  ])('API-T11: %s: plain text', async (path) => {
    await using api = await withWebApps();
    expect(await api.send(`GET ${path}`)).toMatchObject({
      code: 404,
      text: '404 page not found\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  test.each([
    '/api/v2',
    '/api/v1/foos',
    '/api/v1/namespaces/default/foos',
    '/api/v1/namespaces/default/foos/x',
    '/api/v1/namespaces/default/namespaces',
    '/apis/apps/v9',
    '/apis/apps/v1/foos',
    '/apis/apps/v1/deployments/x',
  ])('API-T11: %s: a Status without details', async (path) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`GET ${path}`);
    expect([code, body]).toEqual([
      404,
      failure(404, 'NotFound', { message: 'the server could not find the requested resource', details: {} }),
    ]);
  });

  test('API-E4: a missing object: its resource, with the group, in message and details', async () => {
    await using api = new ServerUnderTest();
    const rows: [string, string, JsonObject][] = [
      [`GET ${configMaps}/nope`, 'configmaps "nope" not found', { name: 'nope', kind: 'configmaps' }],
      [`DELETE ${configMaps}/nope`, 'configmaps "nope" not found', { name: 'nope', kind: 'configmaps' }],
      [`GET ${deployments}/d`, 'deployments.apps "d" not found', { name: 'd', group: 'apps', kind: 'deployments' }],
      [
        `GET ${deployments}/d/scale`,
        'deployments.apps "d" not found',
        { name: 'd', group: 'apps', kind: 'deployments' },
      ],
    ];
    for (const [request, message, details] of rows) {
      expect((await api.send(request)).body).toEqual(failure(404, 'NotFound', { message, details }));
    }
  });

  test('API-E5: methods that are not for a path', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a'));
    const message = 'the server does not allow this method on the requested resource';
    const requests = [
      `POST ${configMaps}/a`,
      `PUT ${configMaps}`,
      `PATCH ${configMaps}`,
      'POST /api/v1/configmaps',
      'DELETE /api/v1/configmaps',
      'DELETE /api/v1/namespaces',
      `FOO ${configMaps}`,
      'POST /apis',
      `HEAD ${configMaps}`,
      `HEAD ${webApps}/a`,
      'HEAD /api/v1/configmaps',
      'HEAD /apis',
    ];
    for (const request of requests) {
      const { body } = await api.send(request, request.startsWith('P') ? {} : undefined);
      expect([request, body]).toEqual([request, failure(405, 'MethodNotAllowed', { message, details: {} })]);
    }
    const { code, body } = await api.send(`POST ${webApps}/a/status`, webApp('a'));
    expect([code, body['message']]).toEqual([
      405,
      'create is not supported on resources of kind "webapps.example.com"',
    ]);
  });
});

describe('who is asking', () => {
  test('API-Z1, API-E2: a token, nobody, and a bad token', async () => {
    const seen: string[] = [];
    await using api = new ServerUnderTest({ onRequest: ({ user }) => seen.push(user) });
    await api.ok(`GET ${configMaps}`);
    const anonymous = await api.send(`GET ${configMaps}`, undefined, { headers: { authorization: '' } });
    const bad = await api.send('GET /healthz', undefined, { headers: { authorization: 'Bearer nope' } });
    expect([anonymous.code, bad.code]).toEqual([200, 401]);
    expect(seen).toEqual(['admin', 'system:anonymous', '']);
    expect(bad.body).toEqual(failure(401, 'Unauthorized', { message: 'Unauthorized' }));
  });
});

describe('forms of answers', () => {
  test('API-T3: the first supported type of the list; what cannot be served is 406', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { k: 'v' } }));
    const get = (accept: string) => api.send(`GET ${configMaps}/a`, undefined, { headers: { accept } });
    const both = await get('application/vnd.kubernetes.protobuf, */*');
    expect(both.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
    const yaml = await get('text/html, application/yaml, application/json');
    expect([yaml.headers['content-type'], yaml.text]).toEqual([
      'application/yaml',
      expect.stringMatching(/^apiVersion: v1\ndata:\n {2}k: v\nkind: ConfigMap\n/),
    ]);
    const none = await get('text/plain');
    const list = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
    expect([none.code, none.body['reason'], none.body['message']]).toEqual([
      406,
      'NotAcceptable',
      `406: Not Acceptable\n\nAvailable representations: ${list}`,
    ]);
    const form = await get('application/json;as=Foo;v=v1;g=meta.k8s.io');
    expect([form.code, form.body['message']]).toEqual([406, `only the following media types are accepted: ${list}`]);
    expect((await get('application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io')).code).toBe(406);
    const pretty = await api.send(`GET ${configMaps}/a?pretty=true`);
    expect(pretty.text).toMatch(/^\{\n {2}"kind": "ConfigMap",\n/);
    const curl = await api.send(`GET ${configMaps}/a`, undefined, { headers: { 'user-agent': 'curl/8' } });
    expect(curl.text).toBe(pretty.text);
    expect((await api.send(`GET ${configMaps}/a`)).text).toMatch(/^\{"kind":"ConfigMap",.*\}\n$/);
  });

  test('API-L10: metadata alone on get, list, watch, create and patch', async () => {
    await using api = await withWebApps();
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const headers = { accept };
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };
    const created = await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }), { headers });
    expect(created).toEqual({ ...partial, metadata: expect.objectContaining({ name: 'a', generation: 1 }) });
    const patched = await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'j' } }, { type: types.merge, headers });
    expect(patched).toEqual({ ...partial, metadata: expect.objectContaining({ generation: 2 }) });
    expect(await api.ok(`GET ${webApps}/a`, undefined, { headers })).toEqual(patched);
    const listAccept = { accept: accept.replace('Metadata;', 'MetadataList;') };
    const list = await api.ok(`GET ${webApps}`, undefined, { headers: listAccept });
    expect(list).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: expect.objectContaining({ resourceVersion: metadataOf(patched)['resourceVersion'] }),
      items: [patched],
    });
    const watch = await api.watch(`${webApps}?watch=1&allowWatchBookmarks=true`, headers);
    expect(watch.events.map(({ type, object }) => [type, object['kind'], Object.keys(object)])).toEqual([
      ['ADDED', 'PartialObjectMetadata', ['kind', 'apiVersion', 'metadata']],
      ['BOOKMARK', 'PartialObjectMetadata', ['kind', 'apiVersion', 'metadata']],
    ]);
    expect((await api.send(`GET ${webApps}`, undefined, { headers })).code).toBe(406);
    expect((await api.send(`GET ${webApps}/a`, undefined, { headers: listAccept })).code).toBe(406);
  });

  test('API-L9: tables, whose columns a watch names in its first event only', async () => {
    await using api = await withWebApps();
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const created = await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }), { headers });
    expect(created).toMatchObject({
      kind: 'Table',
      rows: [{ cells: ['a', 'i', 1], object: { kind: 'PartialObjectMetadata' } }],
    });
    const whole = await api.ok(`GET ${webApps}?includeObject=Object`, undefined, { headers });
    expect(whole['rows']).toMatchObject([{ object: { spec: { image: 'i' } } }]);
    const none = await api.ok(`GET ${webApps}/a?includeObject=None`, undefined, { headers });
    expect(none['rows']).toMatchObject([{ object: null }]);
    const watch = await api.watch(`${webApps}?watch=1`, headers);
    await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'j' } }, { type: types.merge });
    await api.clock.settle();
    const columns = watch.events.map(({ object }) => object['columnDefinitions'] as unknown[] | null);
    expect(columns.map((one) => one?.length)).toEqual([3, undefined]);
    expect(watch.events.map(({ object }) => (object['rows'] as { cells: unknown }[])[0]?.cells)).toEqual([
      ['a', 'i', 1],
      ['a', 'j', 1],
    ]);
    expect((await api.send(`GET ${configMaps}/nope`, undefined, { headers })).body['kind']).toBe('Status');
  });

  test('API-N4: the keys of custom resources are sorted; built-in kinds begin with kind, version and metadata as their structs do', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { replicas: 2, image: 'i' } }));
    await api.ok(`POST ${configMaps}`, configMap('a', { metadata: { labels: { a: 'b' } } }));
    expect((await api.send(`GET ${webApps}/a`)).text).toMatch(
      /^\{"apiVersion":.*"kind":.*"metadata":\{"creationTimestamp":.*"spec":\{"image":"i","replicas":2\}\}\n$/,
    );
    expect((await api.send(`GET ${webApps}`)).text).toMatch(/^\{"apiVersion":.*"items":\[\{"apiVersion"/);
    expect((await api.send(`GET ${configMaps}/a`)).text).toMatch(
      /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"a","namespace":"default","uid":/,
    );
    const watch = await api.watch(`${webApps}?watch=1`);
    expect(Object.keys(watch.events[0]?.object ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  });

  test('API-T6: one Warning header per distinct warning', async () => {
    await using api = await withWebApps();
    const body = webApp('a', { metadata: { finalizers: ['x'] }, spec: { b: 1, a: 1 } });
    const { warnings, headers } = await api.send(`POST ${webApps}`, body);
    expect(warnings).toEqual([
      '299 - "unknown field \\"spec.a\\""',
      '299 - "unknown field \\"spec.b\\""',
      expect.stringMatching(/^299 - "metadata\.finalizers: \\"x\\": prefer/),
    ]);
    expect(headers['warning']).toBe(warnings.join(', '));
  });
});

/** Nine levels of ten aliases each, of less than 500 characters: a billion parts when written out. */
const aliasBomb = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? 'x' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 10 }, () => items).join(',')}]`;
}).join('\n');

describe('bodies', () => {
  const accepted = 'the body of the request was in an unknown format - accepted media types include: ';
  test.each([
    [
      'POST',
      configMaps,
      'text/plain',
      `${accepted}application/json, application/yaml, application/vnd.kubernetes.protobuf`,
    ],
    [
      'POST',
      webApps,
      'text/plain',
      `${accepted}application/json, application/yaml, application/vnd.kubernetes.protobuf`,
    ],
    ['POST', webApps, 'application/vnd.kubernetes.protobuf', `${accepted}application/json, application/yaml`],
    ['PATCH', `${configMaps}/a`, 'application/json', '415: Unsupported Media Type'],
    [
      'PATCH',
      `${webApps}/a`,
      types.strategic,
      `${accepted}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
    ],
  ])('API-T4: %s %s as %s is 415', async (method, path, type, message) => {
    await using api = await withWebApps();
    const { code, body } = await api.send(`${method} ${path}`, '{}', { type });
    expect([code, body['reason'], body['message']]).toEqual([415, 'UnsupportedMediaType', message]);
  });

  test('API-M1, API-E8: a body above 3 MiB, an object above 1.5 MiB, and a ConfigMap above 1 MiB', async () => {
    await using api = await withWebApps();
    const large = await api.send(`POST ${configMaps}`, 'x'.repeat(3_145_729));
    expect(large.body).toEqual(
      failure(413, 'RequestEntityTooLarge', { message: 'Request entity too large: limit is 3145728' }),
    );
    await api.ok(`POST ${configMaps}`, configMap('p'));
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' }));
    const many = await api.send(`PATCH ${configMaps}/p`, operations, { type: types.json });
    expect([many.code, many.body['reason']]).toEqual([413, 'RequestEntityTooLarge']);
    const object = await api.send(`POST ${webApps}`, webApp('a', { spec: { image: 'x'.repeat(1_600_000) } }));
    expect([object.code, object.body['message']]).toEqual([500, 'etcdserver: request is too large']);
    const data = await api.send(`POST ${configMaps}`, configMap('a', { data: { k: 'x'.repeat(1_048_577) } }));
    expect([data.code, data.body['message']]).toEqual([
      422,
      expect.stringContaining('Too long: may not be more than 1048576 bytes'),
    ]);
    expect((await api.send(`POST ${configMaps}`, configMap('a', { data: { k: 'x'.repeat(1_048_576) } }))).code).toBe(
      201,
    );
    const secret = { metadata: { name: 's' }, data: { k: Buffer.alloc(1_048_577).toString('base64') } };
    const secrets = await api.send('POST /api/v1/namespaces/default/secrets', secret);
    expect([secrets.code, secrets.body['message']]).toEqual([
      422,
      expect.stringContaining('Too long: may not be more than 1048576 bytes'),
    ]);
  });

  test.each([
    [
      'JSON',
      'application/json',
      `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      "invalid character '[' exceeded max depth",
    ],
    [
      'a list only the real server reads',
      'application/json',
      `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
      'the real one 10000',
    ],
    ['objects', 'application/json', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, 'exceeded max depth'],
    ['YAML', 'application/yaml', aliasBomb, 'excessive aliasing'],
  ])('%s that asks for too much is a bad request', async (_, type, text, message) => {
    await using api = await withWebApps();
    for (const path of [configMaps, webApps]) {
      const { code, body } = await api.send(`POST ${path}`, text, { type });
      expect([code, body['reason'], body['message']]).toEqual([400, 'BadRequest', expect.stringContaining(message)]);
    }
  });

  test('an object that lies deep, yet within the limit, is not a fault of the server', async () => {
    await using api = await withWebApps();
    const deep = `${'{"a":'.repeat(998)}1${'}'.repeat(998)}`;
    const text = `{"apiVersion":"example.com/v1","kind":"WebApp","metadata":{"name":"a"},"spec":{"x":${deep}}}`;
    expect((await api.send(`POST ${webApps}`, text)).code).toBe(201);
  });

  test('API-N1: an integer that JavaScript would round is compared with its bounds exactly', async () => {
    await using api = await withWebApps();
    const text =
      '{"apiVersion":"example.com/v1","kind":"WebApp","metadata":{"name":"a"},"spec":{"replicas":9223372036854775807}}';
    const { code, body } = await api.send(`POST ${webApps}`, text);
    expect([code, body['message']]).toEqual([
      422,
      expect.stringContaining('Invalid value: 9223372036854775807: spec.replicas in body should be less than'),
    ]);
  });
});

describe('pages about the server itself', () => {
  test.each(['/healthz', '/livez', '/readyz', '/readyz/ping'])('API-T10: %s is ok for anybody', async (path) => {
    await using api = new ServerUnderTest();
    const headers = { authorization: '' };
    expect(await api.send(`GET ${path}`, undefined, { headers })).toMatchObject({ code: 200, text: 'ok' });
    expect((await api.send(`GET ${path}?verbose`, undefined, { headers })).text).toMatch(
      path.endsWith('/ping') ? /^ok$/ : /^\[\+\]ping ok\n(?:\[\+\]\S+ ok\n)*\w+ check passed\n$/,
    );
  });

  test('a check can be left out, and one that does not exist is not a page', async () => {
    await using api = new ServerUnderTest();
    expect((await api.send('GET /livez?verbose&exclude=etcd')).text).toContain('[+]etcd excluded: ok\n');
    expect((await api.send('GET /livez/nope')).code).toBe(404);
  });

  test.each([
    ['soon', 'time: invalid duration "soon"'],
    ['5', 'time: missing unit in duration "5"'],
    ['5x', 'time: unknown unit "x" in duration "5x"'],
  ])('API-T8: ?timeout=%s is a bad request', async (timeout, problem) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`GET /healthz?timeout=${timeout}`);
    expect([code, body['message']]).toEqual([400, `invalid timeout specified in the request URL - ${problem}`]);
  });

  test('API-T8: a request that takes longer than its own timeout ends with 504', async () => {
    await using api = new ServerUnderTest();
    api.server.fail({ verb: 'get', fault: { type: 'delay', ms: 5000 } });
    const late = api.send(`GET ${paths.configMaps}/a?timeout=2s`);
    const soon = api.send(`GET ${paths.configMaps}/a?timeout=1m0.5s`);
    await api.clock.advance(5000);
    expect(await late).toMatchObject({ code: 504, body: { reason: 'Timeout', code: 504 } });
    expect((await soon).code).toBe(404);
  });

  test('API-Q6: /version says 1.36', async () => {
    await using api = new ServerUnderTest();
    const version = await api.ok('GET /version');
    expect(version).toMatchObject({ major: '1', minor: '36', gitVersion: expect.stringMatching(/^v1\.36\.\d+$/) });
  });

  test('discovery and OpenAPI are served, and revalidated', async () => {
    await using api = await withWebApps();
    expect((await api.ok('GET /apis'))['kind']).toBe('APIGroupList');
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const first = await api.send('GET /apis', undefined, { headers: { accept } });
    expect(first.text).toContain('"WebApp"');
    const again = await api.send('GET /apis', undefined, {
      headers: { accept, 'if-none-match': first.headers['etag'] ?? '' },
    });
    expect([again.code, again.text]).toEqual([304, '']);
    expect((await api.send('GET /')).body['paths']).toContain('/apis');
  });

  test('every request is reported, with who, what and how it ended', async () => {
    const logs: RecordedRequest[] = [];
    await using api = new ServerUnderTest({ onRequest: (log) => logs.push(log) });
    await api.send(`POST ${configMaps}?dryRun=All`, configMap('a'));
    await api.send(`GET ${configMaps}/a`);
    expect(logs).toEqual([
      {
        method: 'POST',
        path: `${configMaps}?dryRun=All`,
        status: 201,
        user: 'admin',
        userAgent: 'tester/1.0',
        body: JSON.stringify(configMap('a')),
      },
      { method: 'GET', path: `${configMaps}/a`, status: 404, user: 'admin', userAgent: 'tester/1.0', body: undefined },
    ]);
  });
});
