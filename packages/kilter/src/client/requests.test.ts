import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { hasCode } from '../errors/index.ts';
import {
  deleteBody,
  listRequest,
  readRequest,
  type RequestDefaults,
  type Write,
  watchRequest,
  writeRequest,
} from './requests.ts';
import { pathOf, type Target, targetOf } from './target.ts';

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

  test.each<[object, Record<string, string>]>([
    [{}, { limit: '500' }],
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
  ])('a watch with %j asks for bookmarks', (options, expected) => {
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
    ['a delete names no manager', { manager: 'me' }, { method: 'DELETE' }, {}],
    ['a whole number of seconds', { writeDeadline: 5000 }, {}, { timeout: '5s' }],
  ])('%s', (...[, defaults, some, expected]) => {
    expect(query(writeRequest(target, defaults, { ...put, ...some }))).toEqual(expected);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'every %s of a guarded client is guarded; a dry run changes nothing',
    (method) => {
      expect(writeRequest(target, { guarded: true }, { ...put, method }).guarded).toBe(true);
      expect(
        writeRequest(target, { guarded: true }, { ...put, method, options: { dryRun: true } }).guarded,
      ).toBeUndefined();
      expect(writeRequest(target, {}, { ...put, method }).guarded).toBeUndefined();
    },
  );

  test.each<[Parameters<typeof deleteBody>, object]>([
    [[{}, undefined], {}],
    [[{}, 'u1'], { preconditions: { uid: 'u1' } }],
    [
      [{ propagation: 'Foreground', gracePeriod: 0 }, undefined],
      { propagationPolicy: 'Foreground', gracePeriodSeconds: 0 },
    ],
    [[{ dryRun: true }, 'u1'], { preconditions: { uid: 'u1' }, dryRun: ['All'] }],
  ])('the body of a delete: %j', (given, expected) => {
    expect(JSON.parse(deleteBody(...given))).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', ...expected });
  });
});
