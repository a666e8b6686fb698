import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { hasCode } from '../errors/index.ts';
import { listRequest, readRequest, type RequestDefaults, watchRequest } from './read-requests.ts';
import { pathOf, type Target, targetOf } from './target.ts';
import { deletePageRequest, deleteRequest, deletion, type Write, writeRequest } from './write-requests.ts';

const { names: pods } = kind<KubeObject>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});
const { names: nodes } = kind<KubeObject>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
});
const { names: roles } = kind<KubeObject>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
});
const { names: apps } = kind<KubeObject>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('paths', () => {
  test.each<[Target, string]>([
    [{ kind: pods }, '/api/v1/pods'],
    [{ kind: pods, namespace: 'shop' }, '/api/v1/namespaces/shop/pods'],
    [{ kind: pods, namespace: 'shop', name: 'a' }, '/api/v1/namespaces/shop/pods/a'],
    [{ kind: nodes, name: 'n1', subresource: 'status' }, '/api/v1/nodes/n1/status'],
    [{ kind: apps, namespace: 'x', name: 'y', subresource: 'scale' }, '/apis/apps/v1/namespaces/x/deployments/y/scale'],
    [{ kind: roles, name: 'system:node' }, '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'],
  ])('%j', (target, expected) => {
    expect(pathOf(target)).toBe(expected);
  });

  test.each(['', '.', '..', 'a/b', '../../secrets', 'a%2fb', '\ud800'])('the name %j reaches no other path', (name) => {
    expect(
      hasCode(
        caught(() => pathOf({ kind: pods, namespace: 'x', name })),
        'CLIENT_NAME_INVALID',
      ),
    ).toBe(true);
    expect(
      hasCode(
        caught(() => pathOf({ kind: pods, namespace: name, name: 'a' })),
        'CLIENT_NAME_INVALID',
      ),
    ).toBe(true);
    expect(
      hasCode(
        caught(() => pathOf({ kind: nodes, name: 'a', subresource: name })),
        'CLIENT_NAME_INVALID',
      ),
    ).toBe(true);
  });

  test.each(['Shop', 'a_b', 'a.b', '-a', 'a'.repeat(64), 'kube system'])('%j is not a namespace', (namespace) => {
    expect(
      hasCode(
        caught(() => pathOf({ kind: pods, namespace, name: 'a' })),
        'CLIENT_NAME_INVALID',
      ),
    ).toBe(true);
  });

  test('a name that holds a query is a name', () => {
    expect(pathOf({ kind: nodes, name: 'a?b#c d' })).toBe('/api/v1/nodes/a%3Fb%23c%20d');
  });
});

describe('references', () => {
  test('a name alone, or without a namespace, is in the default namespace', () => {
    expect(targetOf(pods, 'a', 'mine')).toMatchObject({ name: 'a', namespace: 'mine' });
    expect(targetOf(pods, { name: 'a' }, 'mine')).toMatchObject({ name: 'a', namespace: 'mine' });
    expect(targetOf(pods, { name: 'a', namespace: 'b' }, 'mine')).toMatchObject({ name: 'a', namespace: 'b' });
  });

  test.each([undefined, null, {}, { namespace: 'x' }, { name: 7 }])(
    '%j is not a reference, and never all objects',
    (ref) => {
      expect(
        hasCode(
          caught(() => targetOf(pods, ref as unknown as string, 'mine')),
          'CLIENT_NAME_INVALID',
        ),
      ).toBe(true);
    },
  );

  test('a kind without namespaces has none, whatever is given', () => {
    expect(targetOf(nodes, { name: 'a', namespace: 'b' }, 'mine').namespace).toBeUndefined();
  });

  test('no namespace anywhere is a coded error, not a request for all', () => {
    expect(
      hasCode(
        caught(() => targetOf(pods, 'a', '')),
        'CLIENT_NAMESPACE_MISSING',
      ),
    ).toBe(true);
    expect(
      hasCode(
        caught(() => targetOf(pods, { name: 'a', namespace: '' }, 'mine')),
        'CLIENT_NAMESPACE_MISSING',
      ),
    ).toBe(true);
  });
});

const query = ({ query: parameters }: { query?: URLSearchParams | undefined }): Record<string, string> =>
  Object.fromEntries(parameters ?? []);

describe('reads', () => {
  const target = { kind: pods, namespace: 'shop' };

  test('a get', () => {
    expect(readRequest({ ...target, name: 'a' }, { session: 'lease', deadline: 5000 }, {})).toEqual({
      method: 'GET',
      path: '/api/v1/namespaces/shop/pods/a',
      session: 'lease',
      deadline: 5000,
    });
  });

  test('a get of some version, of metadata alone, or of a part', () => {
    const request = readRequest(
      { ...target, name: 'a', subresource: 'status' },
      {},
      { resourceVersion: '0', metadataOnly: true },
    );
    expect(query(request)).toEqual({ resourceVersion: '0' });
    expect(request).toMatchObject({
      path: '/api/v1/namespaces/shop/pods/a/status',
      accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    });
  });

  test('a list of some version says so on its first page; the token holds it for the others', () => {
    const from = { resourceVersion: '7', resourceVersionMatch: 'Exact' } as const;
    expect(query(listRequest(target, {}, from))).toEqual({ limit: '500', ...from });
    expect(query(listRequest(target, {}, { ...from, continue: 'tok' }))).toEqual({ limit: '500', continue: 'tok' });
  });

  test.each<[object, Record<string, string>]>([
    [{}, { limit: '500' }],
    [{ limit: 3 }, { limit: '3' }],
    [{ limit: 3, pageSize: 2 }, { limit: '2' }],
    [
      { pageSize: 2, continue: 'tok' },
      { limit: '2', continue: 'tok' },
    ],
    [{ labels: { app: 'db', tier: ['a', 'b'] } }, { limit: '500', labelSelector: 'app=db,tier in (a,b)' }],
    [{ fields: { 'spec.nodeName': 'n1' } }, { limit: '500', fieldSelector: 'spec.nodeName=n1' }],
    [
      { labels: 'app!=db', fields: 'metadata.name=x' },
      { limit: '500', labelSelector: 'app!=db', fieldSelector: 'metadata.name=x' },
    ],
  ])('a list with %j leaves the resource version unset', (options, expected) => {
    expect(query(listRequest(target, {}, options))).toEqual(expected);
  });

  test.each<[object, Record<string, string>]>([
    [{}, {}],
    [
      { resourceVersion: '7', timeoutSeconds: 300 },
      { resourceVersion: '7', timeoutSeconds: '300' },
    ],
    [{ sendInitialEvents: true }, { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }],
    [{ labels: { app: 'db' } }, { labelSelector: 'app=db' }],
  ])('RF-18: a watch with %j asks for bookmarks', (options, expected) => {
    expect(query(watchRequest(target, {}, options))).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      ...expected,
    });
  });

  test('a watch uses the session of watches, whatever the client uses', () => {
    expect(watchRequest(target, { session: 'lease' }, {}).session).toBe('watch');
  });

  test('metadata alone is asked for in the form the server offers', () => {
    expect(listRequest(target, {}, { metadataOnly: true }).accept).toBe(
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    );
    expect(watchRequest(target, {}, { metadataOnly: true }).accept).toBe(
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    );
    expect(listRequest(target, {}, {}).accept).toBeUndefined();
  });
});

describe('writes', () => {
  const target = { kind: pods, namespace: 'shop', name: 'a' };
  const put: Write = { method: 'PUT', body: '{}', options: {} };

  test('a write in full', () => {
    const { signal } = new AbortController();
    const defaults: RequestDefaults = { manager: 'me', guarded: true, session: 'lease', writeDeadline: 2500 };
    const request = writeRequest(target, defaults, { ...put, options: { signal } });
    expect(query(request)).toEqual({ fieldManager: 'me', timeout: '2.5s' });
    expect({ ...request, query: undefined }).toEqual({
      method: 'PUT',
      path: '/api/v1/namespaces/shop/pods/a',
      query: undefined,
      contentType: 'application/json',
      body: '{}',
      session: 'lease',
      signal,
      deadline: 2500,
      guarded: true,
    });
  });

  test.each<[string, RequestDefaults, Partial<Write>, Record<string, string>]>([
    ['no manager of its own', {}, {}, {}],
    ['the manager of the call wins', { manager: 'me' }, { options: { manager: 'you' } }, { fieldManager: 'you' }],
    ['a dry run', {}, { options: { dryRun: true } }, { dryRun: 'All' }],
    ['force', {}, { force: true }, { force: 'true' }],
    ['no force', {}, { force: false }, {}],
    ['a manager of applies does not sign other writes', { applyManager: 'me' }, {}, {}],
    ['strict validation', {}, { options: { fieldValidation: 'Strict' } }, { fieldValidation: 'Strict' }],
    ['validation of the client', { fieldValidation: 'Warn' }, {}, { fieldValidation: 'Warn' }],
    [
      'validation of the call wins',
      { fieldValidation: 'Warn' },
      { options: { fieldValidation: 'Ignore' } },
      { fieldValidation: 'Ignore' },
    ],
    ['a client for dry runs', { dryRun: true }, {}, { dryRun: 'All' }],
    ['which no call can undo', { dryRun: true }, { options: { dryRun: false } }, { dryRun: 'All' }],
    ['a whole number of seconds', { writeDeadline: 5000 }, {}, { timeout: '5s' }],
  ])('%s', (...[, defaults, some, expected]) => {
    expect(query(writeRequest(target, defaults, { ...put, ...some }))).toEqual(expected);
  });

  test.each(['POST', 'PUT', 'PATCH'] as const)(
    'WG-6: every %s of a guarded client is guarded; a dry run, which changes nothing, is not',
    (method) => {
      expect(writeRequest(target, { guarded: true }, { ...put, method }).guarded).toBe(true);
      expect(
        writeRequest(target, { guarded: true }, { ...put, method, options: { dryRun: true } }).guarded,
      ).toBeUndefined();
      expect(writeRequest(target, {}, { ...put, method }).guarded).toBeUndefined();
    },
  );

  test('deletes of a guarded client are guarded; a dry run changes nothing', () => {
    for (const build of [
      (dryRun: boolean) => deleteRequest(target, { guarded: true }, { dryRun }),
      (dryRun: boolean) => deletePageRequest({ kind: pods }, { guarded: true }, { dryRun, continue: undefined }),
    ]) {
      expect([build(false).guarded, build(true).guarded]).toEqual([true, undefined]);
    }
  });

  test('a delete names no manager, and says everything in its body', () => {
    const request = deleteRequest(target, { manager: 'me', writeDeadline: 5000 }, { dryRun: true, gracePeriod: 3 });
    expect(query(request)).toEqual({ dryRun: 'All', timeout: '5s' });
    expect(JSON.parse(request.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 3,
      dryRun: ['All'],
    });
  });

  test.each<[Parameters<typeof deletion>, object]>([
    [[{}, {}], {}],
    [[{}, { preconditions: { uid: 'u1' } }], { preconditions: { uid: 'u1' } }],
    [
      [{}, { preconditions: { uid: 'u1', resourceVersion: '7' } }],
      { preconditions: { uid: 'u1', resourceVersion: '7' } },
    ],
    [[{}, { preconditions: {} }], {}],
    [[{}, { propagation: 'Foreground', gracePeriod: 0 }], { propagationPolicy: 'Foreground', gracePeriodSeconds: 0 }],
    [[{}, { dryRun: true }], { dryRun: ['All'] }],
    [[{ dryRun: true }, { dryRun: false }], { dryRun: ['All'] }],
  ])('how to delete: %j', (given, expected) => {
    expect(deletion(...given)).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', ...expected });
  });

  test('a collection is deleted in pages, and answers with metadata alone', () => {
    const request = deletePageRequest({ kind: pods, namespace: 'shop' }, {}, { labels: { a: 'b' }, continue: 'tok' });
    expect(query(request)).toEqual({ limit: '500', continue: 'tok', labelSelector: 'a=b' });
    expect(request).toMatchObject({
      method: 'DELETE',
      path: '/api/v1/namespaces/shop/pods',
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    });
  });
});

describe('options that cannot be meant', () => {
  const target = { kind: pods, namespace: 'shop', name: 'a' };
  const rows: [string, () => unknown][] = [
    ['half a page', () => listRequest(target, {}, { pageSize: 0.5 })],
    ['no page', () => listRequest(target, {}, { pageSize: 0 })],
    ['no object', () => listRequest(target, {}, { limit: 0 })],
    ['a watch of no time', () => watchRequest(target, {}, { timeoutSeconds: 0 })],
    ['a negative grace', () => deleteRequest(target, {}, { gracePeriod: -1 })],
    ['no grace at all', () => deleteRequest(target, {}, { gracePeriod: Number.NaN })],
    ['a label that is two', () => listRequest(target, {}, { labels: { app: 'db,tier=a' } })],
    ['a label that is a set', () => listRequest(target, {}, { labels: { 'app in (a),b': 'c' } })],
    ['a label that has an operator', () => listRequest(target, {}, { labels: { 'app!': 'db' } })],
    ['no value at all', () => listRequest(target, {}, { labels: { app: [] } })],
    ['a value that is two', () => listRequest(target, {}, { labels: { app: ['a,b'] } })],
    ['a value that is missing', () => listRequest(target, {}, { labels: { app: undefined as unknown as string } })],
    ['a field that is two', () => listRequest(target, {}, { fields: { 'a=b,c': 'd' } })],
    ['a field without a value', () => listRequest(target, {}, { fields: { a: undefined as unknown as string } })],
  ];
  test.each(rows)('%s', (_, build) => {
    expect(hasCode(caught(build), 'CLIENT_OPTION_INVALID')).toBe(true);
  });

  test('a selector in words is the server’s to judge', () => {
    expect(query(listRequest(target, {}, { labels: 'app in (a,b),!c' })).labelSelector).toBe('app in (a,b),!c');
  });
});
