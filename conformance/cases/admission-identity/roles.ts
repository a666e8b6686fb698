import type { Case, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, mergePatch, post } from '../../src/steps.ts';
import { bind, bindEverywhere, clusterRole, rbac, role, roleBindings, roles } from './manifests.ts';

const asAlice = { as: 'alice' } as const;
/** Roles and bindings reach the authorizer a moment after they are stored. */
const untilAllowed = (name: string, status: number): { until: { at: string; is: number } } => ({
  until: { at: `${name}.status`, is: status },
});
const grant = (rules: Json): Step[] => [
  post('role', roles, role('r', rules), { setup: true }),
  post('binding', roleBindings, bind('b', { kind: 'Role', name: 'r' }), { setup: true }),
];
const config = (...verbs: string[]): { [key: string]: Json } => ({ apiGroups: [''], resources: ['configmaps'], verbs });
const core = '/api/v1/namespaces/{{ns}}';
const service = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { clusterIP: 'None', ports: [{ port: 80 }] },
});

export const rolesAndBindings: readonly Case[] = [
  {
    id: 'z2-verbs',
    section: 'admission-identity',
    shows: ['API-Z2', 'API-E3'],
    title: 'nothing is allowed but what a bound role names: verb by verb',
    steps: [
      get('before', configMaps, asAlice),
      post('x', configMaps, configMap('x'), { setup: true }),
      ...grant([config('get', 'list')]),
      get('list', configMaps, { ...asAlice, ...untilAllowed('list', 200) }),
      get('get', `${configMaps}/x`, asAlice),
      post('create', configMaps, configMap('y'), asAlice),
      mergePatch('patch', `${configMaps}/x`, { data: { a: 'b' } }, asAlice),
      get('watch', `${configMaps}?watch=1&timeoutSeconds=1`, asAlice),
      get('elsewhere', '/api/v1/namespaces/default/configmaps', asAlice),
      get('everywhere', '/api/v1/configmaps', asAlice),
      get('other-resource', `${core}/secrets`, asAlice),
    ],
    claims: [
      claim('nothing without a role', 'before.status', { is: 403 }),
      claim('list', 'list.status', { is: 200 }),
      claim('get', 'get.status', { is: 200 }),
      claim('not create', 'create.status', { is: 403 }),
      claim('not patch', 'patch.status', { is: 403 }),
      claim('watch is a verb of its own', 'watch.status', { is: 403 }),
      claim('a Role ends at its namespace', 'elsewhere.status', { is: 403 }),
      claim('all namespaces are more than one', 'everywhere.status', { is: 403 }),
      claim('which the refusal says', 'everywhere.body.message', { matches: 'at the cluster scope$' }),
      claim('other resources are others', 'other-resource.status', { is: 403 }),
    ],
  },
  {
    id: 'z2-union',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title: 'the rights of all bindings add up: of user and group, of Role and ClusterRole',
    steps: [
      post('x', configMaps, configMap('x'), { setup: true }),
      post('role', roles, role('gets', [config('get')]), { setup: true }),
      post('cluster-role', `${rbac}/clusterroles`, clusterRole('lists', { rules: [config('list')] }), { setup: true }),
      post('for-user', roleBindings, bind('u', { kind: 'Role', name: 'gets' }), { setup: true }),
      post(
        'for-group',
        roleBindings,
        bind(
          'g',
          { kind: 'ClusterRole', name: '{{id}}-lists' },
          { kind: 'Group', name: 'team', apiGroup: 'rbac.authorization.k8s.io' },
        ),
        { setup: true },
      ),
      get('get', `${configMaps}/x`, { ...asAlice, ...untilAllowed('get', 200) }),
      get('list', configMaps, { ...asAlice, ...untilAllowed('list', 200) }),
      get('elsewhere', '/api/v1/namespaces/default/configmaps', asAlice),
      get('not-bob', configMaps, { as: 'bob' }),
    ],
    claims: [
      claim('as a user', 'get.status', { is: 200 }),
      claim('as a member of a group', 'list.status', { is: 200 }),
      claim('a ClusterRole bound in a namespace ends there', 'elsewhere.status', { is: 403 }),
      claim('others get nothing', 'not-bob.status', { is: 403 }),
    ],
  },
  {
    id: 'z2-groups-and-stars',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title: 'apiGroups count, and * stands for all verbs, groups and resources',
    steps: [
      ...grant([{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }]),
      get('in-group', '/apis/apps/v1/namespaces/{{ns}}/deployments', { ...asAlice, ...untilAllowed('in-group', 200) }),
      get('also-in-group', '/apis/apps/v1/namespaces/{{ns}}/statefulsets', asAlice),
      get('other-group', configMaps, asAlice),
      post('star-role', roles, role('all', [{ apiGroups: ['*'], resources: ['configmaps'], verbs: ['list'] }]), {
        setup: true,
      }),
      post('star-binding', roleBindings, bind('all', { kind: 'Role', name: 'all' }), { setup: true }),
      get('any-group', configMaps, { ...asAlice, ...untilAllowed('any-group', 200) }),
    ],
    claims: [
      claim('the group of the rule', 'in-group.status', { is: 200 }),
      claim('resources: *', 'also-in-group.status', { is: 200 }),
      claim('another group is not meant', 'other-group.status', { is: 403 }),
      claim('apiGroups: *', 'any-group.status', { is: 200 }),
    ],
  },
  {
    id: 'z2-subresources',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title: 'a subresource is named as res/sub or */sub; the resource alone does not mean it',
    steps: [
      post('s', `${core}/services`, service('s'), { setup: true }),
      ...grant([
        { apiGroups: [''], resources: ['services'], verbs: ['patch'] },
        { apiGroups: [''], resources: ['resourcequotas/status'], verbs: ['patch'] },
      ]),
      post(
        'q',
        `${core}/resourcequotas`,
        { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '1' } } },
        { setup: true },
      ),
      mergePatch(
        'resource',
        `${core}/services/s`,
        { metadata: { labels: { a: 'b' } } },
        { ...asAlice, ...untilAllowed('resource', 200) },
      ),
      mergePatch('not-its-status', `${core}/services/s/status`, { metadata: { labels: { c: 'd' } } }, asAlice),
      mergePatch('res-sub', `${core}/resourcequotas/q/status`, { status: { hard: { pods: '1' } } }, asAlice),
      mergePatch('not-the-resource', `${core}/resourcequotas/q`, { metadata: { labels: { a: 'b' } } }, asAlice),
      post('any-role', roles, role('any', [{ apiGroups: [''], resources: ['*/status'], verbs: ['patch'] }]), {
        setup: true,
      }),
      post('any-binding', roleBindings, bind('any', { kind: 'Role', name: 'any' }), { setup: true }),
      mergePatch(
        'star-sub',
        `${core}/services/s/status`,
        { metadata: { labels: { c: 'd' } } },
        { ...asAlice, ...untilAllowed('star-sub', 200) },
      ),
    ],
    claims: [
      claim('the resource', 'resource.status', { is: 200 }),
      claim('not its subresource', 'not-its-status.status', { is: 403 }),
      claim('which the refusal names', 'not-its-status.body.message', { matches: 'resource "services/status"' }),
      claim('res/sub', 'res-sub.status', { is: 200 }),
      claim('and not the resource', 'not-the-resource.status', { is: 403 }),
      claim('*/sub', 'star-sub.status', { is: 200 }),
    ],
  },
  {
    id: 'z2-resource-names',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title: 'resourceNames allow single objects, a list of that name alone, and never a create',
    steps: [
      post('x', configMaps, configMap('x'), { setup: true }),
      post('y', configMaps, configMap('y'), { setup: true }),
      ...grant([{ ...config('get', 'list', 'create', 'patch'), resourceNames: ['x'] }]),
      get('named', `${configMaps}/x`, { ...asAlice, ...untilAllowed('named', 200) }),
      get('other', `${configMaps}/y`, asAlice),
      get('list', configMaps, asAlice),
      get('list-of-one', `${configMaps}?fieldSelector=metadata.name%3Dx`, asAlice),
      post('create', configMaps, configMap('x'), asAlice),
      mergePatch('patch', `${configMaps}/x`, { data: { a: 'b' } }, asAlice),
    ],
    claims: [
      claim('the one named', 'named.status', { is: 200 }),
      claim('no other', 'other.status', { is: 403 }),
      claim('a list has no name', 'list.status', { is: 403 }),
      claim('unless a field selector names it', 'list-of-one.status', { is: 200 }),
      claim('a create has none either', 'create.status', { is: 403 }),
      claim('a patch has', 'patch.status', { is: 200 }),
    ],
  },
  {
    id: 'z2-non-resource-urls',
    section: 'admission-identity',
    shows: ['API-Z2', 'API-E3'],
    title: 'nonResourceURLs allow paths, with a * at the end, through a ClusterRoleBinding',
    steps: [
      get('before', '/metrics', { as: 'bob' }),
      post(
        'role',
        `${rbac}/clusterroles`,
        clusterRole('urls', { rules: [{ nonResourceURLs: ['/metrics', '/debug/*'], verbs: ['get'] }] }),
        { setup: true },
      ),
      post(
        'binding',
        `${rbac}/clusterrolebindings`,
        bindEverywhere('urls', 'urls', { kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }),
        { setup: true },
      ),
      get('exact', '/metrics', {
        as: 'bob',
        ...untilAllowed('exact', 200),
        only: ['status'],
        because: 'numbers of the moment',
      }),
      get('below', '/debug/no/such/page', { as: 'bob' }),
      get('another', '/metrics/slis', { as: 'bob' }),
    ],
    claims: [
      claim('the refusal names the path', 'before.body.message', {
        is: 'forbidden: User "bob" cannot get path "/metrics"',
      }),
      claim('the path', 'exact.status', { is: 200 }),
      claim('a * at the end: allowed, and then not found', 'below.status', { is: 404 }),
      claim('no other path', 'another.status', { is: 403 }),
    ],
  },
  {
    id: 'z2-aggregation',
    section: 'admission-identity',
    shows: ['API-Z2'],
    world: 'controllers',
    title: 'a ClusterRole with an aggregationRule gets the rules of those its selectors find',
    steps: [
      post(
        'whole',
        `${rbac}/clusterroles`,
        clusterRole('whole', {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'conformance-part-of': '{{id}}' } }] },
          rules: [],
        }),
      ),
      post('part', `${rbac}/clusterroles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: '{{id}}-part', labels: { 'conformance-part-of': '{{id}}' } },
        rules: [config('list')],
      }),
      get('joined', `${rbac}/clusterroles/{{id}}-whole`, {
        until: { at: 'joined.body.rules', contains: { resources: ['configmaps'] } },
      }),
      post('binding', roleBindings, bind('b', { kind: 'ClusterRole', name: '{{id}}-whole' }), { setup: true }),
      get('list', configMaps, {
        ...asAlice,
        ...untilAllowed('list', 200),
        only: ['status'],
        because: 'what controllers put into a new namespace is the topic of another case',
      }),
    ],
    claims: [
      claim('the rules are there', 'joined.body.rules', {
        is: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
      }),
      claim('and count', 'list.status', { is: 200 }),
    ],
  },
  {
    id: 'z2-escalate-and-bind',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title: 'nobody grants what they have not: not in a role without escalate, not by a binding without bind',
    steps: [
      post('secrets', roles, role('secrets', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]), {
        setup: true,
      }),
      ...grant([
        {
          apiGroups: ['rbac.authorization.k8s.io'],
          resources: ['roles', 'rolebindings'],
          verbs: ['create', 'get', 'patch'],
        },
        config('get'),
      ]),
      post('within', roles, role('mine', [config('get')]), { ...asAlice, ...untilAllowed('within', 201) }),
      post('beyond', roles, role('more', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]), asAlice),
      post('bind-mine', roleBindings, bind('mine', { kind: 'Role', name: 'mine' }), asAlice),
      post('bind-beyond', roleBindings, bind('beyond', { kind: 'Role', name: 'secrets' }), asAlice),
      mergePatch(
        'verbs',
        `${roles}/r`,
        {
          rules: [
            {
              apiGroups: ['rbac.authorization.k8s.io'],
              resources: ['roles', 'rolebindings'],
              verbs: ['create', 'escalate', 'bind'],
            },
          ],
        },
        { setup: true },
      ),
      post('escalate', roles, role('more', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]), {
        ...asAlice,
        ...untilAllowed('escalate', 201),
      }),
      post('bind', roleBindings, bind('beyond', { kind: 'Role', name: 'secrets' }), {
        ...asAlice,
        ...untilAllowed('bind', 201),
      }),
    ],
    claims: [
      claim('what one has may be granted', 'within.status', { is: 201 }),
      claim('what one has not may not', 'beyond.status', { is: 403 }),
      claim('which the message says', 'beyond.body.message', {
        matches: 'is attempting to grant RBAC permissions not currently held',
      }),
      claim('a binding within', 'bind-mine.status', { is: 201 }),
      claim('a binding beyond', 'bind-beyond.status', { is: 403 }),
      claim('escalate allows the role', 'escalate.status', { is: 201 }),
      claim('bind allows the binding', 'bind.status', { is: 201 }),
    ],
  },
  {
    id: 'z2-missing-roles',
    section: 'admission-identity',
    shows: ['API-Z2'],
    title:
      'a role that is missing has the name of the kind in what an authorizer says, that of the request in what is said of a grant',
    steps: [
      post('secrets', roles, role('secrets', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]), {
        setup: true,
      }),
      ...grant([
        {
          apiGroups: ['rbac.authorization.k8s.io'],
          resources: ['roles', 'rolebindings'],
          verbs: ['create', 'update', 'patch'],
        },
      ]),
      post('dangling', roleBindings, bind('dangling', { kind: 'Role', name: 'gone' }), { setup: true }),
      post('role-beyond', roles, role('more', [config('get')]), {
        ...asAlice,
        until: { at: 'role-beyond.body.message', matches: 'resolution errors' },
      }),
      post('binding-beyond', roleBindings, bind('beyond', { kind: 'Role', name: 'secrets' }), asAlice),
      mergePatch('patch-beyond', `${roles}/secrets`, { rules: [config('get')] }, asAlice),
      get('refused', configMaps, { ...asAlice, until: { at: 'refused.body.message', matches: 'not found' } }),
      post('dangling-everywhere', roleBindings, bind('everywhere', { kind: 'ClusterRole', name: '{{id}}-gone' }), {
        setup: true,
      }),
      post('role-of-two', roles, role('more', [config('get')]), {
        ...asAlice,
        until: { at: 'role-of-two.body.message', matches: '{{id}}-gone' },
      }),
    ],
    claims: [
      claim('of a role that is written', 'role-beyond.body.message', {
        matches: 'resolution errors: \\[roles.rbac.authorization.k8s.io "gone" not found\\]$',
      }),
      claim('of a binding that is written', 'binding-beyond.body.message', {
        matches: 'resolution errors: \\[rolebindings.rbac.authorization.k8s.io "gone" not found\\]$',
      }),
      claim('of a role that is patched', 'patch-beyond.body.message', {
        matches: 'resolution errors: \\[roles.rbac.authorization.k8s.io "gone" not found\\]$',
      }),
      claim('of anything else', 'refused.body.message', { matches: 'role.rbac.authorization.k8s.io "gone" not found' }),
    ],
  },
];
