import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { configMap, paths, ServerUnderTest } from './server-under-test.test-support.ts';

const { configMaps } = paths;
const group = '/apis/admissionregistration.k8s.io/v1';
const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];

async function bind(
  api: ServerUnderTest,
  sort: 'Validating' | 'Mutating',
  { spec, binding = {} }: { spec: JsonObject; binding?: JsonObject },
): Promise<void> {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const kind = `${sort}AdmissionPolicy`;
  const metadata = { name: 'p' };
  await api.ok(`POST ${group}/${sort.toLowerCase()}admissionpolicies`, {
    apiVersion,
    kind,
    metadata,
    spec: { matchConstraints: { resourceRules }, ...spec },
  });
  await api.ok(`POST ${group}/${sort.toLowerCase()}admissionpolicybindings`, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name: 'b' },
    spec: { policyName: 'p', ...(sort === 'Validating' && { validationActions: ['Deny'] }), ...binding },
  });
}

const many = configMap('a', { data: { a: '1', b: '2' } });

describe('API-A7: a validating policy', () => {
  test('refuses with the message it makes of its variables', async () => {
    await using api = new ServerUnderTest();
    await bind(api, 'Validating', {
      spec: {
        variables: [{ name: 'size', expression: 'has(object.data) ? object.data.size() : 0' }],
        validations: [{ expression: 'variables.size < 2', messageExpression: "'too many: ' + string(variables.size)" }],
      },
    });
    const { code, body } = await api.send(`POST ${configMaps}`, many);
    expect(code).toBe(422);
    expect(body['message']).toBe(
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: too many: 2`,
    );
    await api.ok(`POST ${configMaps}`, configMap('a'));
  });

  test('is run with its parameters, and without any refuses or lets pass', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('limits', { data: { most: '1' } }));
    await bind(api, 'Validating', {
      spec: {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [{ expression: 'object.data.size() <= int(params.data.most)', reason: 'Forbidden' }],
      },
      binding: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    });
    expect((await api.send(`POST ${configMaps}`, many)).code).toBe(403);
    await api.ok(`DELETE ${configMaps}/limits`);
    const { body } = await api.send(`POST ${configMaps}`, configMap('c', { data: {} }));
    expect(body['message']).toContain('failed to configure binding: no params found for policy binding');
  });

  test('that only warns lets the object pass', async () => {
    await using api = new ServerUnderTest();
    await bind(api, 'Validating', {
      spec: { validations: [{ expression: 'false', message: 'never' }] },
      binding: { validationActions: ['Warn'] },
    });
    const { code, warnings } = await api.send(`POST ${configMaps}`, many);
    expect([code, warnings]).toEqual([
      201,
      [`299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': never"`],
    ]);
  });

  test('that fails refuses, or is passed over', async () => {
    for (const [failurePolicy, wanted] of [
      ['Fail', 422],
      ['Ignore', 201],
    ] as const) {
      await using api = new ServerUnderTest();
      await bind(api, 'Validating', {
        spec: { failurePolicy, validations: [{ expression: "object.data.none == 'x'" }] },
      });
      expect((await api.send(`POST ${configMaps}`, many)).code).toBe(wanted);
    }
  });
});

test('API-A7: a mutating policy lays a configuration over the object, or patches it', async () => {
  await using api = new ServerUnderTest();
  await bind(api, 'Mutating', {
    spec: {
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'by': 'policy'}}}" },
        },
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression:
              "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('x'), value: object.metadata.labels.by}]",
          },
        },
      ],
    },
  });
  const created = await api.ok(`POST ${configMaps}`, many);
  expect(created).toMatchObject({ metadata: { labels: { by: 'policy' } }, data: { a: '1', b: '2', x: 'policy' } });
});

describe('API-A7: the authorizer', () => {
  const users = { admin: { name: 'admin', groups: ['system:masters'] }, alice: { name: 'alice', groups: [] } };
  const asAlice = { headers: { authorization: 'Bearer alice' } };
  const allowed = async (expression: string): Promise<string> => {
    await using api = new ServerUnderTest({ authorization: 'RBAC', users });
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['known'], verbs: ['get'] },
    ];
    await api.ok(`POST ${rbac}/roles`, { metadata: { name: 'r' }, rules });
    await api.ok(`POST ${rbac}/rolebindings`, {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    });
    await bind(api, 'Validating', { spec: { validations: [{ expression, message: 'no' }] } });
    const { code, body } = await api.send(`POST ${configMaps}`, configMap('a'), asAlice);
    return code === 201 ? 'yes' : (body['message'] as string).replace(/^.*denied request: /, '');
  };
  const secret = "authorizer.group('').resource('secrets').namespace('default')";

  test.each([
    [`${secret}.name('known').check('get').allowed()`, 'yes'],
    [`${secret}.name('other').check('get').allowed()`, 'no'],
    [`${secret}.name('known').subresource('status').check('get').allowed()`, 'no'],
    ["authorizer.requestResource.check('create').allowed()", 'yes'],
    ["authorizer.requestResource.check('delete').allowed()", 'no'],
    ["authorizer.path('/metrics').check('get').allowed()", 'no'],
    ["authorizer.serviceAccount('default', 'sa').requestResource", 'unexpected failed resolution'],
    [`${secret}.name('known').check('get').reason().contains('RoleBinding "r/default"')`, 'yes'],
    [`${secret}.check('get').errored() || ${secret}.check('get').error() != ''`, 'no'],
    [
      "authorizer.serviceAccount('default', 'sa').group('').resource('secrets').name('known').check('get').allowed()",
      'no',
    ],
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
  ])('%s: %s', async (expression, answer) => {
    const found = await allowed(expression).catch((error: unknown) => String(error));
    expect(found).toContain(answer);
  });

  test('answers two questions of one expression; a third costs too much', async () => {
    const question = `(${secret}.name('known').check('get').allowed())`;
    expect(await allowed(`${question} && ${question}`)).toBe('yes');
    expect(await allowed(`${question} && ${question} && ${question}`)).toContain('actual cost limit exceeded');
  });
});

describe('API-A7: what cannot be run is refused when it is written', () => {
  const fields = async (api: ServerUnderTest, sort: 'Validating' | 'Mutating', spec: JsonObject): Promise<unknown> => {
    const { code, body } = await api.send(`POST ${group}/${sort.toLowerCase()}admissionpolicies`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${sort}AdmissionPolicy`,
      metadata: { name: 'p' },
      spec: { matchConstraints: { resourceRules }, ...spec },
    });
    expect(code).toBe(422);
    const { causes } = body['details'] as { causes: { field: string; message: string }[] };
    return causes.map(({ field, message }) => `${field}: ${message}`);
  };

  test.each<[JsonObject, string]>([
    [
      { validations: [{ expression: 'nothing' }] },
      'spec.validations[0].expression: Invalid value: "nothing": compilation',
    ],
    [
      { validations: [{ expression: '1' }] },
      'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
    ],
    [
      { variables: [{ name: 'a', expression: 'variables.b' }], validations: [{ expression: 'true' }] },
      'spec.variables[0].expression: Invalid value: "variables.b": compilation failed',
    ],
    [
      { matchConditions: [{ name: 'a', expression: 'params.x' }], validations: [{ expression: 'true' }] },
      'spec.matchConditions[0].expression: Invalid value: "params.x": compilation failed',
    ],
    [{ validations: [] }, 'spec.validations: Required value'],
  ])('a validating policy with %j', async (spec, expected) => {
    await using api = new ServerUnderTest();
    expect(await fields(api, 'Validating', spec)).toContainEqual(expect.stringContaining(expected));
  });

  test('a mutating policy whose expression makes no patch', async () => {
    await using api = new ServerUnderTest();
    const mutations = [{ patchType: 'JSONPatch', jsonPatch: { expression: '[1]' } }];
    expect(await fields(api, 'Mutating', { mutations, reinvocationPolicy: 'Never' })).toEqual([
      'spec.mutations[0].jsonPatch.expression: Invalid value: "[1]": must evaluate to list(JSONPatch) but got list(int)',
    ]);
  });

  test('a condition of a webhook', async () => {
    await using api = new ServerUnderTest();
    const path = `${group}/validatingwebhookconfigurations`;
    const configuration = (expression: string): JsonObject => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'w' },
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { url: 'https://localhost' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          matchConditions: [{ name: 'c', expression }],
        },
      ],
    });
    expect((await api.send(`POST ${path}`, configuration('object'))).body['message']).toContain(
      'webhooks[0].matchConditions[0].expression: Invalid value: "object": must evaluate to bool but got dyn',
    );
    await api.ok(`POST ${path}`, configuration('has(object.data)'));
  });
});
