// Requests for certificates: who asks, who approves, who signs.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, get, post, put } from '../../src/steps.ts';
import { bindEverywhere, clusterRole, rbac } from '../admission-identity/manifests.ts';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const accounts = '/api/v1/namespaces/{{ns}}/serviceaccounts';
const own: Json = { kind: 'ServiceAccount', namespace: '{{ns}}', name: 'me' };
const acting = { as: 'nobody', send: { authorization: 'Bearer {{token.body.status.token}}' } } as const;

// Two requests of one throwaway key on P-256: CN=alice, and O=system:masters with CN=root.
const alice =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RllXeHBZMlV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFUZjN6YkFxM0tMTUFwWVh2dS9DRkNrVWVYS3ZrOGVCTnVyVmJvNXNWUHlicy81b3IxTHZydlpSZFdnCnZxM0Irdlp4TE5WK0prOUc0d01OMVFZQU9MQzhvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQU9kOVFqWGEKTFdpVkJCdjRySFNHNy93UUNORUpWZWNnRmd2a0RIbk1MRmIwQWlCSVA3WWNFV3B4d1I1OCtRT3E3QWxPcG5hUgppc3pSaURxQU0ra3p5TnZOQXc9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const root =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSeQpiMjkwTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFMzk4MndLdHlpekFLV0Y3N3Z3aFFwRkhsCnlyNVBIZ1RicTFXNk9iRlQ4bTdQK2FLOVM3NjcyVVhWb0w2dHdmcjJjU3pWZmlaUFJ1TUREZFVHQURpd3ZLQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwY0FNRVFDSUI4Vzg3SnJhMG9EaVJ3RVlIQVFUeDNxanU2M0hoaWlhVDBQKzhMQgpNekJpQWlBQmxkZTYzQlhtYkVhTUwzSzdwRHBZaFZxNzhNZVlHY3Uxbzhaa1FqZDNkdz09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
const csr = (name: string, spec: { [key: string]: Json } = {}): Json => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: `{{id}}-${name}` },
  spec: { request: alice, signerName: 'example.com/{{id}}', usages: ['client auth'], ...spec },
});
const masked = { mask: ['body.spec.uid'], because: 'how a token table numbers its users is its own' };
const condition = (type: string, more: { [key: string]: Json } = {}): Json => ({
  type,
  status: 'True',
  reason: 'Because',
  message: 'm',
  ...more,
});
const judged = (of: string, conditions: Json, more: { [key: string]: Json } = {}): Json => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: `{{id}}-${of}` },
  spec: { request: alice, signerName: 'example.com/{{id}}', usages: ['client auth'] },
  status: { conditions, ...more },
});
const requester: readonly Step[] = [
  post('account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'me' } }, { setup: true }),
  post(
    'token',
    `${accounts}/me/token`,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    { setup: true },
  ),
];
const group = 'certificates.k8s.io';

export const signingRequests: readonly Case[] = [
  {
    id: 'q4-requester',
    section: 'subresources-crds',
    shows: ['API-Q4', 'API-R3'],
    title: 'a request for a certificate says who made it, whatever the client writes there',
    steps: [
      post('made', requests, csr('a', { username: 'somebody', uid: 'u', groups: ['g'], extra: { a: ['b'] } }), masked),
      put('again', `${requests}/{{id}}-a`, csr('a', { usages: ['server auth'], username: 'x' }), masked),
      post('as-carol', requests, csr('b'), {
        send: {
          'impersonate-user': 'carol',
          'impersonate-group': ['system:masters', 'devs'],
          'impersonate-uid': '7',
          'impersonate-extra-a': 'b',
        },
      }),
    ],
    claims: [
      claim('the user', 'made.body.spec.username', { is: 'admin' }),
      claim('its groups', 'made.body.spec.groups', { contains: 'system:masters' }),
      claim('nothing the client made up', 'made.body.spec.extra', { present: false }),
      claim('what it asks for stays', 'again.body.spec.usages', { is: ['client auth'] }),
      claim('uid and extra of who has them', 'as-carol.body.spec.uid', { is: '7' }),
    ],
  },
  {
    id: 'r3-refused-requests',
    section: 'subresources-crds',
    shows: ['API-R3'],
    title: 'what is not a request, asks for too little time or names no signer is refused',
    steps: [
      post('no-pem', requests, csr('a', { request: 'eA==' })),
      post('no-usages', requests, csr('a', { usages: [] })),
      post('bad-usages', requests, csr('a', { usages: ['client auth', 'client auth', 'nothing'] })),
      post('no-signer', requests, csr('a', { signerName: '' })),
      post('bad-signer', requests, csr('a', { signerName: 'nodots' })),
      post('bad-domain', requests, csr('a', { signerName: 'nodots/x' })),
      post('upper-domain', requests, csr('a', { signerName: 'Example.com/X' })),
      post('legacy', requests, csr('a', { signerName: 'kubernetes.io/legacy-unknown' })),
      post('short', requests, csr('a', { expirationSeconds: 599 })),
      post('masters', requests, csr('a', { request: root, signerName: 'kubernetes.io/kube-apiserver-client' })),
      post('masters-elsewhere', requests, csr('m', { request: root }), masked),
    ],
    claims: [
      claim('no PEM', 'no-pem.status', { is: 422 }),
      claim('too short', 'short.status', { is: 422 }),
      claim('no client certificate for system:masters', 'masters.status', { is: 403 }),
      claim('unless another signer is asked', 'masters-elsewhere.status', { is: 201 }),
    ],
  },
  {
    id: 'r3-approval',
    section: 'subresources-crds',
    shows: ['API-R3'],
    title: 'approval gives conditions alone, cannot be taken back, and excludes denial',
    steps: [
      post('made', requests, csr('a'), { setup: true }),
      get('read', `${requests}/{{id}}-a/approval`, masked),
      put('through-status', `${requests}/{{id}}-a/status`, judged('a', [condition('Approved')]), masked),
      put('through-object', `${requests}/{{id}}-a`, judged('a', [condition('Approved')]), masked),
      put('not-true', `${requests}/{{id}}-a/approval`, judged('a', [condition('Approved', { status: 'False' })])),
      put('no-type', `${requests}/{{id}}-a/approval`, judged('a', [condition('')])),
      put(
        'approved',
        `${requests}/{{id}}-a/approval`,
        judged('a', [condition('Approved')], { certificate: 'eA==' }),
        masked,
      ),
      put('taken-back', `${requests}/{{id}}-a/approval`, judged('a', [])),
      put('both', `${requests}/{{id}}-a/approval`, judged('a', [condition('Approved'), condition('Denied')])),
      put(
        'bad-certificate',
        `${requests}/{{id}}-a/status`,
        judged('a', [condition('Approved')], { certificate: 'eA==' }),
      ),
      put(
        'failed',
        `${requests}/{{id}}-a/status`,
        judged('a', [condition('Approved', { message: 'other' }), condition('Failed')]),
        masked,
      ),
    ],
    claims: [
      claim('approved', 'approved.body.status.conditions.0.type', { is: 'Approved' }),
      claim('with a time', 'approved.body.status.conditions.0.lastUpdateTime', { present: true }),
      claim('without a certificate', 'approved.body.status.certificate', { present: false }),
      claim('for ever', 'taken-back.status', { is: 422 }),
      claim('not through status', 'through-status.status', { is: 422 }),
      claim('not denied as well', 'both.status', { is: 422 }),
      claim('what was said stays', 'failed.body.status.conditions.0.message', { is: 'm' }),
    ],
  },
  {
    id: 'r3-rights',
    section: 'subresources-crds',
    shows: ['API-R3', 'API-Z2'],
    title: 'approving and signing need the right for the signer, beside that for the subresource',
    steps: [
      ...requester,
      post('made', requests, csr('a'), { setup: true }),
      post(
        'may-update',
        `${rbac}/clusterroles`,
        clusterRole('update', {
          rules: [
            {
              apiGroups: [group],
              resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
              verbs: ['update', 'get'],
            },
          ],
        }),
        { setup: true },
      ),
      post('bound', `${rbac}/clusterrolebindings`, bindEverywhere('update', 'update', own), { setup: true }),
      get('seen', `${requests}/{{id}}-a/approval`, { ...acting, ...masked, until: { at: 'seen.status', is: 200 } }),
      put('approve-without', `${requests}/{{id}}-a/approval`, judged('a', [condition('Approved')]), acting),
      put('sign-without', `${requests}/{{id}}-a/status`, judged('a', [condition('Failed')]), acting),
      post(
        'may-approve',
        `${rbac}/clusterroles`,
        clusterRole('approve', {
          rules: [
            { apiGroups: [group], resources: ['signers'], resourceNames: ['example.com/{{id}}'], verbs: ['approve'] },
          ],
        }),
        { setup: true },
      ),
      post('bound-too', `${rbac}/clusterrolebindings`, bindEverywhere('approve', 'approve', own), { setup: true }),
      put('approve', `${requests}/{{id}}-a/approval`, judged('a', [condition('Approved')]), {
        ...acting,
        ...masked,
        until: { at: 'approve.status', is: 200 },
      }),
      put(
        'sign-still-without',
        `${requests}/{{id}}-a/status`,
        judged('a', [condition('Approved'), condition('Failed')]),
        acting,
      ),
    ],
    claims: [
      claim('403', 'approve-without.status', { is: 403 }),
      claim('which names the signer', 'approve-without.body.message', { matches: 'user not permitted to approve' }),
      claim('signing is another right', 'sign-still-without.body.message', { matches: 'user not permitted to sign' }),
      claim('with the right', 'approve.status', { is: 200 }),
    ],
  },
];
