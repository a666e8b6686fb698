// Both executables as envtest starts, asks and ends them.
import type { Case, LaunchStep, RequestStep } from '../../src/case.ts';
import { claim, configMap, get, post, remove, type RequestOptions } from '../../src/steps.ts';

const etcdArgs = [
  '--listen-peer-urls=http://127.0.0.1:{{port2}}',
  '--data-dir={{dir}}/etcd',
  '--advertise-client-urls=http://127.0.0.1:{{port1}}',
  '--listen-client-urls=http://127.0.0.1:{{port1}}',
  '--unsafe-no-fsync=true',
];

const apiserverArgs = [
  '--service-cluster-ip-range=10.0.0.0/24',
  '--allow-privileged=true',
  '--disable-admission-plugins=ServiceAccount',
  '--cert-dir={{dir}}',
  '--authorization-mode=RBAC',
  '--secure-port={{port3}}',
  '--bind-address=127.0.0.1',
  '--service-account-issuer=https://127.0.0.1:{{port3}}/',
  '--service-account-key-file={{dir}}/sa-signer.crt',
  '--service-account-signing-key-file={{dir}}/sa-signer.key',
  '--etcd-servers=http://127.0.0.1:{{port1}}',
  '--client-ca-file={{dir}}/client-cert-auth-ca.crt',
  '--token-auth-file={{dir}}/tokens.csv',
];

/** Flags beside those, which a test may add. */
const others = ['--advertise-address=127.0.0.1', '--max-requests-inflight=300', '--v=0'];

export const etcd: LaunchStep = {
  do: 'launch',
  name: 'etcd',
  program: 'etcd',
  args: etcdArgs,
  ask: 'http://127.0.0.1:{{port1}}/health',
  only: ['status'],
  because: 'envtest wants 200 and reads no more',
};

export const apiserver: LaunchStep = {
  do: 'launch',
  name: 'apiserver',
  program: 'kube-apiserver',
  args: [...apiserverArgs, ...others],
  ask: 'https://127.0.0.1:{{port3}}/healthz',
  only: ['status', 'body'],
  because: 'envtest wants 200 and reads no more',
};

const twoWords = (args: readonly string[]): string[] =>
  args.flatMap((arg) => [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]);

const ended = { only: ['ended'], because: 'how it ends is not asked, only that it does' };
const admin: RequestOptions = {
  to: 'apiserver',
  as: 'nobody',
  certificate: { name: 'admin', organizations: ['system:masters'] },
};
const alice: RequestOptions = {
  to: 'apiserver',
  as: 'nobody',
  certificate: { name: 'alice', organizations: ['team'] },
};
const bob: RequestOptions = { to: 'apiserver', as: 'bob' };
const nobody: RequestOptions = { to: 'apiserver', as: 'nobody' };
const maps = '/api/v1/namespaces/default/configmaps';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const identity = (name: string, who: RequestOptions): RequestStep =>
  post(
    name,
    whoAmI,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    {
      ...who,
      mask: [['body', 'status', 'userInfo', 'extra']],
      because: 'holds the fingerprint of a certificate made for this run',
    },
  );

export const started: readonly Case[] = [
  {
    id: 'v3-etcd',
    section: 'executables',
    shows: ['API-V3'],
    title: 'etcd answers GET /health and ends on SIGTERM',
    steps: [etcd, { do: 'end', name: 'end', of: 'etcd', ...ended }],
    claims: [
      claim('`GET /health` 200', 'etcd.status', { is: 200 }),
      claim('SIGTERM ends it within 20 s', 'end.ended', { is: true }),
    ],
  },
  {
    id: 'v2-started-by-envtest',
    section: 'executables',
    shows: ['API-V2', 'API-V3', 'API-V4'],
    title: 'kube-apiserver with envtest’s flags, users by certificate, RBAC, and an end on SIGTERM',
    steps: [
      etcd,
      apiserver,
      get('default', '/api/v1/namespaces/default', {
        ...admin,
        until: { at: 'default.status', is: 200 },
        mask: [['body', 'metadata', 'managedFields']],
        because: 'who wrote it is the server itself',
      }),
      get('service', '/api/v1/namespaces/default/services/kubernetes', {
        ...admin,
        until: { at: 'service.status', is: 200 },
        only: ['status', 'body.spec.clusterIP'],
        because: 'the rest is API-X10',
      }),
      identity('admin-is', admin),
      identity('alice-is', alice),
      identity('bob-is', bob),
      post('create', maps, configMap('a'), admin),
      get('refused', `${maps}/a`, alice),
      get('anonymous', `${maps}/a`, nobody),
      get('healthz', '/healthz', nobody),
      post(
        'role',
        '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
        { metadata: { name: 'r' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] },
        admin,
      ),
      post(
        'binding',
        '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
        {
          metadata: { name: 'b' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'team' }],
        },
        admin,
      ),
      get('granted', `${maps}/a`, { ...alice, until: { at: 'granted.status', is: 200 } }),
      remove('no-delete', `${maps}/a`, alice),
      post(
        'pod',
        '/api/v1/namespaces/default/pods',
        { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        admin,
      ),
      { do: 'end', name: 'end', of: 'apiserver', ...ended },
      { do: 'end', name: 'end-etcd', of: 'etcd', ...ended },
    ],
    claims: [
      claim('`/healthz` without certificate', 'apiserver.status', { is: 200 }),
      claim('Namespace default exists', 'default.body.metadata.name', { is: 'default' }),
      claim('--cert-dir: its certificate is served (else no request had succeeded)', 'default.status', { is: 200 }),
      claim('--client-ca-file: the user is the name in the certificate', 'alice-is.body.status.userInfo.username', {
        is: 'alice',
      }),
      claim('and the groups its organizations', 'alice-is.body.status.userInfo.groups', {
        is: ['team', 'system:authenticated'],
      }),
      claim('admin in O=system:masters', 'admin-is.body.status.userInfo.groups', {
        is: ['system:masters', 'system:authenticated'],
      }),
      claim('may do everything', 'create.status', { is: 201 }),
      claim('--token-auth-file', 'bob-is.body.status.userInfo.username', { is: 'bob' }),
      claim('--authorization-mode=RBAC: others nothing', 'refused.status', { is: 403 }),
      claim('but what they are granted', 'granted.status', { is: 200 }),
      claim('and no more', 'no-delete.status', { is: 403 }),
      claim('anonymous: nothing', 'anonymous.status', { is: 403 }),
      claim('--disable-admission-plugins=ServiceAccount: a Pod needs none', 'pod.status', { is: 201 }),
      claim('--service-cluster-ip-range: its first address is the API’s', 'service.body.spec.clusterIP', {
        is: '10.0.0.1',
      }),
      claim('other flags are accepted', 'apiserver.body', { is: 'ok' }),
      claim('SIGTERM ends kube-apiserver within 20 s', 'end.ended', { is: true }),
      claim('SIGTERM ends etcd within 20 s', 'end-etcd.ended', { is: true }),
    ],
  },
  {
    id: 'v6-flags-as-two-words',
    section: 'executables',
    shows: ['API-V6'],
    title: 'flags and their values as two words, and /readyz',
    steps: [
      { ...etcd, args: twoWords(etcdArgs.filter((arg) => !arg.startsWith('--unsafe'))) },
      {
        ...apiserver,
        args: [...twoWords(apiserverArgs.filter((arg) => !arg.startsWith('--allow'))), '--allow-privileged'],
        ask: 'https://127.0.0.1:{{port3}}/readyz',
      },
      post('create', maps, configMap('a'), {
        ...admin,
        until: { at: 'create.status', is: 201 },
      }),
    ],
    claims: [
      claim('flags as two words', 'create.status', { is: 201 }),
      claim('`/readyz`', 'apiserver.body', { is: 'ok' }),
    ],
  },
];
