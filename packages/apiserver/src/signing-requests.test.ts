// Requests for certificates: who made them, who may approve and sign them.
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Reply, ServerUnderTest } from './server-under-test.test-support.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
// CN=alice, and O=system:masters with CN=root, of a key that is gone.
const alice =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RllXeHBZMlV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFUZjN6YkFxM0tMTUFwWVh2dS9DRkNrVWVYS3ZrOGVCTnVyVmJvNXNWUHlicy81b3IxTHZydlpSZFdnCnZxM0Irdlp4TE5WK0prOUc0d01OMVFZQU9MQzhvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQU9kOVFqWGEKTFdpVkJCdjRySFNHNy93UUNORUpWZWNnRmd2a0RIbk1MRmIwQWlCSVA3WWNFV3B4d1I1OCtRT3E3QWxPcG5hUgppc3pSaURxQU0ra3p5TnZOQXc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const root =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSeQpiMjkwTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFMzk4MndLdHlpekFLV0Y3N3Z3aFFwRkhsCnlyNVBIZ1RicTFXNk9iRlQ4bTdQK2FLOVM3NjcyVVhWb0w2dHdmcjJjU3pWZmlaUFJ1TUREZFVHQURpd3ZLQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSUI4Vzg3SnJhMG9EaVJ3RVlIQVFUeDNxanU2M0hoaWlhVDBQKzhMQgpNekJpQWlBQmxkZTYzQlhtYkVhTUwzSzdwRHBZaFZxNzhNZVlHY3Uxbzhaa1FqZDNkdz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const asAlice = { headers: { authorization: 'Bearer alice' } };

function started(): ServerUnderTest {
  const users = {
    admin: { name: 'admin', groups: ['system:masters'] },
    alice: { name: 'alice', groups: ['team'], uid: 'u-1', extra: { 'example.com/scope': ['a'] } },
  };
  const api = new ServerUnderTest({ users, authorization: 'RBAC' });
  onTestFinished(() => api.server.close());
  return api;
}

const request = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { request: alice, signerName: 'example.com/x', usages: ['client auth'], ...spec },
});
const condition = (type: string): JsonObject => ({ type, status: 'True', reason: 'Because', message: 'm' });
const judged = (body: JsonObject, ...types: string[]): JsonObject => ({
  ...body,
  status: { conditions: types.map(condition) },
});

async function grant(api: ServerUnderTest, name: string, rule: JsonObject): Promise<void> {
  await api.ok(`POST ${rbac}/clusterroles`, {
    metadata: { name },
    rules: [{ apiGroups: ['certificates.k8s.io'], ...rule }],
  });
  await api.ok(`POST ${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
  });
}

const message = ({ body }: Reply): unknown => body['message'];

describe('API-R3: a CertificateSigningRequest', () => {
  test('names who made it, whatever the client says', async () => {
    const api = started();
    await grant(api, 'ask', { resources: ['certificatesigningrequests'], verbs: ['create'] });
    const { body } = await api.send(
      `POST ${requests}`,
      request('a', { username: 'root', groups: ['system:masters'], uid: '0' }),
      asAlice,
    );
    expect(body['spec']).toMatchObject({
      username: 'alice',
      uid: 'u-1',
      groups: ['team', 'system:authenticated'],
      extra: { 'example.com/scope': ['a'] },
    });
  });

  test.each([
    [{ request: 'eA==' }, 422, 'PEM block type must be CERTIFICATE REQUEST'],
    [{ usages: ['x'] }, 422, 'Unsupported value: "x"'],
    [{ signerName: 'nodots' }, 422, 'must be a fully qualified domain and path'],
    [{ expirationSeconds: 599 }, 422, 'may not specify a duration less than 600 seconds'],
    [{ request: root, signerName: 'kubernetes.io/kube-apiserver-client' }, 403, 'system:masters group is not allowed'],
  ])('is refused with %j', async (spec, code, why) => {
    const reply = await started().send(`POST ${requests}`, request('a', spec));
    expect([reply.code, message(reply)]).toEqual([code, expect.stringContaining(why)]);
  });

  test('is approved and signed by those alone who have the right for its signer', async () => {
    const api = started();
    const made = await api.ok(`POST ${requests}`, request('a'));
    await grant(api, 'write', {
      resources: ['certificatesigningrequests/*', '*/approval', '*/status'],
      verbs: ['update'],
    });
    const approve = (): Promise<Reply> => api.send(`PUT ${requests}/a/approval`, judged(made, 'Approved'), asAlice);
    const sign = (): Promise<Reply> =>
      api.send(`PUT ${requests}/a/status`, judged(made, 'Approved', 'Failed'), asAlice);
    expect(message(await approve())).toContain(
      'user not permitted to approve requests with signerName "example.com/x"',
    );
    await grant(api, 'other', { resources: ['signers'], resourceNames: ['example.org/*'], verbs: ['approve', 'sign'] });
    expect((await approve()).code).toBe(403);
    await grant(api, 'approve', { resources: ['signers'], resourceNames: ['example.com/x'], verbs: ['approve'] });
    delete (made['metadata'] as JsonObject)['resourceVersion'];
    expect((await approve()).code).toBe(200);
    expect(message(await sign())).toContain('user not permitted to sign');
    await grant(api, 'sign', { resources: ['signers'], resourceNames: ['example.com/*'], verbs: ['sign'] });
    expect((await sign()).code).toBe(200);
  });

  test('keeps its verdict: it is neither taken back nor given through the status', async () => {
    const api = started();
    const made = await api.ok(`POST ${requests}`, request('a'));
    delete (made['metadata'] as JsonObject)['resourceVersion'];
    expect(message(await api.send(`PUT ${requests}/a/status`, judged(made, 'Approved')))).toContain(
      'updates may not add a condition of type "Approved"',
    );
    const { body } = await api.send(`PUT ${requests}/a/approval`, judged(made, 'Approved'));
    expect(body['status']).toMatchObject({
      conditions: [{ type: 'Approved', lastUpdateTime: expect.any(String) as string }],
    });
    expect(message(await api.send(`PUT ${requests}/a/approval`, judged(made)))).toContain(
      'updates may not remove a condition of type "Approved"',
    );
  });
});
