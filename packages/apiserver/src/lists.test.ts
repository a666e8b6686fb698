import { Buffer } from 'node:buffer';
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

const { configMaps, webApps, pods } = paths;
const itemsOf = (list: JsonObject): JsonObject[] => list['items'] as JsonObject[];
const namesOf = (list: JsonObject): unknown[] => itemsOf(list).map((item) => metadataOf(item)['name']);
const forms = (...names: string[]): JsonObject[] => names.map((name) => configMap(name));

async function withConfigMaps(...objects: JsonObject[]): Promise<ServerUnderTest> {
  const api = new ServerUnderTest();
  for (const object of objects) await api.ok(`POST ${configMaps}`, object);
  return api;
}

describe('the list object', () => {
  test('API-L1: has the kind, the version of its snapshot, and items in key order, with kind only for custom resources', async () => {
    await using api = await withWebApps();
    const empty = await api.ok(`GET ${configMaps}`);
    expect([empty['kind'], empty['apiVersion'], empty['items']]).toEqual(['ConfigMapList', 'v1', []]);
    for (const name of ['b', 'a']) {
      await api.ok(`POST ${configMaps}`, configMap(name));
      await api.ok(`POST ${webApps}`, webApp(name));
    }
    await api.ok('POST /api/v1/namespaces', { metadata: { name: 'default-1' } });
    await api.ok('POST /api/v1/namespaces/default-1/configmaps', configMap('z'));
    const revision = String(api.server.registry.usage().revision);
    const all = await api.ok('GET /api/v1/configmaps');
    expect(metadataOf(all)).toEqual({ resourceVersion: revision });
    expect(itemsOf(all).map((item) => `${metadataOf(item)['namespace']}/${metadataOf(item)['name']}`)).toEqual([
      'default-1/z',
      'default/a',
      'default/b',
      'kube-system/extension-apiserver-authentication',
    ]);
    expect(itemsOf(all).every((item) => !('kind' in item) && !('apiVersion' in item))).toBe(true);
    const custom = await api.ok(`GET ${webApps}`);
    expect([custom['kind'], namesOf(custom)]).toEqual(['WebAppList', ['a', 'b']]);
    expect(itemsOf(custom).map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual([
      ['example.com/v1', 'WebApp'],
      ['example.com/v1', 'WebApp'],
    ]);
  });
});

describe('selectors', () => {
  const labelled = (name: string, labels: Record<string, string>): JsonObject =>
    configMap(name, { metadata: { labels } });
  test.each([
    ['labelSelector=app=a', ['a']],
    ['labelSelector=app==a', ['a']],
    ['labelSelector=app!=a', ['b', 'c', 'none']],
    ['labelSelector=app in (a,b)', ['a', 'b']],
    ['labelSelector=app notin (a,b)', ['c', 'none']],
    ['labelSelector=app', ['a', 'b', 'c']],
    ['labelSelector=!app', ['none']],
    ['labelSelector=n>1', ['b', 'c']],
    ['labelSelector=n<2', ['a']],
    ['labelSelector=app,n!=2', ['a', 'c']],
    ['fieldSelector=metadata.name=a', ['a']],
    ['fieldSelector=metadata.name==a', ['a']],
    ['fieldSelector=metadata.name!=a', ['b', 'c', 'none']],
    ['fieldSelector=metadata.name!=a,metadata.name!=b', ['c', 'none']],
    ['fieldSelector=metadata.namespace=default,metadata.name=c', ['c']],
    ['fieldSelector=metadata.namespace=other', []],
    ['fieldSelector=metadata.name=a&labelSelector=app=b', []],
  ])('API-L2: %s selects %j', async (query, names) => {
    await using api = await withConfigMaps(
      labelled('a', { app: 'a', n: '1' }),
      labelled('b', { app: 'b', n: '2' }),
      labelled('c', { app: 'c', n: '3' }),
      configMap('none'),
    );
    expect(namesOf(await api.ok(`GET ${configMaps}?${query.replaceAll(' ', '+').replaceAll('>', '%3E')}`))).toEqual(
      names,
    );
  });

  test.each([
    [
      `${configMaps}?fieldSelector=data.k=a`,
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [`${webApps}?fieldSelector=spec.replicas=1`, 'field label not supported: spec.replicas'],
    [`${pods}?fieldSelector=foo=bar`, 'field label not supported: foo'],
    [
      `${configMaps}?fieldSelector=metadata.name`,
      `invalid selector: 'metadata.name'; can't understand 'metadata.name'`,
    ],
    [`${configMaps}?labelSelector=a+in`, 'unable to parse requirement: '],
    [`${configMaps}?labelSelector=p=odd,`, `found '', expected: identifier after ','`],
    [`${configMaps}?labelSelector=i%3Ex`, 'unable to parse requirement: '],
    [`${configMaps}?labelSelector=p==%22x%22`, 'unable to parse requirement: '],
    [`${configMaps}?labelSelector=p=bad!value`, `found '!', expected: ',' or 'end of string'`],
    [`${configMaps}?labelSelector=a/b/c=x`, 'unable to parse requirement: '],
    [`${configMaps}?resourceVersion=abc`, 'invalid resource version: '],
    [`${configMaps}?continue=garbage`, 'invalid continue token: continue key is not valid: '],
  ])('API-E1: %s is a bad request without details', async (path, message) => {
    await using api = await withWebApps();
    const { code, body } = await api.send(`GET ${path}`);
    expect([code, body['reason'], body['message']]).toEqual([400, 'BadRequest', expect.stringContaining(message)]);
    expect(body).not.toHaveProperty('details');
  });

  test('API-L3: Pods can be selected by node and phase, Secrets by type, Events by what they are about', async () => {
    await using api = new ServerUnderTest();
    const spec = (nodeName?: string): JsonObject => ({
      containers: [{ name: 'c', image: 'i' }],
      ...(nodeName && { nodeName }),
    });
    await api.ok(`POST ${pods}`, { metadata: { name: 'a' }, spec: spec('n1') });
    await api.ok(`POST ${pods}`, { metadata: { name: 'b' }, spec: spec() });
    await api.ok(`PATCH ${pods}/a/status`, { status: { phase: 'Running' } }, { type: types.merge });
    const secrets = '/api/v1/namespaces/default/secrets';
    await api.ok(`POST ${secrets}`, { metadata: { name: 's' }, type: 'my/type' });
    const events = '/api/v1/namespaces/default/events';
    const about = { kind: 'Pod', name: 'a', namespace: 'default' };
    await api.ok(`POST ${events}`, {
      metadata: { name: 'e' },
      involvedObject: about,
      reason: 'R',
      source: { component: 'me' },
    });
    const rows: [string, string[]][] = [
      [`${pods}?fieldSelector=spec.nodeName=n1`, ['a']],
      [`${pods}?fieldSelector=spec.nodeName=`, ['b']],
      [`${pods}?fieldSelector=status.phase=Running,spec.restartPolicy=Always`, ['a']],
      [`${pods}?fieldSelector=status.phase!=Running`, ['b']],
      [`${secrets}?fieldSelector=type=my/type`, ['s']],
      [`${secrets}?fieldSelector=type=Opaque`, []],
      [`${events}?fieldSelector=involvedObject.name=a,involvedObject.kind=Pod,reason=R,source=me`, ['e']],
      ['/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.name=a', ['e']],
      ['/api/v1/namespaces?fieldSelector=status.phase=Active,metadata.name=default', ['default']],
    ];
    for (const [path, names] of rows) expect([path, namesOf(await api.ok(`GET ${path}`))]).toEqual([path, names]);
  });

  const reference = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
  test.each([
    [
      '/api/v1/pods',
      [
        'spec.nodeName',
        'spec.restartPolicy',
        'spec.schedulerName',
        'spec.serviceAccountName',
        'spec.hostNetwork',
        'status.phase',
        'status.podIP',
        'status.podIPs',
        'status.nominatedNodeName',
      ],
    ],
    ['/api/v1/nodes', ['spec.unschedulable']],
    ['/api/v1/namespaces', ['status.phase']],
    ['/api/v1/secrets', ['type']],
    ['/api/v1/services', ['spec.clusterIP', 'spec.type']],
    ['/apis/batch/v1/jobs', ['status.successful']],
    ['/api/v1/replicationcontrollers', ['status.replicas']],
    [
      '/api/v1/events',
      [...reference.map((field) => `involvedObject.${field}`), 'reason', 'reportingComponent', 'source', 'type'],
    ],
    ['/apis/events.k8s.io/v1/events', reference.map((field) => `regarding.${field}`)],
  ])('API-L3: %s knows its field labels', async (path, labels) => {
    await using api = new ServerUnderTest();
    for (const label of labels)
      expect([label, (await api.send(`GET ${path}?fieldSelector=${label}=x`)).code]).toEqual([label, 200]);
    expect((await api.send(`GET ${path}?fieldSelector=spec.nope=x`)).code).toBe(400);
  });

  test('API-L4: selectable fields of a definition work in list, watch and deletecollection', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    await api.ok(`POST ${webApps}`, webApp('b'));
    expect(namesOf(await api.ok(`GET ${webApps}?fieldSelector=spec.image=i`))).toEqual(['a']);
    expect(namesOf(await api.ok(`GET ${webApps}?fieldSelector=spec.image=`))).toEqual(['b']);
    const watch = await api.watch(`${webApps}?watch=1&fieldSelector=spec.image=i`);
    await api.ok(`PATCH ${webApps}/b`, { spec: { image: 'i' } }, { type: types.merge });
    await api.clock.settle();
    expect(watch.seen).toEqual(['ADDED a', 'ADDED b']);
    expect(namesOf(await api.ok(`DELETE ${webApps}?fieldSelector=spec.image=i`))).toEqual(['a', 'b']);
    expect(namesOf(await api.ok(`GET ${webApps}`))).toEqual([]);
  });
});

describe('pages', () => {
  test('API-L5: come from the first page`s snapshot and carry its version', async () => {
    await using api = await withConfigMaps(...forms('p1', 'p2', 'p3', 'p5'));
    const first = await api.ok(`GET ${configMaps}?limit=2`);
    const { resourceVersion, continue: token, remainingItemCount } = metadataOf(first);
    expect([namesOf(first), remainingItemCount]).toEqual([['p1', 'p2'], 2]);
    const decoded = JSON.parse(Buffer.from(token, 'base64url').toString()) as JsonObject;
    expect(decoded).toEqual({ v: 'meta.k8s.io/v1', rv: Number(resourceVersion), start: '/p2\u0000' });
    await api.ok(`POST ${configMaps}`, configMap('p4'));
    await api.ok(`DELETE ${configMaps}/p3`);
    await api.ok(`PATCH ${configMaps}/p5`, { data: { a: 'b' } }, { type: types.merge });
    const second = await api.ok(`GET ${configMaps}?limit=1&continue=${token}`);
    expect([namesOf(second), metadataOf(second)['resourceVersion'], metadataOf(second)['remainingItemCount']]).toEqual([
      ['p3'],
      resourceVersion,
      1,
    ]);
    const third = await api.ok(`GET ${configMaps}?limit=5&continue=${metadataOf(second)['continue']}`);
    expect([namesOf(third), metadataOf(third)]).toEqual([['p5'], { resourceVersion }]);
    expect(itemsOf(third)[0]).not.toHaveProperty('data');
    const selected = await api.ok(`GET ${configMaps}?limit=1&labelSelector=!a`);
    expect(metadataOf(selected)).not.toHaveProperty('remainingItemCount');
    const versioned = await api.send(`GET ${configMaps}?continue=${token}&resourceVersion=5`);
    expect([versioned.code, versioned.body['message']]).toEqual([
      400,
      'specifying resource version is not allowed when using continue',
    ]);
    expect((await api.send(`GET ${configMaps}?continue=${token}&resourceVersion=0`)).code).toBe(200);
  });

  test('API-L6: a snapshot that is gone: 410 with a token that goes on at the latest revision', async () => {
    await using api = await withConfigMaps(...forms('p1', 'p2', 'p4'));
    const token = metadataOf(await api.ok(`GET ${configMaps}?limit=1`))['continue'];
    await api.ok(`POST ${configMaps}`, configMap('p3'));
    api.server.compact();
    const expired = await api.send(`GET ${configMaps}?limit=1&continue=${token}`);
    expect([expired.code, expired.body['reason']]).toEqual([410, 'Expired']);
    const fresh = metadataOf(expired.body)['continue'];
    expect(namesOf(await api.ok(`GET ${configMaps}?continue=${fresh}`))).toEqual(['p2', 'p3', 'p4']);
  });
});

describe('versions', () => {
  test('API-L7: unset and 0 are the latest; N is not older than N, or exact with a limit or when asked', async () => {
    await using api = await withConfigMaps(configMap('a'));
    const then = api.server.registry.usage().revision;
    await api.ok(`POST ${configMaps}`, configMap('b'));
    const rows: [string, string[]][] = [
      ['', ['a', 'b']],
      ['?resourceVersion=0', ['a', 'b']],
      [`?resourceVersion=${then}`, ['a', 'b']],
      [`?resourceVersion=${then}&resourceVersionMatch=NotOlderThan`, ['a', 'b']],
      [`?resourceVersion=${then}&resourceVersionMatch=NotOlderThan&limit=5`, ['a', 'b']],
      [`?resourceVersion=${then}&resourceVersionMatch=Exact`, ['a']],
      [`?resourceVersion=${then}&limit=5`, ['a']],
    ];
    for (const [query, names] of rows)
      expect([query, namesOf(await api.ok(`GET ${configMaps}${query}`))]).toEqual([query, names]);
    const exact = await api.ok(`GET ${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
    expect(metadataOf(exact)['resourceVersion']).toBe(String(then));
    const refused: [string, string][] = [
      ['?resourceVersionMatch=Exact', 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
      [
        '?resourceVersionMatch=Exact&resourceVersion=0',
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      ],
      [
        '?resourceVersionMatch=Exact&resourceVersion=5&continue=x',
        'resourceVersionMatch is forbidden when continue is provided',
      ],
      [
        '?resourceVersionMatch=Foo&resourceVersion=5',
        'Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
      ],
    ];
    for (const [query, message] of refused) {
      const { code, body } = await api.send(`GET ${configMaps}${query}`);
      expect([code, body['message']]).toEqual([
        422,
        expect.stringContaining(`ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: `),
      ]);
      expect(body['message']).toContain(message);
    }
    api.server.compact();
    const old = await api.send(`GET ${configMaps}?resourceVersion=${then}&resourceVersionMatch=Exact`);
    expect([old.code, old.body['reason'], old.body['message']]).toEqual([
      410,
      'Expired',
      'The resourceVersion for the provided list is too old.',
    ]);
  });

  test.each([
    ['list', `${configMaps}?resourceVersion=99999`],
    ['exact list', `${configMaps}?resourceVersion=99999&resourceVersionMatch=Exact`],
    ['get', `${configMaps}/a?resourceVersion=99999`],
  ])('API-L7, API-E13: a %s of a version that does not come waits 3 s, then 504', async (_, path) => {
    await using api = await withConfigMaps(configMap('a'));
    const reply = api.send(`GET ${path}`);
    let done = false;
    void reply.then(() => (done = true));
    await api.clock.advance(2999);
    expect(done).toBe(false);
    await api.clock.advance(1);
    expect(done).toBe(true);
    const current = api.server.registry.usage().revision;
    const { body, headers } = await reply;
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Timeout: Too large resource version: 99999, current: ${current}`,
      reason: 'Timeout',
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
    expect(headers['retry-after']).toBe('1');
    expect(api.clock.pending).toBe(0);
  });

  test('API-L8: a get of version N waits for it, and answers what is there then', async () => {
    await using api = await withConfigMaps(configMap('a'));
    const next = api.server.registry.usage().revision + 1;
    const reply = api.ok(`GET ${configMaps}/a?resourceVersion=${next}`);
    await api.clock.advance(1000);
    await api.ok(`PATCH ${configMaps}/a`, { data: { k: 'v' } }, { type: types.merge });
    expect((await reply)['data']).toEqual({ k: 'v' });
    expect((await api.ok(`GET ${configMaps}/a?resourceVersion=1`))['data']).toEqual({ k: 'v' });
    expect((await api.ok(`GET ${configMaps}/a?resourceVersion=0`))['data']).toEqual({ k: 'v' });
    expect(api.clock.pending).toBe(0);
  });
});
