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
