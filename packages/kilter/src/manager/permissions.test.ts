import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rulesOf } from '../api/index.ts';
import { controller, type Controller, type ControllerOptions } from '../controller/index.ts';
import { customResource } from '../crd/index.ts';
import { Deployment } from '../k8s/apps/v1.ts';
import { ConfigMap, Node, Pod, Secret } from '../k8s/core/v1.ts';
import { ClusterRole, RoleBinding } from '../k8s/rbac/v1.ts';
import { validating } from '../webhook/index.ts';
import { operator } from './operator.ts';
import { part } from './part.ts';
import { rbacManifests } from './rbac-manifests.ts';

class App extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ image: z.string().optional() }),
  status: z.object({ ready: z.boolean().optional() }),
}) {}
class Plain extends customResource({ group: 'example.com', version: 'v1', kind: 'Plain', spec: z.object({}) }) {}

const nothing = (): Promise<void> => Promise.resolve();
const rule = (group: string, resources: string[], verbs: string[]): object => ({
  apiGroups: [group],
  resources,
  verbs,
});
const events = rule('events.k8s.io', ['events'], ['create', 'patch']);
const read = ['get', 'list', 'watch'];

const apps = (options: ControllerOptions<App> = {}): Controller =>
  controller(App, options)
    .owns(Deployment)
    .owns(ConfigMap, { prune: true })
    .references(Secret, () => 'a')
    .watches(Node, () => undefined)
    .cleanup('example.com/a', nothing)
    .reconcile(nothing);

const rulesFor = (...controllers: Controller[]): unknown => operator({ name: 'o', controllers }).permissions();

describe('the rules of an operator', () => {
  test('C-01 are derived from what is declared, without a wildcard', () => {
    expect(rulesFor(apps())).toEqual({
      cluster: [
        rule('', ['configmaps'], [...read, 'create', 'patch', 'delete']),
        rule('', ['nodes', 'secrets'], read),
        rule('apps', ['deployments'], [...read, 'create', 'patch']),
        events,
        rule('example.com', ['apps'], [...read, 'patch']),
        rule('example.com', ['apps/finalizers'], ['update']),
        rule('example.com', ['apps/status'], ['patch']),
      ],
      namespaces: {},
    });
    expect(JSON.stringify(rulesFor(apps()))).not.toContain('*');
  });

  test('C-01 are those of parts as well', () => {
    const sweeper = part('sweeper', { reads: [Node], writes: [ConfigMap, { kind: Pod, verbs: ['delete'] }] }, nothing);
    expect(operator({ name: 'o', parts: [sweeper] }).permissions().cluster).toEqual([
      rule('', ['configmaps'], ['get', 'create', 'patch']),
      rule('', ['nodes'], read),
      rule('', ['pods'], ['delete']),
    ]);
    const bound = operator({ name: 'o', parts: [sweeper], namespaces: ['a'] }).permissions();
    expect(Object.keys(bound.namespaces)).toEqual(['a']);
  });

  test('C-01 are for Roles where the operator is bound to namespaces, but for kinds that have none', () => {
    const permissions = operator({ name: 'o', controllers: [apps()], namespaces: ['a', 'b'] }).permissions();
    expect(permissions.cluster).toEqual([rule('', ['nodes'], read)]);
    expect(Object.keys(permissions.namespaces)).toEqual(['a', 'b']);
    expect(permissions.namespaces['a']).toContainEqual(rule('', ['secrets'], read));
    expect(permissions.namespaces['a']).toEqual(permissions.namespaces['b']);
  });

  test('a declaration bound to namespaces of its own asks for no more', () => {
    const secrets = controller(Plain)
      .reads(Secret, { namespaces: ['vault'] })
      .reconcile(nothing);
    expect(rulesFor(secrets)).toEqual({
      cluster: [events, rule('example.com', ['plains'], read)],
      namespaces: { vault: [rule('', ['secrets'], read)] },
    });
  });

  test('what is needed everywhere is not asked for again in a namespace', () => {
    const both = controller(Plain)
      .reads(Secret, { namespaces: ['vault'] })
      .watches(Secret, () => undefined)
      .reconcile(nothing);
    expect(rulesFor(both)).toMatchObject({ namespaces: {} });
  });

  test('OW-2 name the right to set finalizers of the owner only where there are children', () => {
    expect(rulesFor(controller(App).owns(Deployment).reconcile(nothing))).toMatchObject({
      cluster: expect.arrayContaining([rule('example.com', ['apps/finalizers'], ['update'])]) as object[],
    });
    expect(
      JSON.stringify(
        rulesFor(
          controller(App)
            .watches(Deployment, () => [])
            .reconcile(nothing),
        ),
      ),
    ).not.toContain('apps/finalizers');
  });

  test('EV-10 are about Events in the group that is written, where they are written', () => {
    const cluster = controller(Node).reconcile(nothing);
    expect(rulesFor(cluster)).toEqual({
      cluster: [rule('', ['nodes'], read)],
      namespaces: { default: [events] },
    });
  });

  test('a status is written where there is one, and a finalizer where it is declared', () => {
    const text = (one: Controller): string => JSON.stringify(rulesFor(one));
    expect(text(controller(Plain).reconcile(nothing))).not.toContain('/status');
    expect(rulesFor(controller(Plain).reconcile(nothing))).toMatchObject({
      cluster: [events, rule('example.com', ['plains'], read)],
    });
    expect(text(controller(Pod).reconcile(nothing))).not.toContain('pods/status');
    expect(
      text(
        controller(Pod)
          .onError(() => undefined)
          .reconcile(nothing),
      ),
    ).toContain('pods/status');
    expect(rulesFor(controller(Plain).reconcileKey(nothing))).toMatchObject({
      cluster: [events, rule('example.com', ['plains'], [...read, 'patch'])],
    });
  });

  test('writes names its verbs and subresources', () => {
    const evicts = controller(Plain)
      .reads(Pod)
      .writes(Pod, { verbs: ['create'], subresource: 'eviction' })
      .writes(ConfigMap, { namespaces: ['shop'] })
      .writes(Secret, { verbs: ['delete'] })
      .reconcile(nothing);
    expect(rulesFor(evicts)).toEqual({
      cluster: [
        rule('', ['pods'], read),
        rule('', ['pods/eviction'], ['create']),
        rule('', ['secrets'], ['delete']),
        events,
        rule('example.com', ['plains'], read),
      ],
      namespaces: { shop: [rule('', ['configmaps'], ['get', 'create', 'patch'])] },
    });
  });

  test('rights to hand out roles can be declared, of single ones, and are never used by a request', () => {
    const hands = controller(Plain)
      .owns(RoleBinding)
      .writes(ClusterRole, { verbs: ['bind'], names: ['admin'] })
      .reconcile(nothing);
    const bind = { ...rule('rbac.authorization.k8s.io', ['clusterroles'], ['bind']), resourceNames: ['admin'] };
    const given = operator({ name: 'o', controllers: [hands] });
    expect(given.permissions().cluster).toContainEqual(bind);
    expect(given.needs().find(({ verb }) => verb === 'bind')).toMatchObject({ names: ['admin'], occasional: true });
  });

  test('a Secret for certificates is created once: no test has to come to it', () => {
    const served = operator({ name: 'o', webhooks: [validating(Plain, () => undefined)] }).needs();
    const verbs = served
      .filter(({ resource }) => resource === 'secrets')
      .map(({ verb, occasional }) => [verb, occasional]);
    expect(verbs).toEqual([
      ['create', true],
      ['get', undefined],
      ['update', true],
    ]);
  });

  test('configurations of webhooks are read and kept under the name of the operator, which may make them', () => {
    const served = operator({ name: 'o', webhooks: [validating(Plain, () => undefined)] }).needs();
    for (const resource of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) {
      const own = served.filter((need) => need.resource === resource);
      expect(own.map(({ verb, names, occasional }) => [verb, names, occasional])).toEqual([
        ['get', ['o'], undefined],
        ['patch', ['o'], true],
        ['delete', ['o'], true],
        ['create', undefined, true],
      ]);
    }
  });

  test('the Secret of certificates is in the namespace the operator runs in', () => {
    const served = operator({ name: 'o', webhooks: [validating(Plain, () => undefined)] });
    expect(Object.keys(served.permissions().namespaces)).toEqual(['default']);
    expect(Object.keys(served.permissions({ namespace: 'ops' }).namespaces)).toEqual(['ops']);
  });

  test('the Lease is named, in the namespace the operator runs in', () => {
    const elected = operator({ name: 'o', controllers: [apps()], leaderElection: true });
    const lease = [
      rule('coordination.k8s.io', ['leases'], ['create']),
      { ...rule('coordination.k8s.io', ['leases'], ['get', 'watch', 'update']), resourceNames: ['o'] },
    ];
    // Beside it what is known of crashes, and the mark on what causes them: apps can be patched anyway, to hold them.
    const crashes = { ...rule('coordination.k8s.io', ['leases'], ['get', 'patch']), resourceNames: ['o-crashes'] };
    expect(elected.permissions().namespaces).toEqual({ default: [...lease, crashes] });
    expect(elected.permissions({ namespace: 'ops' }).namespaces).toEqual({ ops: [...lease, crashes] });
    const plain = operator({ name: 'o', controllers: [controller(Plain).reconcile(nothing)], leaderElection: true });
    expect(plain.permissions().cluster).toContainEqual(rule('example.com', ['plains'], [...read, 'patch']));
    const off = controller(Plain, { quarantine: false }).reconcile(nothing);
    const without = operator({ name: 'o', controllers: [off], leaderElection: true }).permissions();
    expect(without.cluster).toContainEqual(rule('example.com', ['plains'], read));
    expect(without.namespaces).toEqual({ default: lease });
    const bound = operator({ name: 'o', namespaces: ['a'], leaderElection: { namespace: 'ops' } });
    expect(bound.permissions({ namespace: 'other' })).toEqual({ cluster: [], namespaces: { ops: [...lease, events] } });
  });

  test('verbs stand in the order of the API, others behind them', () => {
    const about = { group: '', resource: 'a', namespaces: undefined, why: '' };
    const verbs = ['use', 'patch', 'bind', 'get', 'create'].map((verb) => ({ ...about, verb }));
    expect(rulesOf(verbs)).toEqual([rule('', ['a'], ['get', 'create', 'patch', 'bind', 'use'])]);
  });
});

test.each([
  [
    { verbs: ['get'] },
    "writes(Secret): verbs are some of create, update, patch, delete, deletecollection, bind, escalate, not 'get'",
  ],
  [{ verbs: [] }, 'writes(Secret): verbs are some of'],
  [{ subresource: 'a/b' }, "writes(Secret): a subresource is one lower-case word, not 'a/b'"],
  [{ namespaces: [] }, 'writes(Secret): namespaces must name at least one'],
  [{ verbs: ['delete'], names: [] }, 'writes(Secret): names must name at least one object, not []'],
  [{ names: ['a'] }, 'writes(Secret): the verb create cannot be limited by names'],
  [
    { verbs: ['patch', 'deletecollection'], names: ['a'] },
    'writes(Secret): the verb deletecollection cannot be limited',
  ],
])('writes refuses %j', (options, message) => {
  const build = (): unknown =>
    controller(Plain)
      .writes(Secret, options as never)
      .reconcile(nothing);
  expect(build).toThrow(message);
});

test('an option that is misspelled is refused', async () => {
  const shop = operator({ name: 'shop' });
  const misspelled = { namspace: 'shop' } as never;
  const text = "has no option 'namspace'; it has ";
  expect(() => shop.permissions(misspelled)).toThrow(`permissions ${text}namespace`);
  expect(() => shop.needs(misspelled)).toThrow(`needs ${text}namespace`);
  expect(() => rbacManifests(shop, misspelled)).toThrow(`rbacManifests ${text}namespace, serviceAccount, flowSchema`);
  expect(() => rbacManifests(shop, 'shop' as never)).toThrow("rbacManifests takes an object of options, not 'shop'");
  await expect(shop.start(misspelled)).rejects.toThrow(`start ${text}signal, connection, runtime, logger, serve`);
});

test('manifests bind the rules to the ServiceAccount', () => {
  const shop = operator({ name: 'shop', controllers: [apps({ namespaces: ['a'] })], leaderElection: true });
  const made = rbacManifests(shop, { namespace: 'ops', serviceAccount: 'robot' });
  expect(made.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)).toEqual([
    'ServiceAccount ops/robot',
    'ClusterRole /shop',
    'ClusterRoleBinding /shop',
    'Role a/shop',
    'RoleBinding a/shop',
    'Role ops/shop',
    'RoleBinding ops/shop',
  ]);
  const { cluster, namespaces } = shop.permissions({ namespace: 'ops' });
  expect(made[1]).toMatchObject({ rules: cluster });
  expect(made[3]).toMatchObject({ rules: namespaces['a'] });
  const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'ops' }];
  expect(made[2]).toMatchObject({ subjects, roleRef: { kind: 'ClusterRole', name: 'shop' } });
  expect(made[4]).toMatchObject({ subjects, roleRef: { kind: 'Role', name: 'shop' } });
});

test('G-4: the FlowSchema is about the namespace with the Leases, not about those in which objects are watched', () => {
  const shop = operator({ name: 'shop', controllers: [apps({ namespaces: ['a'] })], leaderElection: true });
  const flow = rbacManifests(shop, { namespace: 'ops', flowSchema: true }).at(-1);
  expect(flow?.kind).toBe('FlowSchema');
  const rules = (flow as unknown as { spec: { rules: { resourceRules: { namespaces: string[] }[] }[] } }).spec.rules;
  expect(rules.flatMap(({ resourceRules }) => resourceRules.flatMap(({ namespaces }) => namespaces))).toEqual(['ops']);
});

test('manifests of an operator without cluster-wide needs hold no ClusterRole', () => {
  const kinds = rbacManifests(operator({ name: 'o', leaderElection: true })).map(({ kind }) => kind);
  expect(kinds).toEqual(['ServiceAccount', 'Role', 'RoleBinding']);
});

test('G-4: manifests hold a FlowSchema for the Leases on demand, before the one of all ServiceAccounts, and none without leader election', () => {
  const options = { namespace: 'ops', serviceAccount: 'robot', flowSchema: true };
  const made = rbacManifests(operator({ name: 'o', leaderElection: true }), options);
  expect(made.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'FlowSchema']);
  expect(made.at(-1)).toMatchObject({
    metadata: { name: 'ops-o-leases' },
    spec: {
      priorityLevelConfiguration: { name: 'leader-election' },
      rules: [
        {
          subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: 'robot', namespace: 'ops' } }],
          resourceRules: [
            {
              verbs: ['get', 'list', 'watch', 'create', 'update'],
              apiGroups: ['coordination.k8s.io'],
              resources: ['leases'],
              namespaces: ['ops'],
            },
          ],
        },
      ],
    },
  });
  expect((made.at(-1) as { spec?: { matchingPrecedence?: number } }).spec?.matchingPrecedence).toBeLessThan(9000);
  const without = rbacManifests(operator({ name: 'o', controllers: [apps()] }), options).map(({ kind }) => kind);
  expect(without).not.toContain('FlowSchema');
});
