import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { metadataOf, ServerUnderTest, types } from './server-under-test.test-support.ts';

const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};
const cpu = (percent: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

function autoscaler(version: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a' },
    spec: { scaleTargetRef: target, maxReplicas: 3, ...spec },
  };
}

// CN=alice, of a key that is gone.
const certificateRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RllXeHBZMlV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFUZjN6YkFxM0tMTUFwWVh2dS9DRkNrVWVYS3ZrOGVCTnVyVmJvNXNWUHlicy81b3IxTHZydlpSZFdnCnZxM0Irdlp4TE5WK0prOUc0d01OMVFZQU9MQzhvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQU9kOVFqWGEKTFdpVkJCdjRySFNHNy93UUNORUpWZWNnRmd2a0RIbk1MRmIwQWlCSVA3WWNFV3B4d1I1OCtRT3E3QWxPcG5hUgppc3pSaURxQU0ra3p5TnZOQXc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

describe('HorizontalPodAutoscalers: two versions of one store', () => {
  test('what v1 writes is read as v2, and back', async () => {
    await using api = new ServerUnderTest();
    await api.send(`POST ${autoscalers('v1')}`, autoscaler('v1', { targetCPUUtilizationPercentage: 50 }));
    const { body } = await api.send(`GET ${autoscalers('v2')}/a`);
    expect(body).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { metrics: [cpu(50)], maxReplicas: 3 } });
    const first = await api.send(`GET ${autoscalers('v1')}/a`);
    expect(first.body).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 50 } });
    expect(metadataOf(first.body)['annotations']).toBeUndefined();
    expect(metadataOf(first.body).uid).toBe(metadataOf(body).uid);
  });

  test('a write through v1 loses nothing that v1 has no field for', async () => {
    await using api = new ServerUnderTest();
    const behavior = { scaleDown: { stabilizationWindowSeconds: 9 } };
    await api.send(`POST ${autoscalers('v2')}`, autoscaler('v2', { metrics: [memory, cpu(50)], behavior }));
    const { body: old } = await api.send(`GET ${autoscalers('v1')}/a`);
    expect(old).toMatchObject({
      metadata: {
        annotations: {
          'autoscaling.alpha.kubernetes.io/metrics': expect.stringContaining('memory'),
          'autoscaling.alpha.kubernetes.io/behavior': expect.stringContaining('scaleDown'),
        },
      },
      spec: { targetCPUUtilizationPercentage: 50 },
    });
    expect(old['spec']).not.toHaveProperty('metrics');
    const changed = { ...old, spec: { ...(old['spec'] as JsonObject), targetCPUUtilizationPercentage: 60 } };
    expect((await api.send(`PUT ${autoscalers('v1')}/a`, changed)).code).toBe(200);
    const { body } = await api.send(`GET ${autoscalers('v2')}/a`);
    expect(body).toMatchObject({ spec: { metrics: [memory, cpu(60)], behavior } });
    expect(metadataOf(body)['annotations']).toBeUndefined();
  });

  test('a watch of one version sees what the other wrote, in its own form', async () => {
    await using api = new ServerUnderTest();
    const watch = await api.watch(`${autoscalers('v1')}?watch=true`);
    await api.send(`POST ${autoscalers('v2')}`, autoscaler('v2', { metrics: [cpu(70)] }));
    await api.clock.advance(0);
    expect(watch.events.map(({ object }) => object)).toMatchObject([
      { apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 70 } },
    ]);
  });

  test('the newer version is the preferred one', async () => {
    await using api = new ServerUnderTest();
    const { body } = await api.send('GET /apis/autoscaling');
    expect(body).toMatchObject({
      preferredVersion: { version: 'v2' },
      versions: [{ version: 'v2' }, { version: 'v1' }],
    });
  });
});

describe('kinds without behaviour of their own are stored, watched and selected like any other', () => {
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '1' } } };

  test('status has a subresource, and create and update leave it alone', async () => {
    await using api = new ServerUnderTest();
    const { body } = await api.send(`POST ${quotas}`, { ...quota, status: { used: { pods: '9' } } });
    expect(body['status']).toEqual({});
    const used = { status: { used: { pods: '1' } } };
    await api.send(`PATCH ${quotas}/q/status`, used, { type: types.merge });
    const { body: after } = await api.send(
      `PATCH ${quotas}/q`,
      { spec: { hard: { pods: '2' } } },
      { type: types.merge },
    );
    expect(after).toMatchObject({ ...used, spec: { hard: { pods: '2' } } });
  });

  test('scale', async () => {
    await using api = new ServerUnderTest();
    const controllers = '/api/v1/namespaces/default/replicationcontrollers';
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.send(`POST ${controllers}`, {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'r' },
      spec: { template },
    });
    await api.send(`PATCH ${controllers}/r/scale`, { spec: { replicas: 4 } }, { type: types.merge });
    expect((await api.send(`GET ${controllers}/r`)).body).toMatchObject({ spec: { replicas: 4 } });
  });

  test('any data of a ControllerRevision is kept', async () => {
    await using api = new ServerUnderTest();
    const data = { a: { b: [1, 'x', { c: null }] } };
    const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 1, data };
    const { code, body } = await api.send('POST /apis/apps/v1/namespaces/default/controllerrevisions', revision);
    expect({ code, data: body['data'] }).toEqual({ code: 201, data });
    const [owner] = metadataOf(body)['managedFields'] as { fieldsV1: JsonObject }[];
    expect(owner?.fieldsV1).toMatchObject({ 'f:data': {} });
  });

  test('API-R3: a certificate request is approved through its own subresource, and its wish cannot change', async () => {
    await using api = new ServerUnderTest();
    const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const spec = { request: certificateRequest, signerName: 'example.com/x', usages: ['digital signature'] };
    const kind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'c' } };
    const { body } = await api.send(`POST ${requests}`, { ...kind, spec });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Me' }];
    const approved = await api.send(`PUT ${requests}/c/approval`, { ...body, status: { conditions } });
    expect(approved.body).toMatchObject({ spec, status: { conditions } });
    const renamed = { ...approved.body, spec: { ...spec, signerName: 'example.com/y' } };
    expect((await api.send(`PUT ${requests}/c`, renamed)).body).toMatchObject({ spec });
  });

  test('what is on its way out says so', async () => {
    await using api = new ServerUnderTest();
    const { warnings } = await api.send('GET /api/v1/namespaces/default/endpoints');
    expect(warnings).toEqual(['299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"']);
    expect((await api.send('GET /api/v1/componentstatuses')).warnings).toHaveLength(1);
  });
});

describe('API-Q4: the served set', () => {
  test('every version that is on by default, and no other', async () => {
    await using api = new ServerUnderTest();
    const { body } = await api.send('GET /apis');
    const groups = body['groups'] as { name: string; versions: { version: string }[] }[];
    expect(groups.map(({ name, versions }) => `${name} ${versions.map(({ version }) => version).join(' ')}`)).toEqual([
      'admissionregistration.k8s.io v1',
      'apiextensions.k8s.io v1',
      'apiregistration.k8s.io v1',
      'apps v1',
      'authentication.k8s.io v1',
      'authorization.k8s.io v1',
      'autoscaling v2 v1',
      'batch v1',
      'certificates.k8s.io v1',
      'coordination.k8s.io v1',
      'discovery.k8s.io v1',
      'events.k8s.io v1',
      'flowcontrol.apiserver.k8s.io v1',
      'networking.k8s.io v1',
      'node.k8s.io v1',
      'policy v1',
      'rbac.authorization.k8s.io v1',
      'resource.k8s.io v1',
      'scheduling.k8s.io v1',
      'storage.k8s.io v1',
    ]);
    expect((await api.send('GET /apis/resource.k8s.io/v1beta1/deviceclasses')).code).toBe(404);
  });
});
