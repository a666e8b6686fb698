import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  webAppDefinition,
  webAppVersion,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, definitions, deployments } = paths;
const merge = { type: types.merge };
const versionOf = (object: JsonObject): string => metadataOf(object).resourceVersion;
const generationOf = (object: JsonObject): unknown => metadataOf(object)['generation'];

const deployment = (name: string): JsonObject => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('generation', () => {
  test('API-C6: of a custom resource grows with changes outside metadata, never with its status, and with a delete', async () => {
    await using api = await withWebApps();
    const patch = async (body: JsonObject, subresource = ''): Promise<unknown> =>
      generationOf(await api.ok(`PATCH ${webApps}/a${subresource}`, body, merge));
    expect(generationOf(await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } })))).toBe(1);
    expect(await patch({ spec: { image: 'j' } })).toBe(2);
    expect(await patch({ metadata: { labels: { a: 'b' }, finalizers: ['a/b'] } })).toBe(2);
    expect(await patch({ status: { replicas: 1 } }, '/status')).toBe(2);
    expect(await patch({ spec: { image: 'j' } })).toBe(2);
    expect(generationOf(await api.ok(`DELETE ${webApps}/a`))).toBe(3);
  });

  test('API-C6: without the status subresource, status is a field like any other', async () => {
    await using api = new ServerUnderTest();
    const { subresources: _, ...version } = webAppVersion;
    await api.ok(`POST ${definitions}`, webAppDefinition({ versions: [version] }));
    const created = await api.ok(`POST ${webApps}`, webApp('a', { status: { replicas: 1 } }));
    expect([created['status'], generationOf(created)]).toEqual([{ replicas: 1 }, 1]);
    const patched = await api.ok(`PATCH ${webApps}/a`, { status: { replicas: 2 } }, merge);
    expect([patched['status'], generationOf(patched)]).toEqual([{ replicas: 2 }, 2]);
  });

  test('API-C6: built-in kinds keep one or not, each by its strategy', async () => {
    await using api = new ServerUnderTest();
    expect(generationOf(await api.ok(`POST ${deployments}`, deployment('d')))).toBe(1);
    const scaled = await api.ok(`PATCH ${deployments}/d`, { spec: { replicas: 3 } }, merge);
    const labelled = await api.ok(`PATCH ${deployments}/d`, { metadata: { labels: { x: 'y' } } }, merge);
    const status = await api.ok(`PATCH ${deployments}/d/status`, { status: { replicas: 3 } }, merge);
    expect([scaled, labelled, status].map(generationOf)).toEqual([2, 2, 2]);
    await api.ok(`POST ${configMaps}`, configMap('c'));
    expect(generationOf(await api.ok(`PATCH ${configMaps}/c`, { data: { a: 'b' } }, merge))).toBeUndefined();
  });
});

describe('PUT', () => {
  test('API-C8: another name, a stale version and another uid are refused; old times and generation stay', async () => {
    await using api = await withWebApps();
    const first = await api.ok(`POST ${configMaps}`, configMap('x'));
    const uid = metadataOf(first)['uid'] as string;
    const renamed = await api.send(`PUT ${configMaps}/x`, configMap('y'));
    expect([renamed.code, renamed.body['message']]).toEqual([
      400,
      'the name of the object (y) does not match the name on the URL (x)',
    ]);
    const second = await api.ok(`PUT ${configMaps}/x`, configMap('x', { data: { a: 'b' } }));
    const stale = await api.send(`PUT ${configMaps}/x`, first);
    expect([stale.code, stale.body['reason'], stale.body['message']]).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "x": the object has been modified; please apply your changes to the latest version and try again',
    ]);
    const other = await api.send(`PUT ${configMaps}/x`, configMap('x', { metadata: { uid: 'other' } }));
    expect([other.code, other.body['message']]).toEqual([
      409,
      expect.stringContaining(`Precondition failed: UID in precondition: other, UID in object meta: ${uid}`),
    ]);
    await api.clock.advance(5000);
    const marked = await api.send(
      `PUT ${configMaps}/x`,
      configMap('x', { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }),
    );
    expect([marked.code, marked.body['message']]).toEqual([
      422,
      'ConfigMap "x" is invalid: metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
    ]);
    const claims = { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9 };
    const third = metadataOf(
      await api.ok(`PUT ${configMaps}/x`, configMap('x', { metadata: claims, data: { a: 'c' } })),
    );
    expect(third).toMatchObject({ uid, creationTimestamp: metadataOf(second)['creationTimestamp'] });
    expect(third).not.toHaveProperty('deletionTimestamp');
    expect(third).not.toHaveProperty('generation');
  });

  test('API-C8: without a version: free for most built-in kinds, refused for custom resources, definitions, Leases', async () => {
    await using api = await withWebApps();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await api.ok(`POST ${webApps}`, webApp('x'));
    await api.ok(`POST ${leases}`, { metadata: { name: 'x' } });
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
    await api.ok(`POST ${budgets}`, { metadata: { name: 'x' }, spec: { minAvailable: 1 } });
    const rows: [string, JsonObject, string][] = [
      [`${webApps}/x`, webApp('x'), 'webapps.example.com "x"'],
      [`${leases}/x`, { metadata: { name: 'x' } }, 'leases.coordination.k8s.io "x"'],
      [`${budgets}/x`, { metadata: { name: 'x' } }, 'poddisruptionbudgets.policy "x"'],
      [
        `${definitions}/webapps.example.com`,
        webAppDefinition(),
        'customresourcedefinitions.apiextensions.k8s.io "webapps.example.com"',
      ],
    ];
    for (const [path, body, name] of rows) {
      const { code, body: status } = await api.send(`PUT ${path}`, body);
      const message = `${name} is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`;
      expect([code, status['message']]).toEqual([422, message]);
    }
    expect((await api.send(`PUT ${configMaps}/nope`, configMap('nope'))).body['message']).toBe(
      'configmaps "nope" not found',
    );
  });

  test('API-Z5: leader election is optimistic concurrency: of two that saw one version, one wins', async () => {
    await using api = new ServerUnderTest();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const claim = (holder: string, seen?: JsonObject): JsonObject => ({
      metadata: { name: 'l', ...(seen && { resourceVersion: versionOf(seen) }) },
      spec: { holderIdentity: holder, renewTime: '2023-11-14T22:13:20.000001Z' },
    });
    const lease = await api.ok(`PUT ${leases}/l`, claim('a'));
    expect(lease['spec']).toEqual({ holderIdentity: 'a', renewTime: '2023-11-14T22:13:20.000001Z' });
    expect((await api.send(`PUT ${leases}/l`, claim('b', lease))).code).toBe(200);
    expect((await api.send(`PUT ${leases}/l`, claim('a', lease))).code).toBe(409);
    expect((await api.send(`PUT ${leases}/l`, claim('a'))).code).toBe(422);
  });
});

describe('writes that change nothing', () => {
  test('API-C10: 200, the same version, no event, though time has passed', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const first = await api.ok(`PATCH ${webApps}/a/status`, { status: { replicas: 1 } }, merge);
    const watch = await api.watch(`${webApps}?watch=1&resourceVersion=${versionOf(first)}`);
    await api.clock.advance(60_000);
    const apply = { apiVersion: 'example.com/v1', kind: 'WebApp', metadata: { name: 'a' }, spec: { image: 'i' } };
    const applied = await api.ok(`PATCH ${webApps}/a?fieldManager=m`, apply, { type: types.apply });
    await api.clock.advance(60_000);
    const again = [
      await api.ok(`PUT ${webApps}/a`, applied),
      await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'i' } }, merge),
      await api.ok(`PATCH ${webApps}/a`, [{ op: 'test', path: '/spec/image', value: 'i' }], { type: types.json }),
      await api.ok(`PATCH ${webApps}/a?fieldManager=m`, apply, { type: types.apply }),
      await api.ok(`PATCH ${webApps}/a/status`, { status: { replicas: 1 } }, merge),
    ];
    expect(again).toEqual(again.map(() => applied));
    await api.clock.settle();
    expect(watch.seen).toEqual(['MODIFIED a']);
  });
});

describe('finalizers', () => {
  test('API-C12: one without a slash: allowed on a custom resource with a warning; none can be added while deleting', async () => {
    await using api = await withWebApps();
    const created = await api.send(`POST ${webApps}`, webApp('a', { metadata: { finalizers: ['x'] } }));
    expect([created.code, created.warnings]).toEqual([
      201,
      [
        '299 - "metadata.finalizers: \\"x\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"',
      ],
    ]);
    expect((await api.send(`PATCH ${webApps}/a`, { metadata: { finalizers: ['x', 'a/b'] } }, merge)).code).toBe(200);
    await api.ok(`DELETE ${webApps}/a`);
    const late = await api.send(`PATCH ${webApps}/a`, { metadata: { finalizers: ['x', 'y/z'] } }, merge);
    expect([late.code, late.body['message']]).toEqual([
      422,
      'WebApp.example.com "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"y/z"}',
    ]);
  });
});

describe('times', () => {
  test('API-N3: whole seconds in UTC for Time, exactly six decimals for MicroTime', async () => {
    await using api = new ServerUnderTest();
    const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
    const status = {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T02:00:00.9+02:00' }],
    };
    await api.ok('POST /api/v1/nodes', { metadata: { name: 'n' } });
    const node = await api.ok('PATCH /api/v1/nodes/n/status', { metadata: { managedFields: [entry] }, status }, merge);
    expect(node).toMatchObject({ status: { conditions: [{ lastTransitionTime: '2020-01-01T00:00:00Z' }] } });
    const leases = 'POST /apis/coordination.k8s.io/v1/namespaces/default/leases';
    const lease = (renewTime: string): JsonObject => ({ metadata: { generateName: 'l-' }, spec: { renewTime } });
    const written = await api.ok(leases, lease('2020-01-01T02:00:00.123456+02:00'));
    expect(written['spec']).toEqual({ renewTime: '2020-01-01T00:00:00.123456Z' });
    for (const wrong of ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.123Z', 'soon']) {
      const { code, body } = await api.send(leases, lease(wrong));
      expect([code, body['message']]).toEqual([
        400,
        expect.stringContaining(`parsing time "${wrong}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse`),
      ]);
    }
    expect(metadataOf(written)['creationTimestamp']).toBe('2023-11-14T22:13:20Z');
  });
});
