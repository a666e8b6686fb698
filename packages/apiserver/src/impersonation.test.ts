// Acting as somebody else: by whom, as whom, and what is refused.
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RecordedRequest } from './http/index.ts';
import { paths, type Reply, ServerUnderTest } from './server-under-test.test-support.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const who = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  alice: { name: 'alice', groups: ['team'] },
  kubelet: {
    name: 'system:serviceaccount:default:agent',
    groups: ['system:serviceaccounts'],
    extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
  },
};

type Headers = Readonly<Record<string, string>>;

class Impersonating extends ServerUnderTest {
  readonly seen: RecordedRequest[];

  constructor(authorization: 'RBAC' | 'AlwaysAllow' = 'RBAC') {
    const seen: RecordedRequest[] = [];
    super({ users, authorization, onRequest: (request) => void seen.push(request) });
    this.seen = seen;
    onTestFinished(() => this.server.close());
  }

  as(user: string, headers: Headers, request = `GET ${paths.configMaps}`): Promise<Reply> {
    return this.send(request, request.startsWith('POST') ? who : undefined, {
      headers: { authorization: `Bearer ${user}`, ...headers },
    });
  }

  async whoIs(headers: Headers, user = 'admin'): Promise<unknown> {
    const { body, text } = await this.as(user, headers, `POST ${reviews}`);
    return (body['status'] as JsonObject | undefined)?.['userInfo'] ?? text;
  }

  /** Rights at the cluster scope. */
  async grant(name: string, user: string, ...rules: JsonObject[]): Promise<void> {
    const metadata = { name };
    await this.ok(`POST ${rbac}/clusterroles`, { metadata, rules });
    await this.ok(`POST ${rbac}/clusterrolebindings`, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
    });
  }
}

const rule = (verb: string, resource: string, ...resourceNames: string[]): JsonObject => ({
  apiGroups: ['', 'authentication.k8s.io'],
  resources: [resource],
  verbs: [verb],
  ...(resourceNames.length > 0 && { resourceNames }),
});
const told = ({ code, body }: Reply): unknown => [code, body['message']];
const message = ({ body }: Reply): unknown => body['message'];
const carol = { 'impersonate-user': 'carol' };

describe('API-Z4: who is impersonated', () => {
  test.each([
    [carol, { username: 'carol', groups: ['system:authenticated'] }],
    [
      { ...carol, 'impersonate-group': 'devs', 'impersonate-uid': '7', 'impersonate-extra-a': 'b' },
      { username: 'carol', uid: '7', groups: ['devs', 'system:authenticated'], extra: { a: ['b'] } },
    ],
    [
      { ...carol, 'impersonate-group': 'system:unauthenticated' },
      { username: 'carol', groups: ['system:unauthenticated'] },
    ],
    [{ 'impersonate-user': 'system:anonymous' }, { username: 'system:anonymous', groups: ['system:unauthenticated'] }],
    [
      { 'impersonate-user': 'system:serviceaccount:shop:robot' },
      {
        username: 'system:serviceaccount:shop:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:shop:Robot' },
      { username: 'system:serviceaccount:shop:Robot', groups: ['system:authenticated'] },
    ],
    [
      { 'impersonate-user': 'system:node:n1' },
      { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    ],
    [
      { 'impersonate-user': 'system:node:n1', 'impersonate-uid': 'u' },
      { username: 'system:node:n1', uid: 'u', groups: ['system:authenticated'] },
    ],
  ])('%j is %j', async (headers, user) => {
    expect(await new Impersonating('AlwaysAllow').whoIs(headers)).toEqual(user);
    const { code } = await new Impersonating().as('admin', headers, `POST ${reviews}`);
    // Whoever is not authenticated may not even ask.
    expect(code).toBe(user.groups.includes('system:unauthenticated') ? 403 : 201);
  });

  test('has the rights of that user alone, and the requests tell both', async () => {
    const api = new Impersonating();
    expect(told(await api.as('admin', carol))).toEqual([
      403,
      'configmaps is forbidden: User "carol" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ]);
    expect((await api.as('admin', { ...carol, 'impersonate-group': 'system:masters' })).code).toBe(200);
    expect(api.seen.map(({ user, actingAs, status }) => [user, actingAs, status])).toEqual([
      ['admin', 'carol', 403],
      ['admin', 'carol', 200],
    ]);
  });

  test('must be named, and a wrong token is 401 whoever is named', async () => {
    const api = new Impersonating();
    expect(told(await api.as('admin', { 'impersonate-group': 'g', 'impersonate-extra-b': 'x' }))).toEqual([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string{"b":[]string{"x"}}} without impersonating a user name',
    ]);
    expect((await api.as('nope', carol)).code).toBe(401);
  });
});

describe('API-Z4: who may impersonate', () => {
  test('needs the verb impersonate for each part, in the group each part is of', async () => {
    const api = new Impersonating();
    const refused = (what: string, where = '""'): string =>
      `${what} is forbidden: User "alice" cannot impersonate resource "${what.split(' ')[0]?.split('.')[0] ?? ''}" in API group ${where} at the cluster scope`;
    await api.grant('reads', 'carol', rule('list', 'configmaps'));
    expect((await api.as('alice', carol)).code).toBe(403);
    await api.grant('be', 'alice', rule('impersonate', 'users', 'carol'), rule('impersonate-on:user-info:list', '*'));
    expect((await api.as('alice', carol)).code).toBe(200);
    expect((await api.as('alice', { 'impersonate-user': 'dave' })).code).toBe(403);
    const parts = [
      [{ 'impersonate-group': 'devs' }, rule('impersonate', 'groups', 'devs')],
      [{ 'impersonate-uid': '7' }, rule('impersonate', 'uids', '7')],
      [{ 'impersonate-extra-scope': 'x' }, rule('impersonate', 'userextras/scope', 'x')],
    ] as const;
    for (const [index, [headers, right]] of parts.entries()) {
      expect([headers, (await api.as('alice', { ...carol, ...headers })).code]).toEqual([headers, 403]);
      await api.grant(`part-${index}`, 'alice', right);
      expect([headers, (await api.as('alice', { ...carol, ...headers })).code]).toEqual([headers, 200]);
    }
    const account = { 'impersonate-user': 'system:serviceaccount:shop:robot', 'impersonate-group': 'devs' };
    expect(message(await api.as('alice', account))).toBe(
      refused('serviceaccounts "robot"').replace('at the cluster scope', 'in the namespace "shop"'),
    );
  });

  test('is told what is missing in the words of the first way that could be gone', async () => {
    const api = new Impersonating();
    const start = 'configmaps is forbidden: User "alice" cannot';
    const rest = 'resource "configmaps" in API group "" in the namespace "default"';
    expect(message(await api.as('alice', carol))).toBe(`${start} impersonate-on:user-info:list ${rest}`);
    expect(message(await api.as('alice', { 'impersonate-user': 'system:serviceaccount:a:b' }))).toBe(
      `${start} impersonate-on:serviceaccount:list ${rest}`,
    );
    expect(message(await api.as('alice', { 'impersonate-user': 'system:node:n1' }))).toBe(
      `${start} impersonate-on:arbitrary-node:list ${rest}`,
    );
    expect(message(await api.as('alice', carol, 'GET /version'))).toBe(
      'forbidden: User "alice" cannot impersonate-on:user-info:get path "/version"',
    );
  });

  test('in a limited way never gets system:masters, an empty group, or an extra without a domain', async () => {
    const api = new Impersonating();
    await api.grant('reads', 'carol', rule('list', 'configmaps'));
    await api.grant(
      'be',
      'alice',
      rule('impersonate-on:user-info:list', 'configmaps'),
      rule('impersonate:user-info', 'users', 'carol'),
      rule('impersonate:user-info', 'groups'),
      rule('impersonate:user-info', 'userextras/example.com/scope'),
    );
    const as = (headers: Headers): Promise<Reply> => api.as('alice', { ...carol, ...headers });
    expect((await as({})).code).toBe(200);
    expect((await api.as('alice', carol, `GET ${paths.configMaps}/x`)).code).toBe(403);
    expect((await as({ 'impersonate-group': 'devs', 'impersonate-extra-example.com%2fscope': 'x' })).code).toBe(200);
    const groups = 'User "alice" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io"';
    expect(told(await as({ 'impersonate-group': 'system:masters' }))).toEqual([
      403,
      `groups.authentication.k8s.io "system:masters" is forbidden: ${groups} at the cluster scope: impersonating the system:masters group is not allowed`,
    ]);
    expect(message(await as({ 'impersonate-group': '' }))).toBe(
      `groups.authentication.k8s.io is forbidden: ${groups} at the cluster scope: impersonating the empty string group is not allowed`,
    );
    expect(message(await as({ 'impersonate-extra-scope': 'x' }))).toContain(
      'impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "scope": must be a domain-prefixed path (such as "acme.io/foo")',
    );
    expect(message(await as({ 'impersonate-extra-example.com%2fA': 'x' }))).toContain('non-lowercase key');
    expect(message(await as({ 'impersonate-extra-example.com%2fscope': '' }))).toContain('empty string value');
  });

  test('as the node it runs on, a service account needs the right for that alone', async () => {
    const api = new Impersonating();
    const agent = 'system:serviceaccount:default:agent';
    await api.grant(
      'be',
      agent,
      rule('impersonate:associated-node', 'nodes'),
      rule('impersonate-on:associated-node:create', 'selfsubjectreviews'),
    );
    await api.grant('node', 'system:node:n1', rule('create', 'selfsubjectreviews'));
    expect(await api.whoIs({ 'impersonate-user': 'system:node:n1' }, 'kubelet')).toMatchObject({
      username: 'system:node:n1',
    });
    expect((await api.as('kubelet', { 'impersonate-user': 'system:node:n2' }, `POST ${reviews}`)).code).toBe(403);
  });
});
