import type { Case, Claim, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, mergePatch, post, remove } from '../../src/steps.ts';
import { admission, allow, deny, here, mutating, patching, probe, validating, webhook } from './manifests.ts';

const rule = (more: { [key: string]: Json }): Json => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
  operations: ['*'],
  ...more,
});
const warnsAs = (text: string): ReturnType<typeof allow> => allow({ warnings: [text] });
const secrets = '/api/v1/namespaces/{{ns}}/secrets';
const secret = (name: string): Json => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
const pods = '/api/v1/namespaces/{{ns}}/pods';
const pod = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'c' }] },
});
const headersOnly = {
  mask: ['body'],
  unordered: ['headers.warning'],
  because: 'which webhooks warned is the topic; they are asked in parallel, and the order of their warnings is chance',
};
/** Exactly these warned, in any order. */
const warned = (clause: string, at: string, texts: readonly string[]): Claim[] => [
  claim(`${clause}: no more`, at, { length: texts.length }),
  ...texts.map((text) => claim(`${clause}: ${text}`, at, { contains: `299 - "${text}"` })),
];
const ready = (text: string): Step => ({
  ...(probe('probe', { at: 'probe.headers.warning', matches: text }) as Extract<Step, { do: 'request' }>),
});

const refused = (id: string, title: string, options: { change: { [key: string]: Json }; matches: string }): Case => ({
  id,
  section: 'admission-identity',
  shows: ['API-A5'],
  title,
  steps: [
    post('create', `${admission}/validatingwebhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: '{{id}}-v' },
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/w' },
          rules: [rule({})],
          namespaceSelector: here,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          ...options.change,
        },
      ],
    }),
  ],
  claims: [
    claim('422', 'create.status', { is: 422 }),
    claim('the message', 'create.body.message', { matches: options.matches }),
  ],
});

export const matching: readonly Case[] = [
  {
    id: 'a5-rules',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'rules match groups, versions, resources and subresources, with stars',
    hooks: {
      star: warnsAs('star'),
      all: warnsAs('star-star'),
      status: warnsAs('pods-status'),
      other: warnsAs('other-group'),
      updates: warnsAs('updates'),
    },
    steps: [
      validating('v', [
        webhook('star', {
          rules: [rule({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Namespaced' })],
        }),
        webhook('all', {
          rules: [rule({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: 'Namespaced' })],
        }),
        webhook('status', { rules: [rule({ resources: ['pods/status'] })] }),
        webhook('other', { rules: [rule({ apiGroups: ['apps'], resources: ['*'] })] }),
        webhook('updates', { rules: [rule({ operations: ['UPDATE'] })] }),
      ]),
      ready('star'),
      post('config', configMaps, configMap('x'), headersOnly),
      mergePatch('change', `${configMaps}/x`, { data: { a: 'b' } }, headersOnly),
      post('pod', pods, pod('p'), headersOnly),
      mergePatch('pod-status', `${pods}/p/status`, { status: { message: 'x' } }, headersOnly),
    ],
    claims: [
      claim('* takes every resource', 'pod.headers.warning', { contains: '299 - "star"' }),
      claim('*/* takes subresources as well', 'pod-status.headers.warning', { contains: '299 - "star-star"' }),
      ...warned('* takes no subresource, pods/status that one', 'pod-status.headers.warning', [
        'star-star',
        'pods-status',
      ]),
      claim('operations are chosen', 'change.headers.warning', { contains: '299 - "updates"' }),
      ...warned('and others left out', 'config.headers.warning', ['star', 'star-star']),
    ],
  },
  {
    id: 'a5-scope',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'a rule’s scope takes namespaced objects, cluster-wide ones, or both',
    hooks: { inside: warnsAs('namespaced'), outside: warnsAs('cluster'), both: warnsAs('both') },
    steps: [
      validating(
        'v',
        (['inside', 'outside', 'both'] as const).map((hook) =>
          webhook(hook, {
            rules: [
              rule({
                apiGroups: ['', 'rbac.authorization.k8s.io'],
                resources: ['configmaps', 'clusterroles'],
                scope: { inside: 'Namespaced', outside: 'Cluster', both: '*' }[hook],
              }),
            ],
            namespaceSelector: {},
            matchConditions: [
              { name: 'mine', expression: 'object != null && object.metadata.name.contains("{{id}}")' },
            ],
          }),
        ),
      ),
      post('probe', `${configMaps}?dryRun=All`, configMap('{{id}}'), {
        until: { at: 'probe.headers.warning', matches: 'both' },
        ...headersOnly,
      }),
      post('namespaced', configMaps, configMap('{{id}}'), headersOnly),
      post(
        'cluster-wide',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: '{{id}}-r' }, rules: [] },
        headersOnly,
      ),
    ],
    claims: [
      ...warned('Namespaced', 'namespaced.headers.warning', ['namespaced', 'both']),
      ...warned('Cluster', 'cluster-wide.headers.warning', ['cluster', 'both']),
    ],
  },
  {
    id: 'a5-match-policy',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'Equivalent (the default) takes other versions of the same resource, Exact does not',
    hooks: { equivalent: warnsAs('equivalent'), exact: warnsAs('exact') },
    steps: [
      validating('v', [
        webhook('equivalent', {
          rules: [rule({ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] })],
        }),
        webhook('exact', {
          rules: [rule({ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] })],
          matchPolicy: 'Exact',
        }),
      ]),
      ...(['v1', 'v2'] as const).map((version) =>
        post(
          version,
          `/apis/autoscaling/${version}/namespaces/{{ns}}/horizontalpodautoscalers?dryRun=All`,
          {
            apiVersion: `autoscaling/${version}`,
            kind: 'HorizontalPodAutoscaler',
            metadata: { name: 'h' },
            spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 2 },
          },
          { until: { at: `${version}.headers.warning`, matches: 'equivalent' }, ...headersOnly },
        ),
      ),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'equivalent',
        count: 2,
        only: [
          'requests.-1.body.request.kind',
          'requests.-1.body.request.requestKind',
          'requests.-1.body.request.object.apiVersion',
        ],
        because: 'the rest is the topic of other cases',
      },
    ],
    claims: [
      ...warned('both take the version of their rule', 'v1.headers.warning', ['equivalent', 'exact']),
      claim('Exact does not take another', 'v2.headers.warning', { is: '299 - "equivalent"' }),
      claim('the object comes in the version of the rule', 'asked.requests.-1.body.request.kind.version', { is: 'v1' }),
      claim('and the review says what was asked for', 'asked.requests.-1.body.request.requestKind.version', {
        is: 'v2',
      }),
    ],
  },
  {
    id: 'a5-namespace-selector',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'a namespaceSelector looks at the namespace, and for a Namespace at its own labels',
    hooks: { hook: warnsAs('selected') },
    steps: [
      validating('v', [
        webhook('hook', {
          namespaceSelector: { matchLabels: { 'conformance-case': '{{id}}' } },
          rules: [rule({ resources: ['configmaps', 'namespaces'] })],
        }),
      ]),
      post(
        'selected',
        '/api/v1/namespaces?dryRun=All',
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: '{{id}}-n', labels: { 'conformance-case': '{{id}}' } },
        },
        { until: { at: 'selected.headers.warning', matches: 'selected' }, ...headersOnly },
      ),
      post(
        'not-selected',
        '/api/v1/namespaces?dryRun=All',
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: '{{id}}-n' },
        },
        headersOnly,
      ),
      post('in-unlabelled', configMaps, configMap('x'), headersOnly),
      mergePatch(
        'label',
        '/api/v1/namespaces/{{ns}}',
        { metadata: { labels: { 'conformance-case': '{{id}}' } } },
        headersOnly,
      ),
      post('in-labelled', `${configMaps}?dryRun=All`, configMap('y'), {
        until: { at: 'in-labelled.headers.warning', matches: 'selected' },
        ...headersOnly,
      }),
    ],
    claims: [
      claim('a Namespace by its own labels', 'selected.headers.warning', { is: '299 - "selected"' }),
      claim('another not', 'not-selected.headers.warning', { present: false }),
      claim('an object by those of its namespace', 'in-labelled.headers.warning', { is: '299 - "selected"' }),
      claim('else not', 'in-unlabelled.headers.warning', { present: false }),
    ],
  },
  {
    id: 'a5-object-selector',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'an objectSelector matches the old object or the new one',
    hooks: { hook: warnsAs('selected') },
    steps: [
      validating('v', [webhook('hook', { objectSelector: { matchLabels: { pick: 'me' } } })]),
      post('probe', `${configMaps}?dryRun=All`, configMap('x', { metadata: { labels: { pick: 'me' } } }), {
        until: { at: 'probe.headers.warning', matches: 'selected' },
        ...headersOnly,
      }),
      post('without', configMaps, configMap('x'), headersOnly),
      mergePatch('new-one', `${configMaps}/x`, { metadata: { labels: { pick: 'me' } } }, headersOnly),
      mergePatch('old-one', `${configMaps}/x`, { metadata: { labels: { pick: null } } }, headersOnly),
      mergePatch('neither', `${configMaps}/x`, { data: { a: 'b' } }, headersOnly),
    ],
    claims: [
      claim('not without the label', 'without.headers.warning', { present: false }),
      claim('the new object has it', 'new-one.headers.warning', { is: '299 - "selected"' }),
      claim('the old object had it', 'old-one.headers.warning', { is: '299 - "selected"' }),
      claim('neither', 'neither.headers.warning', { present: false }),
    ],
  },
  {
    id: 'a5-match-conditions',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'matchConditions are CEL: one that is false leaves the webhook out, one that fails refuses',
    hooks: { hook: warnsAs('selected') },
    steps: [
      validating('v', [
        webhook('hook', {
          matchConditions: [
            { name: 'has-data', expression: 'has(object.data)' },
            { name: 'picks', expression: 'object.data.pick == "me"' },
          ],
        }),
      ]),
      post('probe', `${configMaps}?dryRun=All`, configMap('x', { data: { pick: 'me' } }), {
        until: { at: 'probe.headers.warning', matches: 'selected' },
        ...headersOnly,
      }),
      post('first-is-false', configMaps, configMap('x'), headersOnly),
      post('second-is-false', configMaps, configMap('y', { data: { pick: 'you' } }), headersOnly),
      post('fails', configMaps, configMap('z', { data: { other: 'x' } })),
    ],
    claims: [
      claim('all true', 'probe.headers.warning', { is: '299 - "selected"' }),
      claim('one false', 'first-is-false.headers.warning', { present: false }),
      claim('another false', 'second-is-false.headers.warning', { present: false }),
      claim('an error refuses where the policy is Fail', 'fails.status', { is: 403 }),
    ],
  },
  refused('a5-conditions-limit', 'at most 64 matchConditions', {
    change: { matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })) },
    matches: 'matchConditions: Too many: 65: must have at most 64 items',
  }),
  refused('a5-timeout-zero', 'a timeout of 0 is refused', {
    change: { timeoutSeconds: 0 },
    matches: 'timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds',
  }),
  refused('a5-timeout-31', 'a timeout of 31 is refused', {
    change: { timeoutSeconds: 31 },
    matches: 'timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
  }),
  refused('a5-side-effects-some', 'side effects must be None or NoneOnDryRun', {
    change: { sideEffects: 'Some' },
    matches: 'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
  }),
  refused('a5-side-effects-missing', 'side effects must be named', {
    change: { sideEffects: null },
    matches: 'sideEffects: Required value: must specify one of None, NoneOnDryRun',
  }),
  {
    id: 'a5-defaults',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'defaults: ten seconds, Fail, Equivalent, scope *; the bounds 1 and 30 are accepted',
    steps: [
      validating(
        'v',
        [
          {
            name: 'a.example.com',
            clientConfig: { url: 'https://127.0.0.1:1/w' },
            rules: [rule({})],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            namespaceSelector: here,
          },
          webhook('b', { clientConfig: { url: 'https://127.0.0.1:1/w' }, timeoutSeconds: 1, failurePolicy: 'Ignore' }),
          webhook('c', {
            clientConfig: { url: 'https://127.0.0.1:1/w' },
            timeoutSeconds: 30,
            sideEffects: 'NoneOnDryRun',
            failurePolicy: 'Ignore',
          }),
        ],
        false,
      ),
    ],
    claims: [
      claim('timeout 10', 'v.body.webhooks.0.timeoutSeconds', { is: 10 }),
      claim('Fail', 'v.body.webhooks.0.failurePolicy', { is: 'Fail' }),
      claim('Equivalent', 'v.body.webhooks.0.matchPolicy', { is: 'Equivalent' }),
      claim('any scope', 'v.body.webhooks.0.rules.0.scope', { is: '*' }),
      claim('1 is accepted', 'v.body.webhooks.1.timeoutSeconds', { is: 1 }),
      claim('30 is accepted', 'v.body.webhooks.2.timeoutSeconds', { is: 30 }),
      claim('NoneOnDryRun is accepted', 'v.body.webhooks.2.sideEffects', { is: 'NoneOnDryRun' }),
    ],
  },
  {
    id: 'a5-dry-run',
    section: 'admission-identity',
    shows: ['API-A5', 'API-C13'],
    title: 'a dry run asks webhooks without side effects on it, as a dry run',
    hooks: { none: warnsAs('none'), careful: warnsAs('careful') },
    steps: [
      validating('v', [webhook('none'), webhook('careful', { sideEffects: 'NoneOnDryRun' })]),
      post('dry', `${configMaps}?dryRun=All`, configMap('x'), {
        until: { at: 'dry.headers.warning', matches: 'careful' },
        ...headersOnly,
      }),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'careful',
        count: 1,
        only: ['requests.-1.body.request.dryRun'],
        because: 'the rest is the topic of other cases',
      },
    ],
    claims: [
      ...warned('both are asked', 'dry.headers.warning', ['none', 'careful']),
      claim('and told so', 'asked.requests.-1.body.request.dryRun', { is: true }),
    ],
  },
  {
    id: 'a5-reinvocation',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'a mutating webhook with IfNeeded is asked once more where a later one changed the object',
    hooks: {
      early: patching([{ op: 'add', path: '/data/early', value: 'x' }]),
      once: patching([{ op: 'add', path: '/data/once', value: 'x' }]),
      late: patching([{ op: 'add', path: '/data/late', value: 'x' }]),
    },
    steps: [
      mutating('m', [webhook('early', { reinvocationPolicy: 'IfNeeded' }), webhook('once'), webhook('late')]),
      post('create', configMaps, configMap('x', { data: { start: 'x' }, metadata: { name: '', generateName: 'g-' } }), {
        until: { at: 'create.body.data.late', is: 'x' },
      }),
      {
        do: 'hook-log',
        name: 'asked-early',
        hook: 'early',
        count: 2,
        only: ['requests'],
        mask: ['requests.*.body.request.userInfo.uid'],
        because: 'how a token table numbers its users is its own',
      },
      {
        do: 'hook-log',
        name: 'asked-once',
        hook: 'once',
        count: 1,
        only: ['requests.0.body.request.object.data', 'requests.1'],
        because: 'how often is the topic',
      },
    ],
    claims: [
      claim('first it saw what was sent', 'asked-early.requests.0.body.request.object.data', { is: { start: 'x' } }),
      claim('once more, with what the others did', 'asked-early.requests.1.body.request.object.data', {
        is: { early: 'x', late: 'x', once: 'x', start: 'x' },
      }),
      claim('twice in all', 'asked-early.requests', { length: 2 }),
      claim('Never (the default): once', 'asked-once.requests', { length: 1 }),
    ],
  },
  {
    id: 'a6-not-for-configurations',
    section: 'admission-identity',
    shows: ['API-A6'],
    title: 'webhook configurations are never sent to webhooks: one that refuses everything can be removed',
    hooks: { hook: deny() },
    steps: [
      validating('v', [
        webhook('hook', {
          namespaceSelector: {},
          rules: [
            rule({
              apiGroups: ['admissionregistration.k8s.io', ''],
              apiVersions: ['*'],
              resources: ['validatingwebhookconfigurations', 'configmaps'],
            }),
          ],
          matchConditions: [
            { name: 'mine', expression: 'request.name.contains("{{id}}") || request.namespace == "{{ns}}"' },
          ],
        }),
      ]),
      probe('refused', { at: 'refused.status', is: 403 }),
      remove('configuration', `${admission}/validatingwebhookconfigurations/{{id}}-v`),
      post('secret', secrets, secret('s')),
    ],
    claims: [claim('the webhook cannot keep itself', 'configuration.status', { is: 200 })],
  },
];
