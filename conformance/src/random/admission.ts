// Random admission: a set of webhooks and policies that are there once and for all, of which the labels of a namespace choose some,
// and its own quota. So a sequence meets another combination of them each time, and nobody waits for a server to take notice.
import fc from 'fast-check';
import { admission, allow, deny, patching } from '../../cases/admission-identity/manifests.ts';
import type { HookScript, Json, Step } from '../case.ts';
import { configMap, post, thing } from '../steps.ts';

type Fields = { readonly [key: string]: Json };

const things = { apiGroups: ['{{group}}'], apiVersions: ['*'], resources: ['things'] };
const writes = (...operations: readonly string[]): Json => [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations },
  { ...things, operations },
];

interface RandomHook {
  readonly script: HookScript;
  readonly says: Fields;
}

const named = (name: string): Json => [{ name: 'named', expression: `object.metadata.name == '${name}'` }];
const annotated = (value: string): Json[] => [{ op: 'add', path: '/metadata/annotations', value: { seen: value } }];
const both = writes('CREATE', 'UPDATE');

/** In the order in which they are asked. */
const mutatingHooks: Readonly<Record<string, RandomHook>> = {
  'm-annotate': { script: patching(annotated('first')), says: { rules: both, reinvocationPolicy: 'IfNeeded' } },
  'm-data': {
    script: patching([{ op: 'add', path: '/data', value: { a: '2' } }]),
    says: { rules: both, matchConditions: named('x') },
  },
  'm-spec': {
    script: patching([{ op: 'add', path: '/spec/n', value: 2 }]),
    says: { rules: [{ ...things, operations: ['CREATE', 'UPDATE'] }], failurePolicy: 'Ignore' },
  },
  'm-label': {
    script: patching([{ op: 'add', path: '/metadata/labels', value: { a: '1' } }]),
    says: { rules: both, objectSelector: { matchExpressions: [{ key: 'b', operator: 'Exists' }] } },
  },
  'm-remove': { script: patching([{ op: 'remove', path: '/metadata/labels' }]), says: { rules: writes('CREATE') } },
  'm-delete': { script: patching(annotated('late')), says: { rules: writes('DELETE'), matchConditions: [] } },
  'm-warn': { script: allow({ warnings: ['look out', 'twice'] }), says: { rules: writes('*') } },
  'm-broken': { script: { status: 500 }, says: { rules: both, failurePolicy: 'Ignore' } },
  'm-foreign': {
    script: allow({ uid: 'another' }),
    says: { rules: both, matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }] },
  },
  'm-status': {
    script: patching([{ op: 'add', path: '/spec', value: { n: 3 } }]),
    says: { rules: [{ ...things, resources: ['things/status'], operations: ['*'] }] },
  },
  'm-again': { script: patching([{ op: 'add', path: '/metadata/labels', value: { b: '2' } }]), says: { rules: both } },
};

/** They are asked at once, so that no more than one of them has a say in a sequence. */
const validatingHooks: Readonly<Record<string, RandomHook>> = {
  'v-deny': { script: deny({ code: 418, message: 'no way' }), says: { rules: both, matchConditions: named('y') } },
  'v-keep': { script: deny({ reason: 'Conflict', code: 409 }), says: { rules: writes('DELETE') } },
  'v-warn': { script: allow({ warnings: ['seen'] }), says: { rules: writes('*') } },
  'v-condition': {
    script: deny(),
    says: { rules: both, matchConditions: [{ name: 'one', expression: "object.data.a == '1'" }] },
  },
  'v-lenient': {
    script: deny(),
    says: {
      rules: both,
      matchConditions: [{ name: 'one', expression: "object.data.a == '1'" }],
      failurePolicy: 'Ignore',
    },
  },
  'v-selected': { script: deny({ message: 'a' }), says: { rules: both, objectSelector: { matchLabels: { a: '1' } } } },
  'v-status': {
    script: deny({ message: 'status' }),
    says: { rules: [{ ...things, resources: ['things/status'], operations: ['UPDATE'] }] },
  },
  'v-broken': { script: { respond: { text: 'no' } }, says: { rules: writes('UPDATE') } },
  'v-user': {
    script: deny({ message: 'masters' }),
    says: {
      rules: both,
      matchConditions: [
        { name: 'may', expression: "authorizer.group('').resource('secrets').namespace('x').check('get').allowed()" },
        { name: 'large', expression: 'has(object.spec) && has(object.spec.n) && object.spec.n > 1' },
      ],
    },
  },
};

/** Likewise no more than one: which of several refusals is told is not said. */
const policies: Readonly<Record<string, Fields>> = {
  'p-message': { validations: [{ expression: "!has(object.data) || !('c' in object.data)", message: 'no c' }] },
  'p-made': {
    variables: [{ name: 'n', expression: 'has(object.spec) && has(object.spec.n) ? object.spec.n : 0' }],
    validations: [
      { expression: 'variables.n < 2', messageExpression: "'n is ' + string(variables.n)", reason: 'Forbidden' },
    ],
  },
  'p-failing': { validations: [{ expression: "object.data.b != '2'" }] },
  'p-lenient': { failurePolicy: 'Ignore', validations: [{ expression: "object.data.b != '2'", message: 'b' }] },
  'p-condition': {
    matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE' && oldObject != null" }],
    validations: [{ expression: 'object.metadata.?labels == oldObject.metadata.?labels', message: 'labels' }],
  },
  'p-rights': {
    validations: [
      {
        expression:
          "authorizer.requestResource.check('update').allowed() && authorizer.serviceAccount(request.namespace, 'sa').group('').resource('secrets').check('get').allowed()",
        message: 'rights',
      },
    ],
  },
};

const mutations: Readonly<Record<string, Fields>> = {
  'q-apply': {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: "Object{metadata: Object.metadata{annotations: {'policy': 'yes'}}}" },
  },
  'q-patch': {
    patchType: 'JSONPatch',
    jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'policy': 'json'}}]" },
  },
};

export interface Admission {
  /** The webhooks and policies that are about the namespace. */
  readonly by: readonly string[];
  /** How many ConfigMaps and things there may be; undefined: as many as anybody likes. */
  readonly quota: { readonly configmaps: number; readonly things: number } | undefined;
}

const someOf = (names: readonly string[], most: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: most });

export const admissions: fc.Arbitrary<Admission> = fc
  .tuple(
    someOf(Object.keys(mutatingHooks), 3),
    someOf(Object.keys(validatingHooks), 1),
    someOf(Object.keys(policies), 1),
    someOf(Object.keys(mutations), 1),
    fc.option(fc.record({ configmaps: fc.integer({ min: 0, max: 2 }), things: fc.integer({ min: 0, max: 2 }) })),
  )
  .map(([mutating, validating, judging, changing, quota]) => ({
    by: [...mutating, ...validating, ...judging, ...changing],
    quota: quota ?? undefined,
  }));

export const scripts: Readonly<Record<string, HookScript>> = Object.fromEntries(
  Object.entries({ ...mutatingHooks, ...validatingHooks }).map(([name, { script }]) => [name, script]),
);

const chosenBy = (name: string): Json => ({ matchLabels: { [name]: 'on', run: '{{run}}' } });
const typed = (kind: string, name: string): Fields => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: `${name}-{{run}}` },
});

function configuration(sort: 'Mutating' | 'Validating', hooks: Readonly<Record<string, RandomHook>>): Step {
  const webhooks = Object.entries(hooks).map(([name, { says }]) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `{{hooks}}/${name}`, caBundle: '{{hooksCA}}' },
    namespaceSelector: chosenBy(name),
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...says,
  }));
  const kind = `${sort}WebhookConfiguration`;
  const path = `${admission}/${kind.toLowerCase()}s`;
  return post(kind, path, { ...typed(kind, 'random'), webhooks }, { setup: true });
}

function policy(sort: 'Mutating' | 'Validating', name: string, spec: Fields): Step[] {
  const kind = `${sort}AdmissionPolicy`;
  const plural = `${admission}/${sort.toLowerCase()}admissionpolicies`;
  const constraints = { matchConstraints: { resourceRules: both } };
  const bound = {
    policyName: `${name}-{{run}}`,
    matchResources: { namespaceSelector: chosenBy(name) },
    ...(sort === 'Validating' ? { validationActions: ['Deny'] } : {}),
  };
  return [
    post(name, plural, { ...typed(kind, name), spec: { ...constraints, ...spec } }, { setup: true }),
    post(
      `${name}-binding`,
      `${admission}/${kind.toLowerCase()}bindings`,
      { ...typed(`${kind}Binding`, name), spec: bound },
      { setup: true },
    ),
  ];
}

/** A namespace whose labels choose, and its quota, which counts from the start: no controller fills its status. */
export function spaceSteps(name: string, { by, quota }: Admission): Step[] {
  const labels = Object.fromEntries(['run', ...by].map((one) => [one, one === 'run' ? '{{run}}' : 'on']));
  const made = post(
    'space',
    '/api/v1/namespaces',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
    { setup: true },
  );
  if (quota === undefined) return [made];
  const hard = {
    configmaps: String(quota.configmaps),
    'count/things.{{group}}': String(quota.things),
    'count/secrets': '0',
  };
  const used = Object.fromEntries(Object.keys(hard).map((key) => [key, '0']));
  const at = `/api/v1/namespaces/${name}`;
  const object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } };
  return [
    made,
    post('quota', `${at}/resourcequotas`, object, { setup: true }),
    {
      do: 'request',
      name: 'counted',
      method: 'PUT',
      path: `${at}/resourcequotas/q/status`,
      body: { json: { ...object, status: { hard, used } } },
      setup: true,
    },
    post(
      'limited',
      `${at}/secrets?dryRun=All`,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } },
      { until: { at: 'limited.status', is: 403 }, mask: ['body'], because: 'only waits until the quota counts' },
    ),
  ];
}

interface Mark {
  /** A webhook or a policy. */
  readonly of: string;
  /** What it is shown, again and again. */
  readonly ask: (space: string) => { readonly path: string; readonly json: Json; readonly method?: 'PATCH' };
  /** Where its effect is seen, and whether that is an object or a refusal. */
  readonly at: string;
  readonly matches: string;
}

const dryRun = 'dryRun=All&fieldManager=marker';
const aConfigMap =
  (name: string): Mark['ask'] =>
  (space) => ({
    path: `/api/v1/namespaces/${space}/configmaps?${dryRun}`,
    json: configMap(name, { data: { a: '1', b: '2', c: '3' } }),
  });
const aThing: Mark['ask'] = (space) => ({
  path: `/apis/{{group}}/v1/namespaces/${space}/things?${dryRun}`,
  json: thing('marker', { spec: { n: 3 } }),
});
const anUpdate: Mark['ask'] = (space) => ({
  path: `/api/v1/namespaces/${space}/configmaps/kept?${dryRun}`,
  json: { metadata: { labels: { a: '1' } } },
  method: 'PATCH',
});
const refused = { at: 'body.message', matches: 'ValidatingAdmissionPolicy' };
const changed = { at: 'body.metadata.annotations.policy', matches: '.' };

/**
 * A server takes notice of webhooks, policies and definitions in its own time; of the definitions that mutating policies change the objects of
 * every 5 s: until then it answers 503.
 */
const marks: readonly Mark[] = [
  { of: 'm-annotate', ask: aConfigMap('marker'), at: 'body.metadata.annotations.seen', matches: 'first' },
  { of: 'v-deny', ask: aConfigMap('y'), at: 'body.message', matches: 'no way' },
  ...['p-message', 'p-failing', 'p-lenient', 'p-rights'].map((of) => ({ of, ask: aConfigMap('marker'), ...refused })),
  { of: 'p-made', ask: aThing, ...refused },
  { of: 'p-condition', ask: anUpdate, ...refused },
  ...Object.keys(mutations).flatMap((of) => [
    { of, ask: aConfigMap('marker'), ...changed },
    { of, ask: aThing, ...changed },
  ]),
];

/** Waits until each shows its effect in its own namespace. */
function markerSteps(): Step[] {
  const spaceOf = (name: string): string => `{{run}}-${name}`;
  const names = [...new Set(marks.map(({ of }) => of))];
  return [
    ...names.flatMap((name) => spaceSteps(spaceOf(name), { by: [name], quota: undefined })),
    post('kept', `/api/v1/namespaces/${spaceOf('p-condition')}/configmaps`, configMap('kept'), { setup: true }),
    ...marks.map(({ of, ask, at, matches }, index): Step => {
      const { path, json, method = 'POST' } = ask(spaceOf(of));
      const name = `shows${index}`;
      const send = method === 'PATCH' ? { send: { 'content-type': 'application/merge-patch+json' } } : {};
      return { do: 'request', name, method, path, body: { json }, ...send, until: { at: `${name}.${at}`, matches } };
    }),
  ];
}

/** Everything that is there once and for all. */
export const admissionSetup: readonly Step[] = [
  configuration('Mutating', mutatingHooks),
  configuration('Validating', validatingHooks),
  ...Object.entries(policies).flatMap(([name, spec]) => policy('Validating', name, spec)),
  ...Object.entries(mutations).flatMap(([name, mutation]) =>
    policy('Mutating', name, { mutations: [mutation], reinvocationPolicy: 'Never' }),
  ),
  ...markerSteps(),
];
