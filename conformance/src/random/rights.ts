// Random rights: roles and bindings are written, then what they allow is asked for in every way there is. What is asked changes
// nothing, so that the moment at which a server takes notice of a role does not show: a marker tells when it has.
import fc from 'fast-check';
import type { Headers, Json, RequestStep, Step } from '../case.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';
const here = `${rbac}/namespaces/{{ns}}`;

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[] | undefined;
}

interface Grant {
  readonly everywhere: boolean;
  readonly rules: readonly Rule[];
  /** Whom it is bound to, how, and whether the role is there at all. */
  readonly subject: 'user' | 'group' | 'account';
  readonly bindHere: boolean;
  readonly dangling: boolean;
}

interface Question {
  readonly ask: 'request' | 'review' | 'rules' | 'role' | 'binding';
  readonly as: 'user' | 'account' | 'member' | 'impersonator';
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
  readonly rules: readonly Rule[];
}

export interface Rights {
  readonly grants: readonly Grant[];
  readonly questions: readonly Question[];
}

const some = (...values: readonly string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const rule: fc.Arbitrary<Rule> = fc.record({
  verbs: some(
    'get',
    'list',
    'create',
    'delete',
    '*',
    'impersonate',
    'bind',
    'escalate',
    'impersonate-on:user-info:list',
  ),
  apiGroups: some('', '*', 'apps', group, 'authentication.k8s.io'),
  resources: some(
    'configmaps',
    'configmaps/status',
    '*/status',
    'secrets',
    '*',
    'roles',
    'rolebindings',
    'users',
    'groups',
  ),
  resourceNames: fc.option(some('x', 'y'), { nil: undefined, freq: 1 }),
});
const rules = fc.array(rule, { minLength: 1, maxLength: 2 });

const grant: fc.Arbitrary<Grant> = fc.record({
  everywhere: fc.boolean(),
  rules,
  subject: fc.constantFrom('user', 'group', 'account'),
  bindHere: fc.boolean(),
  dangling: fc.constantFrom(false, false, false, true),
});
const question: fc.Arbitrary<Question> = fc.record({
  ask: fc.constantFrom('request', 'request', 'review', 'review', 'rules', 'role', 'binding'),
  as: fc.constantFrom('user', 'account', 'member', 'impersonator'),
  verb: fc.constantFrom('get', 'list', 'create', 'delete', 'patch'),
  resource: fc.constantFrom('configmaps', 'secrets', 'configmaps/status', 'roles'),
  name: fc.constantFrom('x', 'y', ''),
  namespace: fc.constantFrom('{{ns}}', '{{ns}}', 'default', ''),
  rules,
});

export const rights: fc.Arbitrary<Rights> = fc.record({
  grants: fc.array(grant, { minLength: 1, maxLength: 3 }),
  questions: fc.array(question, { minLength: 1, maxLength: 6, size: 'max' }),
});

const user = '{{ns}}-u';
const member = '{{ns}}-g';
const account = 'system:serviceaccount:{{ns}}:robot';

const subjects: Readonly<Record<Grant['subject'], Json>> = {
  user: { kind: 'User', name: user, apiGroup: group },
  group: { kind: 'Group', name: member, apiGroup: group },
  account: { kind: 'ServiceAccount', name: 'robot', namespace: '{{ns}}' },
};

const identities: Readonly<Record<Question['as'], Headers>> = {
  user: { 'impersonate-user': user },
  account: { 'impersonate-user': account },
  member: { 'impersonate-user': '{{ns}}-m', 'impersonate-group': [member, 'other'] },
  // Nobody impersonates twice: whoever has the right is asked about by a review.
  impersonator: { 'impersonate-user': user, 'impersonate-extra-example.com%2fscope': ['a', 'b'] },
};

type WithBody = [path: string, json: Json, more?: Partial<RequestStep>];
const post = (name: string, ...[path, json, more = {}]: WithBody): RequestStep => ({
  do: 'request',
  name,
  method: 'POST',
  path,
  body: { json },
  ...more,
});
const ruleOf = ({ resourceNames, ...rest }: Rule): Json => ({
  ...rest,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

function grantSteps({ everywhere, rules: given, subject, bindHere, dangling }: Grant, index: number): RequestStep[] {
  const name = everywhere ? `{{ns}}-${index}` : `r${index}`;
  const kind = everywhere ? 'ClusterRole' : 'Role';
  const typed = { apiVersion: `${group}/v1`, metadata: { name } };
  const bound = { roleRef: { apiGroup: group, kind, name }, subjects: [subjects[subject]] };
  const local = bindHere || !everywhere;
  const bindings = local ? `${here}/rolebindings` : `${rbac}/clusterrolebindings`;
  return [
    ...(dangling
      ? []
      : [
          post(`role${index}`, everywhere ? `${rbac}/clusterroles` : `${here}/roles`, {
            ...typed,
            kind,
            rules: given.map(ruleOf),
          }),
        ]),
    post(`binding${index}`, bindings, { ...typed, kind: local ? 'RoleBinding' : 'ClusterRoleBinding', ...bound }),
  ];
}

/** Written last, of each kind one: where they count, everything before them counts. */
function markers(): Step[] {
  const marks = [
    {
      kind: 'Role',
      path: `${here}/roles`,
      binding: 'RoleBinding',
      bindings: `${here}/rolebindings`,
      namespace: '{{ns}}',
    },
    {
      kind: 'ClusterRole',
      path: `${rbac}/clusterroles`,
      binding: 'ClusterRoleBinding',
      bindings: `${rbac}/clusterrolebindings`,
      namespace: '',
    },
  ];
  return marks.flatMap(({ kind, path, binding, bindings, namespace }) => {
    const metadata = { name: '{{ns}}-mark' };
    const subject = { kind: 'User', name: '{{ns}}-mark', apiGroup: group };
    const marked = { verbs: ['get'], apiGroups: ['marks'], resources: [kind.toLowerCase()] };
    return [
      post(`mark-${kind}`, path, { apiVersion: `${group}/v1`, kind, metadata, rules: [marked] }),
      post(`mark-${binding}`, bindings, {
        apiVersion: `${group}/v1`,
        kind: binding,
        metadata,
        roleRef: { apiGroup: group, kind, name: '{{ns}}-mark' },
        subjects: [subject],
      }),
      post(
        `marked-${kind}`,
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        review({ user: '{{ns}}-mark' }, { verb: 'get', group: 'marks', resource: kind.toLowerCase(), namespace }),
        { until: { at: `marked-${kind}.body.status.allowed`, is: true } },
      ),
    ];
  });
}

const review = (who: { [key: string]: Json }, resourceAttributes: { [key: string]: Json }): Json => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { ...who, resourceAttributes },
});

const reviewed: Readonly<Record<Question['as'], { [key: string]: Json }>> = {
  user: { user },
  account: { user: account, groups: ['system:serviceaccounts:{{ns}}'] },
  member: { user: '{{ns}}-m', groups: [member] },
  impersonator: { user, extra: { 'example.com/scope': ['a'] } },
};

const methods: Readonly<Record<string, RequestStep['method']>> = {
  get: 'GET',
  list: 'GET',
  create: 'POST',
  delete: 'DELETE',
  patch: 'PATCH',
};

/** The request itself, so that it changes nothing. */
function directly(name: string, { verb, resource, name: object, namespace, as }: Question): RequestStep {
  const [plural = '', sub] = resource.split('/');
  const root = plural === 'roles' ? rbac : '/api/v1';
  const where = namespace === '' ? '' : `/namespaces/${namespace}`;
  const one = verb === 'list' || verb === 'create' ? '' : `/${object === '' ? 'x' : object}`;
  const below = sub !== undefined && one !== '' ? `/${sub}` : '';
  const method = methods[verb] ?? 'GET';
  const kind = { configmaps: 'ConfigMap', secrets: 'Secret', roles: 'Role' }[plural] ?? '';
  const apiVersion = plural === 'roles' ? `${group}/v1` : 'v1';
  const made: Json = { apiVersion, kind, metadata: { name: 'x' } };
  const body = { POST: made, PATCH: { metadata: { labels: { a: 'b' } } } as Json }[method as 'POST' | 'PATCH'];
  return {
    do: 'request',
    name,
    method,
    path: `${root}${where}/${plural}${one}${below}?dryRun=All`,
    send: { ...identities[as], ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}) },
    ...(body === undefined ? {} : { body: { json: body } }),
    // A list of what exists does not depend on rights, and others write to `default`.
    only: ['status', 'body.message', 'body.reason', 'body.details'],
    because: 'what may be seen is the question, not what is there',
  };
}

function questionStep(question: Question, index: number): RequestStep {
  const name = `ask${index}`;
  const { ask, as, verb, resource, name: object, namespace, rules: wanted } = question;
  const [plural = '', subresource = ''] = resource.split('/');
  const metadata = { name: `{{ns}}-new${index}` };
  const send = identities[as];
  switch (ask) {
    case 'request':
      return directly(name, question);
    case 'review':
      return post(
        name,
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        review(reviewed[as], {
          verb,
          resource: plural,
          subresource,
          namespace,
          name: object,
          group: plural === 'roles' ? group : '',
        }),
        { mask: ['body.status.reason'], because: 'bindings are walked through in no order' },
      );
    case 'rules':
      return post(
        name,
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectRulesReview',
          spec: { namespace: namespace === '' ? '{{ns}}' : namespace },
        },
        {
          send,
          unordered: [
            'body.status.resourceRules',
            'body.status.nonResourceRules',
            'body.status.nonResourceRules.*.nonResourceURLs',
          ],
          mask: ['body.status.evaluationError'],
          because: 'bindings are walked through in no order',
        },
      );
    case 'role':
      return post(
        name,
        `${here}/roles?dryRun=All`,
        { apiVersion: `${group}/v1`, kind: 'Role', metadata, rules: wanted.map(ruleOf) },
        { send },
      );
    case 'binding':
      return post(
        name,
        `${here}/rolebindings?dryRun=All`,
        {
          apiVersion: `${group}/v1`,
          kind: 'RoleBinding',
          metadata,
          roleRef: { apiGroup: group, kind: 'ClusterRole', name: object === 'x' ? 'view' : '{{ns}}-0' },
          subjects: [subjects.user],
        },
        { send },
      );
  }
}

/** What is cluster-wide is looked at by every later request: thousands of roles would make the servers slow. */
function removals(grants: readonly Grant[]): Step[] {
  const names = ['mark', ...grants.keys()].map((key) => `{{ns}}-${key}`);
  return names.flatMap((name) =>
    ['clusterrolebindings', 'clusterroles'].map((plural): Step => {
      const path = `${rbac}/${plural}/${name}`;
      return { do: 'request', name: `gone-${plural}-${name}`, method: 'DELETE', path };
    }),
  );
}

/** Everything before the questions, the questions, and what tidies up. */
export function rightsSteps({ grants, questions }: Rights): Step[] {
  return [...grants.flatMap(grantSteps), ...markers(), ...questions.map(questionStep), ...removals(grants)];
}
