// RBAC as clients meet it: refusals, reviews, and what nobody may hand on.
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configMap, paths, type Reply, ServerUnderTest } from './server-under-test.test-support.ts';

const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  alice: { name: 'alice', groups: ['team'], uid: 'u-1', extra: { 'example.com/scope': ['a', 'b'] } },
};
const asAlice = { headers: { authorization: 'Bearer alice' } };
const asNobody = { headers: { authorization: '' } };

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = `${rbac}/namespaces/default/roles`;
const bindings = `${rbac}/namespaces/default/rolebindings`;
const reviews = '/apis/authorization.k8s.io/v1';
const identities = '/apis/authentication.k8s.io/v1';

const role = (name: string, ...rules: JsonObject[]): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name },
  rules,
});
const allow = (resources: string, ...verbs: string[]): JsonObject => ({
  apiGroups: [''],
  resources: [resources],
  verbs,
});
const bind = (name: string, to = 'alice', kind = 'Role'): JsonObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ kind: 'User', name: to, apiGroup: 'rbac.authorization.k8s.io' }],
});

function guarded(): ServerUnderTest {
  const api = new ServerUnderTest({ users, authorization: 'RBAC' });
  onTestFinished(() => api.server.close());
  return api;
}

async function grant(api: ServerUnderTest, name: string, ...rules: JsonObject[]): Promise<void> {
  await api.ok(`POST ${roles}`, role(name, ...rules));
  await api.ok(`POST ${bindings}`, bind(name));
}

const told = ({ code, body }: Reply): unknown => [code, body['message']];

describe('API-Z2: with RBAC', () => {
  test('nothing is allowed but what a bound role names, from the moment it is bound until it is not', async () => {
    const api = guarded();
    const list = (): Promise<Reply> => api.send(`GET ${paths.configMaps}`, undefined, asAlice);
    const refused =
      'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"';
    expect(told(await list())).toEqual([403, refused]);
    await grant(api, 'lists', allow('configmaps', 'list'));
    expect((await list()).code).toBe(200);
    expect((await api.send(`POST ${paths.configMaps}`, configMap('x'), asAlice)).code).toBe(403);
    expect((await api.send(`GET ${paths.configMaps}/x`)).code).toBe(404);
    await api.ok(`DELETE ${bindings}/lists`);
    expect(told(await list())).toEqual([403, refused]);
  });

  test('a snapshot brings its own roles', async () => {
    const api = guarded();
    const before = api.server.snapshot();
    await grant(api, 'lists', allow('configmaps', 'list'));
    expect((await api.send(`GET ${paths.configMaps}`, undefined, asAlice)).code).toBe(200);
    api.server.restore(before);
    expect((await api.send(`GET ${paths.configMaps}`, undefined, asAlice)).code).toBe(403);
  });

  test.each([
    ['GET /metrics', 'forbidden: User "alice" cannot get path "/metrics"'],
    [
      'GET /api/v1/namespaces/n',
      'namespaces "n" is forbidden: User "alice" cannot get resource "namespaces" in API group "" in the namespace "n"',
    ],
    [
      'DELETE /apis/apps/v1/namespaces/n/deployments',
      'deployments.apps is forbidden: User "alice" cannot deletecollection resource "deployments" in API group "apps" in the namespace "n"',
    ],
    [
      'GET /api/v1/nodes?watch=1',
      'nodes is forbidden: User "alice" cannot watch resource "nodes" in API group "" at the cluster scope',
    ],
    [
      'GET /api/v1/namespaces/n/pods/p/log',
      'pods "p" is forbidden: User "alice" cannot get resource "pods/log" in API group "" in the namespace "n"',
    ],
    [
      'PUT /apis/no.such/v1/things/t',
      'things.no.such "t" is forbidden: User "alice" cannot update resource "things" in API group "no.such" at the cluster scope',
    ],
    [
      'GET /api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dp',
      'pods "p" is forbidden: User "alice" cannot list resource "pods" in API group "" in the namespace "n"',
    ],
  ])('%s is refused in the words of a real server', async (request, message) => {
    expect(told(await guarded().send(request, undefined, asAlice))).toEqual([403, message]);
  });

  test('who shows nothing may look at health and version, and nothing else', async () => {
    const api = guarded();
    const asked = ['/healthz', '/version', '/api', paths.configMaps];
    const codes = await Promise.all(
      asked.map(async (path) => (await api.send(`GET ${path}`, undefined, asNobody)).code),
    );
    expect(codes).toEqual([200, 200, 403, 403]);
  });

  test('without it everybody may do everything', async () => {
    const api = new ServerUnderTest({ users });
    onTestFinished(() => api.server.close());
    expect((await api.send(`POST ${paths.configMaps}`, configMap('x'), asAlice)).code).toBe(201);
    expect((await api.send(`POST ${roles}`, role('more', allow('secrets', '*')), asAlice)).code).toBe(201);
  });

  test('the first roles are made of their parts, without a write of the controller', async () => {
    const api = new ServerUnderTest({ users, controllers: { workloads: false } });
    onTestFinished(() => api.server.close());
    const seen: string[] = [];
    api.server.registry.onChange(({ resource }) => void seen.push(resource.plural));
    await api.server.idle();
    expect(seen).not.toContain('clusterroles');
    const { rules } = await api.ok(`GET ${rbac}/clusterroles/admin`);
    expect((rules as JsonObject[]).length).toBeGreaterThan(20);
  });
});

test('API-S2: who may patch may not yet create by an apply', async () => {
  const api = guarded();
  await grant(api, 'patches', allow('configmaps', 'patch', 'get'));
  const apply = (): Promise<Reply> =>
    api.send(`PATCH ${paths.configMaps}/x?fieldManager=m`, configMap('x'), {
      ...asAlice,
      type: 'application/apply-patch+yaml',
    });
  expect(told(await apply())).toEqual([
    403,
    'configmaps "x" is forbidden: User "alice" cannot create resource "configmaps" in API group "" in the namespace "default"',
  ]);
  expect((await api.send(`GET ${paths.configMaps}/x`)).code).toBe(404);
  await api.ok(`POST ${paths.configMaps}`, configMap('x'));
  expect((await apply()).code).toBe(200);
});

describe('API-Z2: nobody grants what they do not have', () => {
  const writes = {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
    verbs: ['create', 'update', 'patch'],
  };
  const missing =
    'user "alice" (groups=["team" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';

  async function writer(...more: JsonObject[]): Promise<ServerUnderTest> {
    const api = guarded();
    await grant(api, 'writer', writes, allow('configmaps', 'get'), ...more);
    await api.ok(`POST ${roles}`, role('secrets', allow('secrets', 'get')));
    return api;
  }

  test('by a role, and the store stays as it was', async () => {
    const api = await writer();
    expect((await api.send(`POST ${roles}`, role('mine', allow('configmaps', 'get')), asAlice)).code).toBe(201);
    const { resourceVersion } = (await api.ok(`GET ${roles}`))['metadata'] as JsonObject;
    expect(told(await api.send(`POST ${roles}`, role('more', allow('secrets', 'get')), asAlice))).toEqual([
      403,
      `roles.rbac.authorization.k8s.io "more" is forbidden: ${missing}`,
    ]);
    const patch = { rules: [allow('secrets', 'get')] };
    const asking = { ...asAlice, type: 'application/merge-patch+json' };
    expect((await api.send(`PATCH ${roles}/mine`, patch, asking)).code).toBe(403);
    expect((await api.ok(`GET ${roles}`))['metadata']).toMatchObject({ resourceVersion });
  });

  test('by a binding', async () => {
    const api = await writer();
    expect(told(await api.send(`POST ${bindings}`, bind('secrets'), asAlice))).toEqual([
      403,
      `rolebindings.rbac.authorization.k8s.io "secrets" is forbidden: ${missing}`,
    ]);
    expect(told(await api.send(`POST ${bindings}`, bind('nothing'), asAlice))).toEqual([
      404,
      'rolebindings.rbac.authorization.k8s.io "nothing" not found',
    ]);
  });

  test('unless they may escalate or bind', async () => {
    const api = await writer(
      { ...writes, resources: ['roles'], verbs: ['escalate'] },
      { ...writes, resources: ['roles'], verbs: ['bind'], resourceNames: ['secrets'] },
    );
    expect((await api.send(`POST ${roles}`, role('more', allow('secrets', 'get')), asAlice)).code).toBe(201);
    expect((await api.send(`POST ${bindings}`, bind('secrets'), asAlice)).code).toBe(201);
  });
});

test('API-Z1: members of system:masters may do everything, without any role', async () => {
  const api = guarded();
  await api.ok('DELETE /apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin');
  expect((await api.send('GET /api/v1/secrets')).code).toBe(200);
  const spec = { user: 'any', groups: ['system:masters'], nonResourceAttributes: { path: '/metrics', verb: 'get' } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  expect((await api.ok(`POST ${reviews}/subjectaccessreviews`, review))['status']).toEqual({ allowed: true });
});

describe('API-Z3: reviews', () => {
  const asks = (kind: string, spec: JsonObject): JsonObject => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
  const gets = { namespace: 'default', verb: 'get', resource: 'configmaps' };

  test('say what somebody may do, with the binding that allows it', async () => {
    const api = guarded();
    await grant(api, 'gets', allow('configmaps', 'get'));
    const spec = { user: 'alice', resourceAttributes: gets };
    const answered = await api.send(`POST ${reviews}/subjectaccessreviews`, asks('SubjectAccessReview', spec));
    expect(answered).toMatchObject({
      code: 201,
      body: {
        status: { allowed: true, reason: 'RBAC: allowed by RoleBinding "gets/default" of Role "gets" to User "alice"' },
      },
    });
    const elsewhere = { ...spec, resourceAttributes: { ...gets, namespace: 'kube-system' } };
    const other = await api.ok(`POST ${reviews}/subjectaccessreviews`, asks('SubjectAccessReview', elsewhere));
    expect(other['status']).toEqual({ allowed: false });
  });

  test('of oneself need no right, and list all rules', async () => {
    const api = guarded();
    await grant(api, 'gets', allow('configmaps', 'get'));
    const self = asks('SelfSubjectAccessReview', { resourceAttributes: gets });
    expect((await api.ok(`POST ${reviews}/selfsubjectaccessreviews`, self, asAlice))['status']).toMatchObject({
      allowed: true,
    });
    const path = asks('SelfSubjectAccessReview', { nonResourceAttributes: { path: '/metrics', verb: 'get' } });
    expect((await api.ok(`POST ${reviews}/selfsubjectaccessreviews`, path, asAlice))['status']).toEqual({
      allowed: false,
    });
    const rules = asks('SelfSubjectRulesReview', { namespace: 'default' });
    const { status } = await api.ok(`POST ${reviews}/selfsubjectrulesreviews`, rules, asAlice);
    expect((status as JsonObject)['resourceRules']).toContainEqual({
      verbs: ['get'],
      apiGroups: [''],
      resources: ['configmaps'],
    });
    expect(
      told(
        await api.send(`POST ${reviews}/subjectaccessreviews`, asks('SubjectAccessReview', { user: 'bob' }), asAlice),
      ),
    ).toEqual([
      403,
      'subjectaccessreviews.authorization.k8s.io is forbidden: User "alice" cannot create resource "subjectaccessreviews" in API group "authorization.k8s.io" at the cluster scope',
    ]);
  });

  test('of one namespace are about that namespace', async () => {
    const api = guarded();
    await grant(api, 'gets', allow('configmaps', 'get'));
    const here = `POST ${reviews}/namespaces/default/localsubjectaccessreviews`;
    const local = (spec: JsonObject): JsonObject => ({
      ...asks('LocalSubjectAccessReview', spec),
      metadata: { namespace: 'default' },
    });
    const answer = async (verb: string): Promise<unknown> =>
      (await api.ok(here, local({ user: 'alice', resourceAttributes: { ...gets, verb } })))['status'];
    expect(await answer('get')).toMatchObject({ allowed: true });
    expect(await answer('list')).toEqual({ allowed: false });
    const path = local({ user: 'alice', nonResourceAttributes: { path: '/metrics', verb: 'get' } });
    expect((await api.send(here, path)).code).toBe(422);
  });

  test('say who somebody is', async () => {
    const api = guarded();
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    expect((await api.ok(`POST ${identities}/selfsubjectreviews`, review, asAlice))['status']).toEqual({
      userInfo: {
        username: 'alice',
        uid: 'u-1',
        groups: ['team', 'system:authenticated'],
        extra: { 'example.com/scope': ['a', 'b'] },
      },
    });
    const token = (value: string): JsonObject => ({ ...review, kind: 'TokenReview', spec: { token: value } });
    expect((await api.ok(`POST ${identities}/tokenreviews`, token('alice')))['status']).toMatchObject({
      authenticated: true,
      user: { username: 'alice' },
    });
    const { status } = await api.ok(`POST ${identities}/tokenreviews`, token('nobody'));
    expect(status).not.toHaveProperty('authenticated');
  });

  test('are not stored and cannot be read', async () => {
    const api = guarded();
    const before = api.server.registry.usage();
    await api.ok(
      `POST ${reviews}/selfsubjectaccessreviews`,
      asks('SelfSubjectAccessReview', { resourceAttributes: gets }),
    );
    expect(api.server.registry.usage()).toEqual(before);
    for (const request of ['GET', 'DELETE'])
      expect((await api.send(`${request} ${reviews}/selfsubjectaccessreviews`)).code).toBe(405);
  });

  test.each([
    ['SubjectAccessReview', 'subjectaccessreviews', {}, 422],
    [
      'SubjectAccessReview',
      'subjectaccessreviews',
      { user: 'a', resourceAttributes: gets, nonResourceAttributes: { path: '/' } },
      422,
    ],
    [
      'LocalSubjectAccessReview',
      'namespaces/kube-system/localsubjectaccessreviews',
      { user: 'a', resourceAttributes: gets },
      422,
    ],
    ['SelfSubjectRulesReview', 'selfsubjectrulesreviews', {}, 400],
  ])('%s that does not say what it asks is refused', async (kind, path, spec, code) => {
    expect((await guarded().send(`POST ${reviews}/${path}`, asks(kind, spec))).code).toBe(code);
  });
});
