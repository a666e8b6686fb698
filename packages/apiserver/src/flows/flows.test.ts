import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Access } from '../rbac/index.ts';
import { isAbout } from './flow-rules.ts';
import { danglingCondition, nominalSeats } from './priority-levels.ts';

const ada = { name: 'ada', groups: ['editors', 'system:authenticated'] };
const robot = { name: 'system:serviceaccount:ops:robot', groups: ['system:authenticated'] };
const inNamespace: Access = { verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'n', name: 'x' };
const ofCluster: Access = { ...inNamespace, resource: 'nodes', namespace: '' };
const path = (name: string): Access => ({ verb: 'get', path: name });

const byUser = (name: string): JsonObject => ({ kind: 'User', user: { name } });
const byGroup = (name: string): JsonObject => ({ kind: 'Group', group: { name } });
const byAccount = (namespace: string, name: string): JsonObject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name },
});
const onPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['n'] };
const schema = (subject: JsonObject, resource: JsonObject = onPods, paths: readonly string[] = []): JsonObject => ({
  spec: {
    rules: [
      {
        subjects: [subject],
        resourceRules: [resource],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: [...paths] }],
      },
    ],
  },
});

describe('API-Z7: a flow schema is about', () => {
  test.each<[string, JsonObject, typeof ada, Access, boolean]>([
    ['its user', schema(byUser('ada')), ada, inNamespace, true],
    ['nobody else', schema(byUser('eve')), ada, inNamespace, false],
    ['every user', schema(byUser('*')), ada, inNamespace, true],
    ['its group', schema(byGroup('editors')), ada, inNamespace, true],
    ['no other group', schema(byGroup('readers')), ada, inNamespace, false],
    ['every group', schema(byGroup('*')), ada, inNamespace, true],
    ['its account', schema(byAccount('ops', 'robot')), robot, inNamespace, true],
    ['no account of the same name', schema(byAccount('dev', 'robot')), robot, inNamespace, false],
    ['no account whose name goes on', schema(byAccount('ops', 'rob')), robot, inNamespace, false],
    ['all accounts of a namespace', schema(byAccount('ops', '*')), robot, inNamespace, true],
    ['not those of another', schema(byAccount('op', '*')), robot, inNamespace, false],
    ['no other verb', schema(byUser('ada'), { ...onPods, verbs: ['list'] }), ada, inNamespace, false],
    ['every verb', schema(byUser('ada'), { ...onPods, verbs: ['*'] }), ada, inNamespace, true],
    ['no other group of resources', schema(byUser('ada'), { ...onPods, apiGroups: ['apps'] }), ada, inNamespace, false],
    ['no other resource', schema(byUser('ada'), { ...onPods, resources: ['nodes'] }), ada, inNamespace, false],
    ['no subresource', schema(byUser('ada')), ada, { ...inNamespace, subresource: 'log' }, false],
    [
      'a subresource it names',
      schema(byUser('ada'), { ...onPods, resources: ['pods/log'] }),
      ada,
      { ...inNamespace, subresource: 'log' },
      true,
    ],
    ['no other namespace', schema(byUser('ada')), ada, { ...inNamespace, namespace: 'm' }, false],
    ['every namespace', schema(byUser('ada'), { ...onPods, namespaces: ['*'] }), ada, inNamespace, true],
    ['no cluster by namespaces', schema(byUser('ada'), { ...onPods, resources: ['*'] }), ada, ofCluster, false],
    [
      'the cluster where it says so',
      schema(byUser('ada'), { ...onPods, resources: ['*'], clusterScope: true }),
      ada,
      ofCluster,
      true,
    ],
    ['a path', schema(byUser('ada'), onPods, ['/healthz']), ada, path('/healthz'), true],
    ['paths below, without a star', schema(byUser('ada'), onPods, ['/healthz']), ada, path('/healthz/ping'), true],
    ['and with one', schema(byUser('ada'), onPods, ['/healthz/*']), ada, path('/healthz/ping'), true],
    ['no path that only begins so', schema(byUser('ada'), onPods, ['/health']), ada, path('/healthz'), false],
    ['every path', schema(byUser('ada'), onPods, ['*']), ada, path('/x'), true],
    ['no path by resources', schema(byUser('ada'), { ...onPods, resources: ['*'] }), ada, path('/pods'), false],
  ])('%s', (_, given, user, access, about) => {
    expect(isAbout(given, user, access)).toBe(about);
  });
});

const named = (level: string, status: JsonObject = {}): JsonObject => ({
  spec: { priorityLevelConfiguration: { name: level } },
  status,
});

test('API-Z7: a schema whose level is not there is dangling, and told so once', () => {
  const missing = danglingCondition(named('x'), new Set(['y']));
  expect(missing).toEqual({
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "x" but there is no such object',
  });
  const known = named('x', { conditions: [{ ...missing, lastTransitionTime: 'then' }] });
  expect(danglingCondition(known, new Set())).toBeUndefined();
  expect(danglingCondition(known, new Set(['x']))).toMatchObject({ status: 'False', reason: 'Found' });
});

test('API-Z7: levels have seats by their shares', () => {
  const limited = (name: string, shares: number): JsonObject => ({
    metadata: { name },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: shares } },
  });
  const exempt = { metadata: { name: 'free' }, spec: { type: 'Exempt', exempt: {} } };
  expect(nominalSeats([limited('a', 1), limited('b', 6), exempt])).toEqual([
    { level: 'a', seats: 86 },
    { level: 'b', seats: 515 },
    { level: 'free', seats: 0 },
  ]);
  expect(nominalSeats([exempt])).toEqual([{ level: 'free', seats: 0 }]);
});
