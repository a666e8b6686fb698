import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { type Snapshot, SnapshotRefused } from './registry/index.ts';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  webAppDefinition,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, definitions, deployments } = paths;

const namesIn = async (api: ServerUnderTest, path: string): Promise<string[]> => {
  const list = await api.ok(`GET ${path}`);
  return (list['items'] as JsonObject[]).map((item) => metadataOf(item).name);
};

const service = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }] },
});

describe('API-H4: snapshot and restore', () => {
  test('take contents and the revision back: what came later is gone, what went is there again', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('kept', { data: { a: '1' } }));
    await api.ok(`POST ${configMaps}`, configMap('lost'));
    const before = await api.ok(`GET ${configMaps}`);
    const snapshot = api.server.snapshot();
    await api.ok(`PUT ${configMaps}/kept`, configMap('kept', { data: { a: '2' } }));
    await api.ok(`DELETE ${configMaps}/lost`);
    await api.ok(`POST ${configMaps}`, configMap('late'));
    api.server.restore(snapshot);
    expect(await api.ok(`GET ${configMaps}`)).toEqual(before);
    expect(metadataOf(await api.ok(`GET ${configMaps}`)).resourceVersion).toBe(String(snapshot.revision));
    const next = await api.ok(`POST ${configMaps}`, configMap('next'));
    expect(metadataOf(next).resourceVersion).toBe(String(snapshot.revision + 1));
  });

  test('serve the custom resources of the snapshot, and no others', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('one', { spec: { image: 'a' } }));
    const withThem = api.server.snapshot();
    await api.ok(`DELETE ${definitions}/webapps.example.com`);
    expect((await api.send(`GET ${webApps}`)).code).toBe(404);
    const without = api.server.snapshot();
    api.server.restore(withThem);
    expect(await namesIn(api, webApps)).toEqual(['one']);
    expect((await api.ok(`GET ${webApps}/one`))['spec']).toEqual({ image: 'a', replicas: 1 });
    expect((await api.send(`POST ${webApps}`, webApp('two', { spec: { replicas: 11 } }))).code).toBe(422);
    api.server.restore(without);
    expect((await api.send(`GET ${webApps}`)).code).toBe(404);
  });

  test('a definition whose deletion was under way goes on to its end', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('held', { metadata: { finalizers: ['example.com/hold'] } }));
    await api.ok(`DELETE ${definitions}/webapps.example.com`);
    const snapshot = api.server.snapshot();
    await using later = new ServerUnderTest({ snapshot });
    expect((await later.send(`POST ${webApps}`, webApp('new'))).code).toBe(403);
    await later.ok(`PATCH ${webApps}/held`, { metadata: { finalizers: null } }, { type: types.merge });
    expect((await later.send(`GET ${definitions}/webapps.example.com`)).code).toBe(404);
  });

  test('survive a file: another server starts from it, with exact integers and addresses that are still free', async () => {
    await using api = new ServerUnderTest();
    const open = { 'x-kubernetes-preserve-unknown-fields': true, type: 'object' };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: open } };
    await api.ok(`POST ${definitions}`, webAppDefinition({ versions: [version] }));
    const big = '{"apiVersion":"example.com/v1","kind":"WebApp","metadata":{"name":"big"},"n":9007199254740993}';
    await api.ok(`POST ${webApps}`, big);
    await api.ok('POST /api/v1/namespaces/default/services', service('one'));
    const file = JSON.stringify(api.server.snapshot());
    await using later = new ServerUnderTest({ snapshot: JSON.parse(file) as Snapshot });
    expect((await later.send(`GET ${webApps}/big`)).text).toContain('"n":9007199254740993');
    await later.ok('POST /api/v1/namespaces/default/services', service('two'));
    const services = await later.ok('GET /api/v1/services');
    const addresses = (services['items'] as JsonObject[]).map((one) => (one['spec'] as JsonObject)['clusterIP']);
    expect(new Set(addresses).size).toBe(3);
  });

  test('end all watches; a version the store no longer knows is 410, one it has not reached yet is silent', async () => {
    await using api = new ServerUnderTest();
    const old = metadataOf(await api.ok(`POST ${configMaps}`, configMap('a'))).resourceVersion;
    await api.ok(`POST ${configMaps}`, configMap('b'));
    const snapshot = api.server.snapshot();
    const later = metadataOf(await api.ok(`POST ${configMaps}`, configMap('c'))).resourceVersion;
    const open = await api.watch(`${configMaps}?watch=1&resourceVersion=${later}`);
    api.server.restore(snapshot);
    await api.clock.settle();
    expect(open.done).toBe(true);
    const tooOld = await api.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    expect(tooOld.seen[0]).toContain('too old resource version');
    const early = await api.watch(`${configMaps}?watch=1&resourceVersion=${later}`);
    await api.ok(`POST ${configMaps}`, configMap('d'));
    await api.clock.settle();
    expect(early.seen).toEqual([]);
    await api.ok(`POST ${configMaps}`, configMap('e'));
    await api.clock.settle();
    expect(early.seen).toEqual(['ADDED e']);
  });

  test('controllers go on with what there is: pods of the restored ReplicaSet, none of the forgotten one', async () => {
    await using api = new ServerUnderTest({ controllers: {} });
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'x' } }, template };
    await api.ok(`POST ${deployments}`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec });
    const snapshot = api.server.snapshot();
    await api.server.idle();
    expect(await namesIn(api, paths.pods)).toHaveLength(2);
    api.server.restore(snapshot);
    expect(await namesIn(api, paths.pods)).toHaveLength(0);
    await api.server.idle();
    expect(await namesIn(api, paths.pods)).toHaveLength(2);
  });

  test('Events of a snapshot go after their hour', async () => {
    await using api = new ServerUnderTest();
    const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'a' };
    const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject };
    await api.ok('POST /api/v1/namespaces/default/events', event);
    await using later = new ServerUnderTest({ snapshot: api.server.snapshot() });
    await later.clock.advance(3_599_000);
    expect(await namesIn(later, '/api/v1/events')).toEqual(['e']);
    await later.clock.advance(2000);
    expect(await namesIn(later, '/api/v1/events')).toEqual([]);
  });
});

describe('API-H4: what is not a snapshot is refused, and nothing changes', () => {
  const row = { bucket: '/configmaps', key: 'default/x', revision: 1, text: '{"metadata":{}}' };
  const whole = { form: 'kilter-apiserver/1', revision: 9, allocations: 0, objects: [row] };
  const cases: readonly [string, unknown, string][] = [
    ['nothing', null, 'does not have the form kilter-apiserver/1'],
    ['another form', { ...whole, form: 'kilter-apiserver/2' }, 'does not have the form'],
    ['no revision', { ...whole, revision: '9' }, 'revision that is not a whole number'],
    ['no allocations', { ...whole, allocations: -1 }, 'number of allocations'],
    ['objects that are not a list', { ...whole, objects: {} }, 'objects that are not a list'],
    ['an object of nothing', { ...whole, objects: [null] }, 'objects[0] needs bucket, key and text'],
    ['a later object', { ...whole, objects: [{ ...row, revision: 10 }] }, 'a revision that is not in 0 to 9'],
    ['a text cut off', { ...whole, objects: [{ ...row, text: '{"meta' }] }, 'a text that is not JSON'],
    ['a text that is a list', { ...whole, objects: [{ ...row, text: '[]' }] }, 'a text that is not an object'],
    ['an unknown kind', { ...whole, objects: [{ ...row, bucket: 'x.io/ys' }] }, 'holds objects of x.io/ys'],
    ['an object twice', { ...whole, objects: [row, row] }, 'holds /configmaps default/x twice'],
  ];

  test.each(cases)('%s', async (_, given, problem) => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const watch = await api.watch(`${configMaps}?watch=1`);
    expect(() => api.server.restore(given as Snapshot)).toThrow(SnapshotRefused);
    expect(() => api.server.restore(given as Snapshot)).toThrow(problem);
    expect(await namesIn(api, configMaps)).toEqual(['a']);
    expect(watch.done).toBe(false);
  });
});
