import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  webAppDefinition,
  webAppVersion,
  withWebApps,
} from './server-under-test.test-support.ts';

const { webApps, deployments, pods, definitions } = paths;
const merge = { type: types.merge };

const deployment: JsonObject = {
  metadata: { name: 'd', labels: { l: 'x' } },
  spec: {
    selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['d', 'e'] }] },
    template: { metadata: { labels: { a: 'b', c: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

describe('status', () => {
  test('API-C7: of a custom resource: POST drops it, PUT and PATCH keep the old, /status takes it alone', async () => {
    await using api = await withWebApps();
    const created = await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' }, status: { replicas: 9 } }));
    expect(created).not.toHaveProperty('status');
    const change = {
      metadata: { labels: { l: 'x' }, annotations: { n: 'y' }, finalizers: ['a/b'] },
      spec: { image: 'j' },
      status: { replicas: 1 },
    };
    const written = await api.ok(`PATCH ${webApps}/a/status`, change, merge);
    expect(written).toMatchObject({ spec: { image: 'i' }, status: { replicas: 1 } });
    for (const field of ['labels', 'annotations', 'finalizers']) expect(metadataOf(written)).not.toHaveProperty(field);
    const patched = await api.ok(`PATCH ${webApps}/a`, { ...change, status: { replicas: 7 } }, merge);
    expect(patched).toMatchObject({ metadata: { labels: { l: 'x' } }, spec: { image: 'j' }, status: { replicas: 1 } });
    const put = await api.ok(`PUT ${webApps}/a`, { ...patched, status: { replicas: 8 } });
    expect(put['status']).toEqual({ replicas: 1 });
    const putStatus = await api.ok(`PUT ${webApps}/a/status`, {
      ...put,
      spec: { image: 'k' },
      status: { replicas: 2 },
    });
    expect(putStatus).toMatchObject({ spec: { image: 'j' }, status: { replicas: 2 } });
    expect(await api.ok(`GET ${webApps}/a/status`)).toEqual(putStatus);
    const invalid = await api.send(`PATCH ${webApps}/a/status`, { status: { replicas: 'x' } }, merge);
    expect([invalid.code, invalid.body['message']]).toEqual([422, expect.stringContaining('status.replicas')]);
  });

  test('API-C7: of a Deployment keeps labels, of a Pod its owners; Node, Namespace and Service let metadata through', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${deployments}`, deployment);
    const change = {
      metadata: { labels: { l: 'y' }, annotations: { n: 'y' } },
      spec: { replicas: 9 },
      status: { replicas: 4 },
    };
    expect(await api.ok(`PATCH ${deployments}/d/status`, change, merge)).toMatchObject({
      metadata: { labels: { l: 'x' }, annotations: { n: 'y' }, generation: 1 },
      spec: { replicas: 1 },
      status: { replicas: 4 },
    });
    await api.ok(`POST ${pods}`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const status = { metadata: { ownerReferences: [owner], labels: { l: 'y' } }, status: { phase: 'Running' } };
    const pod = await api.ok(`PATCH ${pods}/p/status`, status, merge);
    expect(pod).toMatchObject({ metadata: { labels: { l: 'y' } }, status: { phase: 'Running' } });
    expect(metadataOf(pod)).not.toHaveProperty('ownerReferences');
    await api.ok('POST /api/v1/nodes', { metadata: { name: 'n' } });
    for (const path of [
      '/api/v1/nodes/n',
      '/api/v1/namespaces/default',
      '/api/v1/namespaces/default/services/kubernetes',
    ]) {
      const through = await api.ok(`PATCH ${path}/status`, { metadata: { labels: { l: 'y' } } }, merge);
      expect(metadataOf(through)['labels']).toMatchObject({ l: 'y' });
    }
  });
});

describe('scale', () => {
  test('API-R1: get, update and patch of a custom resource and of a Deployment', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${deployments}`, deployment);
    await api.ok(`POST ${webApps}`, webApp('a', { spec: {} }));
    await api.ok(`PATCH ${webApps}/a/status`, { status: { replicas: 2, selector: 'x=y' } }, merge);
    await api.ok(`PATCH ${deployments}/d/status`, { status: { replicas: 2 } }, merge);
    const rows: [string, string][] = [
      [`${webApps}/a`, 'x=y'],
      [`${deployments}/d`, 'a=b,c in (d,e)'],
    ];
    for (const [path, selector] of rows) {
      const object = await api.ok(`GET ${path}`);
      const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
      const scale = await api.ok(`GET ${path}/scale`);
      expect(scale).toEqual({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
        spec: { replicas: 1 },
        status: { replicas: 2, selector },
      });
      expect(await api.ok(`PUT ${path}/scale`, { ...scale, spec: { replicas: 3 } })).toMatchObject({
        spec: { replicas: 3 },
      });
      const patched = await api.ok(`PATCH ${path}/scale`, { spec: { replicas: 4 } }, merge);
      expect(patched).toMatchObject({ kind: 'Scale', spec: { replicas: 4 } });
      expect(await api.ok(`GET ${path}`)).toMatchObject({ spec: { replicas: 4 }, metadata: { generation: 3 } });
      expect((await api.send(`PUT ${path}/scale`, { ...scale, spec: { replicas: 5 } })).code).toBe(409);
      expect((await api.send(`DELETE ${path}/scale`)).code).toBe(405);
    }
  });

  test('API-R1: what the object may not have is refused in its own words', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${deployments}`, deployment);
    await api.ok(`POST ${webApps}`, webApp('a', { spec: {} }));
    const rows: [string, number, string][] = [
      [
        `${webApps}/a`,
        400,
        'WebApp.example.com "a" is invalid: spec.replicas: Invalid value: 400: spec.replicas in body should be less than or equal to 10',
      ],
      [
        `${webApps}/a`,
        -1,
        'WebApp.example.com "a" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
      ],
      [
        `${deployments}/d`,
        -1,
        'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      ],
    ];
    for (const [path, replicas, message] of rows) {
      const { code, body } = await api.send(`PATCH ${path}/scale`, { spec: { replicas } }, merge);
      expect([code, body['message']]).toEqual([422, message]);
    }
    await api.ok(`POST ${webApps}`, webApp('none'));
    const missing = await api.send(`GET ${webApps}/none/scale`);
    expect([missing.code, missing.body['message']]).toEqual([
      500,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    ]);
  });

  test('API-S8: whoever scales owns the replicas through scale, and an apply of another number conflicts', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    await api.ok(`PATCH ${webApps}/a/scale?fieldManager=m`, { spec: { replicas: 3 } }, merge);
    const { managedFields } = metadataOf(await api.ok(`GET ${webApps}/a`));
    expect((managedFields as JsonObject[]).filter(({ manager }) => manager === 'm')).toEqual([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        subresource: 'scale',
      },
    ]);
    const apply = { type: types.apply };
    const other = webApp('a', { spec: { replicas: 5 } });
    const refused = await api.send(`PATCH ${webApps}/a?fieldManager=n`, other, apply);
    expect([refused.code, refused.body['message']]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "m" with subresource "scale" using example.com/v1: .spec.replicas',
    ]);
  });

  test('API-S8: a server-side apply to it conflicts with the owner of the replicas, and takes them by force', async () => {
    await using api = new ServerUnderTest();
    const spec = { ...(deployment['spec'] as JsonObject), replicas: 1 };
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', ...deployment, spec };
    await api.ok(`PATCH ${deployments}/d?fieldManager=owner`, applied, { type: types.apply });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 7 } };
    const path = `PATCH ${deployments}/d/scale?fieldManager=scaler`;
    const refused = await api.send(path, scale, { type: types.apply });
    const taken = await api.send(`${path}&force=true`, scale, { type: types.apply });
    expect([refused.code, refused.body['message']]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "owner": .spec.replicas',
    ]);
    expect([taken.code, taken.body['spec']]).toEqual([200, { replicas: 7 }]);
    const owners = metadataOf(await api.ok(`GET ${deployments}/d`))['managedFields'];
    expect(owners).toContainEqual(
      expect.objectContaining({
        manager: 'scaler',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        subresource: 'scale',
        fieldsV1: { 'f:spec': { 'f:replicas': {} } },
      }),
    );
  });
});

describe('others', () => {
  test('that nobody serves are 404, each in the words of its kind', async () => {
    await using api = new ServerUnderTest();
    const { subresources: _, ...version } = webAppVersion;
    await api.ok(`POST ${definitions}`, webAppDefinition({ versions: [version] }));
    await api.ok(`POST ${webApps}`, webApp('a'));
    for (const path of [`${webApps}/a/status`, `${webApps}/a/scale`, `${webApps}/a/foo`]) {
      const { code, body } = await api.send(`GET ${path}`);
      expect([code, body['message']]).toEqual([404, 'webapps.example.com "a" not found']);
    }
    const { code, body } = await api.send('GET /api/v1/namespaces/default/configmaps/a/status');
    expect([code, body['message']]).toEqual([404, 'the server could not find the requested resource']);
  });
});
