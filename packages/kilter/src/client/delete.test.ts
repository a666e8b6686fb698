import { describe, expect, test } from 'vitest';
import type { KubeObject, Ref } from '../api/index.ts';
import { hasCode, isConflict, isExpired, isMethodNotAllowed } from '../errors/index.ts';
import type { DeleteAllOptions } from './index.ts';
import { Namespace } from '../k8s/core/v1.ts';
import { type Answer, app, failure, Node, refused, stored, WebApp, world } from './scripted-client.test-support.ts';

const gone: Answer = { body: { kind: 'Status', apiVersion: 'v1', status: 'Success', details: { name: 'shop' } } };

describe('delete', () => {
  test('CL-9: an object carries its UID as a precondition', async () => {
    const { client, seen } = world([gone]);
    await client.delete(app(), { propagation: 'Foreground', gracePeriod: 5 });
    expect(seen[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u1' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 5,
    });
  });

  test('CL-9: an object without a UID is not deleted by its name', async () => {
    const { client, seen } = world([gone]);
    const error = await failure(client.delete(WebApp.build({ name: 'shop', spec: { image: 'x' } })));
    expect(hasCode(error, 'CLIENT_UID_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('where the decision rested on content, the version is a precondition too', async () => {
    const { client, seen } = world([refused(409, 'Conflict')]);
    const error = await failure(client.delete(app(), { preconditions: { resourceVersion: '7' } }));
    expect(isConflict(error)).toBe(true);
    await failure(client.delete(WebApp, 'shop', { preconditions: { uid: 'u2' } }));
    expect(seen.map(({ body }) => (body as { preconditions: unknown }).preconditions)).toEqual([
      { uid: 'u1', resourceVersion: '7' },
      { uid: 'u2' },
    ]);
  });

  test('by kind and name it is whatever has that name', async () => {
    const { client, seen } = world([gone]);
    await client.delete(WebApp, { namespace: 'x', name: 'shop' }, { propagation: 'Orphan' });
    await client.delete(Node, 'n1');
    expect(seen.map(({ path, body }) => [path, body])).toEqual([
      [
        '/apis/example.com/v1/namespaces/x/webapps/shop',
        { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
      ],
      ['/api/v1/nodes/n1', { apiVersion: 'v1', kind: 'DeleteOptions' }],
    ]);
  });

  test.each<[string, unknown]>([
    ['an empty name', ''],
    ['no reference', undefined],
    ['a namespace alone', { namespace: 'x' }],
  ])('%s is never the whole collection', async (_, ref) => {
    const { client, seen } = world([gone]);
    expect(hasCode(await failure(client.delete(WebApp, ref as Ref)), 'CLIENT_NAME_INVALID')).toBe(true);
    const nameless = { ...app(), metadata: { uid: 'u1', namespace: 'x' } } as unknown as WebApp;
    expect(hasCode(await failure(client.delete(nameless)), 'CLIENT_NAME_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });

  const deleting = (more: object): KubeObject => ({
    ...stored,
    metadata: { ...stored.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', ...more },
  });
  test.each<[string, Answer, KubeObject | undefined]>([
    ['gone', gone, undefined],
    ['gone, with the object it was', { body: stored }, undefined],
    [
      'gone, with the object it was in its last moment',
      { body: deleting({ deletionGracePeriodSeconds: 0 }) },
      undefined,
    ],
    ['kept by finalizers', { body: deleting({ finalizers: ['x/y'] }) }, deleting({ finalizers: ['x/y'] })],
    [
      'kept until its time is over',
      { body: deleting({ deletionGracePeriodSeconds: 30 }) },
      deleting({ deletionGracePeriodSeconds: 30 }),
    ],
  ])('what is %s', async (...[, answer, expected]) => {
    const { client } = world([answer]);
    expect(await client.delete(app())).toEqual(expected);
    expect(await client.delete(WebApp, 'shop')).toEqual(expected);
  });

  test('a Namespace is kept by the finalizers of its spec until it is empty', async () => {
    const metadata = { ...stored.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const terminating = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: ['kubernetes'] } };
    const kept = world([{ body: terminating }]);
    expect(await kept.client.delete(Namespace, 'shop')).toEqual(terminating);
    const last = world([{ body: { ...terminating, spec: {} } }]);
    expect(await last.client.delete(Namespace, 'shop')).toBeUndefined();
    // Of any other kind it is a field like others.
    const other = world([{ body: { ...stored, metadata, spec: { finalizers: ['x'] } } }]);
    expect(await other.client.delete(WebApp, 'shop')).toBeUndefined();
  });
});

const partial = (name: string, namespace?: string): object => ({
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
});
const page = (items: readonly object[], token?: string): Answer => ({
  body: { kind: 'PartialObjectMetadataList', metadata: { ...(token !== undefined && { continue: token }) }, items },
});

describe('deleteAll', () => {
  test('deletes what is selected, in one namespace, page by page, and says what it was', async () => {
    const { client, seen } = world([page([partial('a', 'x')], 't1'), page([partial('b', 'x')])]);
    const options = { namespace: 'x', labels: { app: 'db' }, propagation: 'Orphan', gracePeriod: 0 } as const;
    const names = { apiVersion: 'example.com/v1', kind: 'WebApp' };
    expect(await client.deleteAll(WebApp, options)).toEqual([
      { ...names, metadata: { name: 'a', namespace: 'x' } },
      { ...names, metadata: { name: 'b', namespace: 'x' } },
    ]);
    expect(seen.map(({ method, path, query }) => [method, path, query])).toEqual([
      ['DELETE', '/apis/example.com/v1/namespaces/x/webapps', { limit: '500', labelSelector: 'app=db' }],
      [
        'DELETE',
        '/apis/example.com/v1/namespaces/x/webapps',
        { limit: '500', labelSelector: 'app=db', continue: 't1' },
      ],
    ]);
    expect(seen[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 0,
    });
  });

  test.each<[string, DeleteAllOptions]>([
    ['nothing', {}],
    ['not even nothing', undefined as unknown as DeleteAllOptions],
    ['a namespace that is missing', { namespace: undefined }],
    ['labels alone', { labels: { app: 'db' } }],
    ['not all namespaces', { allNamespaces: false }],
  ])('%s does not say where, and deletes nothing', async (_, options) => {
    const { client, seen } = world([page([])]);
    expect(hasCode(await failure(client.deleteAll(WebApp, options)), 'CLIENT_SCOPE_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });

  test.each<[string, DeleteAllOptions]>([
    ['no labels', { namespace: 'x', labels: {} }],
    ['empty labels', { namespace: 'x', labels: ' ' }],
    ['labels that are missing', { namespace: 'x', labels: undefined }],
    ['no fields', { namespace: 'x', fields: {} }],
    ['both scopes', { namespace: 'x', allNamespaces: true }],
  ])('%s may be a mistake, and deletes nothing', async (_, options) => {
    const { client, seen } = world([page([])]);
    expect(hasCode(await failure(client.deleteAll(WebApp, options)), 'CLIENT_OPTION_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('an empty namespace is none', async () => {
    const { client, seen } = world([page([])]);
    expect(hasCode(await failure(client.deleteAll(WebApp, { namespace: '' })), 'CLIENT_NAME_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('in all namespaces: in each that has some, because the server deletes in one only', async () => {
    const { client, seen } = world(({ method, path }) => {
      if (method === 'GET') return page([partial('a', 'x'), partial('b', 'y'), partial('c', 'x')]);
      return path.includes('/x/') ? page([partial('a', 'x'), partial('c', 'x')]) : page([partial('b', 'y')]);
    });
    const deleted = await client.deleteAll(WebApp, { allNamespaces: true, labels: { app: 'db' } });
    expect(deleted.map(({ metadata }) => metadata.name)).toEqual(['a', 'c', 'b']);
    expect(seen.map(({ method, path, query }) => [method, path, query.labelSelector])).toEqual([
      ['GET', '/apis/example.com/v1/webapps', 'app=db'],
      ['DELETE', '/apis/example.com/v1/namespaces/x/webapps', 'app=db'],
      ['DELETE', '/apis/example.com/v1/namespaces/y/webapps', 'app=db'],
    ]);
  });

  test('CL-18: a selector that is misspelled is refused: without it everything would go', async () => {
    const { client, seen } = world([page([])]);
    const options = { namespace: 'shop', label: { app: 'db' } };
    const error = await failure(client.deleteAll(WebApp, options));
    expect(hasCode(error, 'CLIENT_OPTION_INVALID')).toBe(true);
    expect(String(error)).toContain("deleteAll has no option 'label'; it has namespace, allNamespaces, labels");
    expect(seen).toEqual([]);
  });

  test('a kind without namespaces needs a selection, or the word that all are meant', async () => {
    const { client, seen } = world([page([partial('n1')])]);
    expect(hasCode(await failure(client.deleteAll(Node, {})), 'CLIENT_SCOPE_MISSING')).toBe(true);
    expect(seen).toEqual([]);
    await client.deleteAll(Node, { labels: { pool: 'a' } });
    await client.deleteAll(Node, { allNamespaces: true });
    expect(seen.map(({ path }) => path)).toEqual(['/api/v1/nodes', '/api/v1/nodes']);
  });

  test('CL-7: it can be a dry run, in query and body', async () => {
    const { client, seen } = world([page([])]);
    await client.deleteAll(WebApp, { namespace: 'x', dryRun: true });
    expect(seen[0]).toMatchObject({ query: { dryRun: 'All' }, body: { dryRun: ['All'] } });
  });

  test('an expired token begins again, and not for ever', async () => {
    const once = world([page([partial('a')], 't1'), refused(410, 'Expired'), page([partial('b')])]);
    const deleted = await once.client.deleteAll(WebApp, { namespace: 'x' });
    expect(deleted.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(once.seen.map(({ query }) => query.continue)).toEqual([undefined, 't1', undefined]);
    const kept = world([page([partial('a')], 't1'), refused(410, 'Expired'), page([partial('a'), partial('b')])]);
    expect(await kept.client.deleteAll(WebApp, { namespace: 'x' })).toHaveLength(2);
    const always = world([refused(410, 'Expired')]);
    expect(isExpired(await failure(always.client.deleteAll(WebApp, { namespace: 'x' })))).toBe(true);
    expect(always.seen).toHaveLength(4);
  });

  test('a kind that cannot be deleted so is refused by the server', async () => {
    const { client } = world([refused(405, 'MethodNotAllowed')]);
    expect(isMethodNotAllowed(await failure(client.deleteAll(WebApp, { namespace: 'x' })))).toBe(true);
  });
});
