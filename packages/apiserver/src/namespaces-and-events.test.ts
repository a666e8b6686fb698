import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { configMap, metadataOf, paths, ServerUnderTest, types } from './server-under-test.test-support.ts';

const { configMaps } = paths;
const merge = { type: types.merge };
const now = '2023-11-14T22:13:20Z';

describe('namespaces', () => {
  test('begin with label, finalizer and phase, and end in steps that /finalize completes', async () => {
    await using api = new ServerUnderTest();
    const created = await api.ok('POST /api/v1/namespaces', { metadata: { name: 't' } });
    expect(created).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 't' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const ending = await api.ok('DELETE /api/v1/namespaces/t');
    expect(ending).toMatchObject({ metadata: { deletionTimestamp: now }, status: { phase: 'Terminating' } });
    expect(await api.ok('DELETE /api/v1/namespaces/t')).toEqual(ending);
    await api.ok('PATCH /api/v1/namespaces/t', { spec: { finalizers: [] } }, merge);
    expect(await api.ok('GET /api/v1/namespaces/t')).toMatchObject({ spec: { finalizers: ['kubernetes'] } });
    const finalized = await api.ok('PUT /api/v1/namespaces/t/finalize', {
      metadata: { name: 't' },
      spec: { finalizers: [] },
    });
    expect(finalized).toMatchObject({ metadata: { name: 't' }, spec: {} });
    expect((await api.send('GET /api/v1/namespaces/t')).code).toBe(404);
    expect((await api.send('GET /api/v1/namespaces/t/finalize')).code).toBe(405);
  });

  test.each(['default', 'kube-system', 'kube-public'])('%s may not be deleted', async (name) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`DELETE /api/v1/namespaces/${name}`);
    expect([code, body['message']]).toEqual([
      403,
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    ]);
  });

  test('are emptied and removed by the controllers, contents with finalizers included', async () => {
    await using api = new ServerUnderTest({ controllers: { gc: true, workloads: false } });
    await api.ok('POST /api/v1/namespaces', { metadata: { name: 't' } });
    await api.ok('POST /api/v1/namespaces/t/configmaps', configMap('free'));
    await api.ok('POST /api/v1/namespaces/t/configmaps', configMap('held', { metadata: { finalizers: ['a/b'] } }));
    await api.ok('DELETE /api/v1/namespaces/t');
    await api.clock.settle();
    const left = await api.ok('GET /api/v1/namespaces/t/configmaps');
    expect((left['items'] as JsonObject[]).map((item) => metadataOf(item)['name'])).toEqual(['held']);
    await api.ok('PATCH /api/v1/namespaces/t/configmaps/held', { metadata: { finalizers: null } }, merge);
    await api.clock.advance(30_000);
    expect((await api.send('GET /api/v1/namespaces/t')).code).toBe(404);
  });

  test('a fresh server has the four of every cluster, and the Service of its API', async () => {
    await using api = new ServerUnderTest();
    const list = await api.ok('GET /api/v1/namespaces');
    expect((list['items'] as JsonObject[]).map((item) => metadataOf(item)['name'])).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(await api.ok('GET /api/v1/namespaces/default/services/kubernetes')).toMatchObject({
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443 }] },
    });
  });
});

describe('Events', () => {
  const core = '/api/v1/namespaces/default/events';
  const modern = '/apis/events.k8s.io/v1/namespaces/default/events';
  const reporter = {
    eventTime: '2020-01-01T00:00:00.123456Z',
    reportingController: 'rc',
    reportingInstance: 'ri',
    action: 'A',
    reason: 'R',
    type: 'Normal',
  };

  test('API-Z6: the two groups are two spellings of one store', async () => {
    await using api = new ServerUnderTest();
    const times = { first: '2020-01-01T00:00:00Z', last: '2020-01-01T00:00:01Z' };
    await api.ok(`POST ${core}`, {
      metadata: { name: 'e1' },
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'R',
      message: 'M',
      source: { component: 'c' },
      firstTimestamp: times.first,
      lastTimestamp: times.last,
      count: 3,
      type: 'Normal',
    });
    expect(await api.ok(`GET ${modern}/e1`)).toMatchObject({
      kind: 'Event',
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'R',
      note: 'M',
      type: 'Normal',
      deprecatedSource: { component: 'c' },
      deprecatedFirstTimestamp: times.first,
      deprecatedLastTimestamp: times.last,
      deprecatedCount: 3,
    });
    const series = { count: 2, lastObservedTime: '2020-01-01T00:00:00.123456Z' };
    const regarding = { kind: 'Pod', name: 'p', namespace: 'default' };
    await api.ok(`POST ${modern}`, { metadata: { name: 'e2' }, regarding, note: 'N', series, ...reporter });
    const { reportingController, ...rest } = reporter;
    expect(await api.ok(`GET ${core}/e2`)).toMatchObject({
      kind: 'Event',
      apiVersion: 'v1',
      involvedObject: regarding,
      message: 'N',
      series,
      ...rest,
      reportingComponent: reportingController,
    });
    const patched = await api.ok(`PATCH ${modern}/e2`, { series: { ...series, count: 3 } }, merge);
    const versions = [patched, await api.ok(`GET ${core}/e2`)].map((event) => metadataOf(event)['resourceVersion']);
    expect(versions[0]).toBe(versions[1]);
    await api.ok(`DELETE ${modern}/e1`);
    expect((await api.send(`GET ${core}/e1`)).code).toBe(404);
  });

  test('API-Z6: are about objects of their own namespace, or of none in default', async () => {
    await using api = new ServerUnderTest();
    const rows: [string, JsonObject, number][] = [
      ['default', { namespace: 'default' }, 201],
      ['default', { kind: 'Node' }, 201],
      ['default', { namespace: 'other' }, 422],
      ['kube-system', { kind: 'Node' }, 422],
      ['kube-system', { namespace: 'kube-system' }, 201],
    ];
    for (const [namespace, involvedObject, code] of rows) {
      const event = { metadata: { generateName: 'e-' }, involvedObject };
      const reply = await api.send(`POST /api/v1/namespaces/${namespace}/events`, event);
      expect([namespace, involvedObject, reply.code]).toEqual([namespace, involvedObject, code]);
      if (code === 422) expect(reply.body['message']).toContain('does not match event.namespace');
    }
  });

  test('API-Z6: of the new group need time, reporter, action, reason and type', async () => {
    await using api = new ServerUnderTest();
    for (const field of Object.keys(reporter)) {
      const event: JsonObject = { metadata: { generateName: 'e-' }, regarding: {}, ...reporter };
      delete event[field];
      const { code, body } = await api.send(`POST ${modern}`, event);
      expect([field, code, body['message']]).toEqual([field, 422, expect.stringContaining(`${field}: `)]);
    }
    expect((await api.send(`POST ${modern}`, { metadata: { name: 'e' }, regarding: {}, ...reporter })).code).toBe(201);
  });

  test('API-Z6: go after an hour without a change, and watchers see it', async () => {
    await using api = new ServerUnderTest();
    const involvedObject = { namespace: 'default' };
    await api.ok(`POST ${core}`, { metadata: { name: 'old' }, involvedObject });
    await api.ok(`POST ${core}`, { metadata: { name: 'touched' }, involvedObject });
    const watch = await api.watch(`${core}?watch=1&timeoutSeconds=10000`);
    await api.clock.advance(1_800_000);
    await api.ok(`PATCH ${core}/touched`, { count: 2 }, merge);
    await api.clock.advance(1_799_999);
    expect(watch.seen).toEqual(['ADDED old', 'ADDED touched', 'MODIFIED touched']);
    await api.clock.advance(1);
    expect(watch.seen.slice(3)).toEqual(['DELETED old']);
    await api.clock.advance(1_800_000);
    expect(watch.seen.slice(4)).toEqual(['DELETED touched']);
    expect((await api.ok(`GET ${configMaps}`))['items']).toEqual([]);
  });
});
