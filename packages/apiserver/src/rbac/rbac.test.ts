import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { aggregatedRules } from './aggregation.ts';
import { describeMissing, missingRules } from './coverage.ts';
import { decide, rulesFor } from './decide.ts';
import { type Access, type PolicyRule, type ResourceAccess, ruleAllows } from './policy-rule.ts';
import { RoleBook, type StoredRoles } from './role-book.ts';

const on = (verb: string, what: Partial<ResourceAccess> = {}): Access => {
  return { verb, group: '', resource: 'pods', subresource: '', namespace: 'n', name: '', ...what };
};
const rule = (more: Partial<PolicyRule> = {}): PolicyRule => {
  return { verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more };
};

describe('API-Z2: a rule', () => {
  test.each<[string, PolicyRule, Access, boolean]>([
    ['allows what it names', rule(), on('get'), true],
    ['no other verb', rule(), on('list'), false],
    ['no other group', rule(), on('get', { group: 'apps' }), false],
    ['no other resource', rule(), on('get', { resource: 'secrets' }), false],
    ['every verb', rule({ verbs: ['*'] }), on('watch'), true],
    ['every group', rule({ apiGroups: ['*'] }), on('get', { group: 'apps' }), true],
    ['every resource', rule({ resources: ['*'] }), on('get', { resource: 'x', subresource: 'y' }), true],
    ['not its subresource', rule(), on('get', { subresource: 'status' }), false],
    ['a subresource', rule({ resources: ['pods/status'] }), on('get', { subresource: 'status' }), true],
    ['and not the resource', rule({ resources: ['pods/status'] }), on('get'), false],
    ['a subresource of all', rule({ resources: ['*/status'] }), on('get', { subresource: 'status' }), true],
    ['which is not a resource', rule({ resources: ['*/'] }), on('get'), false],
    ['one name', rule({ resourceNames: ['a'] }), on('get', { name: 'a' }), true],
    ['no other name', rule({ resourceNames: ['a'] }), on('get', { name: 'b' }), false],
    ['no nameless access', rule({ resourceNames: ['a'] }), on('get'), false],
    ['a path', { verbs: ['get'], nonResourceURLs: ['/a'] }, { verb: 'get', path: '/a' }, true],
    ['no path below', { verbs: ['get'], nonResourceURLs: ['/a'] }, { verb: 'get', path: '/a/b' }, false],
    ['paths below', { verbs: ['get'], nonResourceURLs: ['/a/*'] }, { verb: 'get', path: '/a/b/c' }, true],
    ['all paths', { verbs: ['get'], nonResourceURLs: ['*'] }, { verb: 'get', path: '/a' }, true],
    ['no path by resources', rule({ resources: ['*'], verbs: ['*'] }), { verb: 'get', path: '/a' }, false],
    ['no resource by paths', { verbs: ['*'], nonResourceURLs: ['*'] }, on('get'), false],
  ])('%s', (_, given, access, allowed) => {
    expect(ruleAllows(given, access)).toBe(allowed);
  });
});

describe('API-Z2: what is missing of rules somebody wants to hand on', () => {
  const missing = (held: PolicyRule[], ...wanted: PolicyRule[]): string => describeMissing(missingRules(held, wanted));
  test.each<[string, PolicyRule[], PolicyRule, string]>([
    ['nothing of what is held', [rule()], rule(), ''],
    [
      'nothing where two rules hold it together',
      [rule(), rule({ verbs: ['list'] })],
      rule({ verbs: ['get', 'list'] }),
      '',
    ],
    ['one verb', [rule()], rule({ verbs: ['get', 'list'] }), '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'],
    ['the star of verbs', [rule()], rule({ verbs: ['*'] }), '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    [
      'a subresource',
      [rule()],
      rule({ resources: ['pods/exec'] }),
      '{APIGroups:[""], Resources:["pods/exec"], Verbs:["get"]}',
    ],
    ['nothing below */exec', [rule({ resources: ['*/exec'] })], rule({ resources: ['pods/exec'] }), ''],
    [
      'all names where one is held',
      [rule({ resourceNames: ['a'] })],
      rule(),
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    ],
    ['no name where all are held', [rule()], rule({ resourceNames: ['a'] }), ''],
    [
      'verbs of one resource together, resources apart and sorted',
      [],
      rule({ resources: ['pods', 'nodes'], verbs: ['get', 'list'] }),
      '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    ],
    [
      'paths one by one',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      { verbs: ['get', 'put'], nonResourceURLs: ['/a/b'] },
      '{NonResourceURLs:["/a/b"], Verbs:["put"]}',
    ],
  ])('%s', (_, held, wanted, expected) => {
    expect(missing(held, wanted)).toBe(expected);
  });
});

const binding = (name: string, roleRef: JsonObject, subjects: JsonObject[], namespace?: string): JsonObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  roleRef,
  subjects,
});
const role = (name: string, resource: string, namespace?: string): JsonObject => ({
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  rules: [{ verbs: ['get'], apiGroups: [''], resources: [resource] }],
});

const stored: StoredRoles = {
  roles: [role('local', 'secrets', 'n')],
  clusterRoles: [role('wide', 'pods')],
  clusterRoleBindings: [binding('all', { kind: 'ClusterRole', name: 'wide' }, [{ kind: 'Group', name: 'team' }])],
  roleBindings: [
    binding('here', { kind: 'Role', name: 'local' }, [{ kind: 'ServiceAccount', name: 'robot' }], 'n'),
    binding('lost', { kind: 'Role', name: 'nothing' }, [{ kind: 'User', name: 'eve' }], 'n'),
    binding('narrow', { kind: 'ClusterRole', name: 'wide' }, [{ kind: 'User', name: 'eve' }], 'n'),
  ],
};

describe('API-Z2: bindings', () => {
  const book = new RoleBook(stored);
  const user = (name: string, ...groups: string[]) => ({ name, groups });
  const robot = user('system:serviceaccount:n:robot');

  test.each<[string, ReturnType<typeof user>, Access, boolean, string]>([
    [
      'of a group',
      user('a', 'team'),
      on('get'),
      true,
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "wide" to Group "team"',
    ],
    [
      'in every namespace',
      user('a', 'team'),
      on('get', { namespace: 'other' }),
      true,
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "wide" to Group "team"',
    ],
    [
      'of a service account',
      robot,
      on('get', { resource: 'secrets' }),
      true,
      'RBAC: allowed by RoleBinding "here/n" of Role "local" to ServiceAccount "robot/n"',
    ],
    ['end at their namespace', robot, on('get', { resource: 'secrets', namespace: 'other' }), false, ''],
    ['do not count at the cluster scope', user('eve'), on('get', { namespace: '' }), false, ''],
    [
      'of a ClusterRole in a namespace',
      user('eve'),
      on('get'),
      true,
      'RBAC: allowed by RoleBinding "narrow/n" of ClusterRole "wide" to User "eve"',
    ],
    [
      'that lead nowhere are told',
      user('eve'),
      on('list'),
      false,
      'RBAC: role.rbac.authorization.k8s.io "nothing" not found',
    ],
    ['of nobody', user('mallory'), on('get'), false, ''],
    ['are not asked for masters', user('root', 'system:masters'), on('delete'), true, ''],
    ['of another with that name', user('team'), on('get'), false, ''],
  ])('%s', (_, who, access, allowed, reason) => {
    expect(decide(book, who, access)).toEqual({ allowed, reason });
  });

  test('give all their rules, and what leads nowhere beside them', () => {
    expect(rulesFor(book, user('eve', 'team'), 'n')).toMatchObject({
      rules: [{ resources: ['pods'] }, { resources: ['pods'] }],
      missing: [{ kind: 'Role', name: 'nothing' }],
    });
  });
});

test('API-Z2: an aggregated role has the rules of those it selects, each once, by name, and never its own', () => {
  const part = (name: string, resource: string): JsonObject => {
    return { ...role(name, resource), metadata: { name, labels: { part: 'yes' } } };
  };
  const whole = {
    ...part('whole', 'secrets'),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
  };
  const all = [whole, part('z', 'pods'), part('a', 'nodes'), part('b', 'pods'), role('other', 'jobs')];
  expect(aggregatedRules(whole, all).map(({ resources }) => resources)).toEqual([['nodes'], ['pods']]);
});
