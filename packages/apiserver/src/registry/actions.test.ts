// Subresources that take a POST, shown on pods/binding.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { forbidden } from '../status/index.ts';
import type { AdmissionRequest } from './admission-step.ts';
import { refusal, RegistryUnderTest, type Stored } from './registry-under-test.test-support.ts';

const pod = (name: string, { metadata, ...spec }: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(metadata as JsonObject) },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

const binding = (name: string, rest: JsonObject = {}): JsonObject => {
  const { metadata, ...fields } = rest;
  const target = { kind: 'Node', name: 'node-1' };
  return { apiVersion: 'v1', kind: 'Binding', metadata: { name, ...(metadata as JsonObject) }, target, ...fields };
};

const bind = (api: RegistryUnderTest, name: string, rest: JsonObject = {}, query = ''): Promise<Stored> =>
  api.create('pods', binding(name, rest), { name, subresource: 'binding', query });

async function withPod(spec: JsonObject = {}): Promise<{ api: RegistryUnderTest; before: Stored }> {
  const api = new RegistryUnderTest();
  return { api, before: await api.create('pods', pod('p', spec)) };
}

describe('API-R5: a binding', () => {
  test('puts the pod on its node, in one change of its version and none of its generation', async () => {
    const { api, before } = await withPod({ metadata: { annotations: { kept: '1', over: 'old' } } });
    const metadata = { annotations: { over: 'new' }, labels: { zone: 'a' } };
    expect(await bind(api, 'p', { metadata })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      code: 201,
    });
    const after = await api.get('pods', 'p');
    expect(after['spec']).toMatchObject({ nodeName: 'node-1' });
    expect(after.metadata).toMatchObject({
      annotations: { kept: '1', over: 'new' },
      labels: { zone: 'a' },
      generation: before.metadata['generation'],
      managedFields: before.metadata['managedFields'],
    });
    expect((after['status'] as JsonObject)['conditions']).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    expect(api.changes.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED']);
  });

  test('is answered with 201', async () => {
    const { api } = await withPod();
    const asking = { name: 'p', subresource: 'binding', body: binding('p') };
    expect(await api.ask('create', 'pods', asking)).toMatchObject({ type: 'object', code: 201, warnings: [] });
  });

  test('replaces an older condition of its type', async () => {
    const { api } = await withPod();
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
      { type: 'Ready', status: 'False' },
    ];
    await api.patch('pods', 'p', { body: { status: { conditions } }, subresource: 'status' });
    await bind(api, 'p');
    const { conditions: after } = (await api.get('pods', 'p'))['status'] as { conditions: JsonObject[] };
    expect(after.map(({ type, status: is }) => [type, is])).toEqual([
      ['Ready', 'False'],
      ['PodScheduled', 'True'],
    ]);
  });

  test('of a dry run stores nothing', async () => {
    const { api, before } = await withPod();
    expect(await bind(api, 'p', {}, 'dryRun=All')).toMatchObject({ status: 'Success' });
    expect(await api.get('pods', 'p')).toEqual(before);
  });

  test.each([
    ['of no pod', 'q', {}, { code: 404, message: 'pods "q" not found' }],
    [
      'of another name',
      'p',
      { metadata: { name: 'q' } },
      { code: 400, message: 'name in URL does not match name in Binding object' },
    ],
    ['without a node', 'p', { target: {} }, { code: 500, message: 'target.name: Required value' }],
    [
      'to something else without a name',
      'p',
      { target: { kind: 'Minion' } },
      {
        code: 500,
        message:
          '[target.kind: Unsupported value: "Minion": supported values: "Node", "<empty>", target.name: Required value]',
      },
    ],
    ['of another uid', 'p', { metadata: { uid: 'x' } }, { code: 409, reason: 'Conflict' }],
    ['of another version', 'p', { metadata: { resourceVersion: '1' } }, { code: 409, reason: 'Conflict' }],
    ['for another namespace', 'p', { metadata: { namespace: 'else' } }, { code: 400 }],
    [
      'that is a Pod',
      'p',
      { kind: 'Pod' },
      {
        code: 400,
        message:
          'Pod in version "v1" cannot be handled as a Binding: converting (v1.Pod) to (core.Binding): unknown conversion',
      },
    ],
  ])('%s is refused', async (_, name, rest, expected) => {
    const { api, before } = await withPod();
    expect(await refusal(bind(api, name, rest as JsonObject))).toMatchObject(expected);
    expect(await api.get('pods', 'p')).toEqual(before);
  });

  test('of a pod that has a node, or gates, or goes, is a conflict', async () => {
    const { api } = await withPod();
    await bind(api, 'p');
    await api.create('pods', pod('gated', { schedulingGates: [{ name: 'a/b' }] }));
    await api.create('pods', pod('going', { metadata: { finalizers: ['a/b'] } }));
    await api.remove('pods', 'going');
    const messages = await Promise.all(['p', 'gated', 'going'].map((name) => refusal(bind(api, name))));
    expect(messages.map(({ code, message }) => `${code} ${message.split(': ')[1] ?? ''}`)).toEqual([
      '409 pod p is already assigned to node "node-1"',
      '409 pod gated has non-empty .spec.schedulingGates',
      '409 pod going is being deleted, cannot be assigned to a host',
    ]);
  });

  test('warns of fields it does not know, or is refused for them', async () => {
    const { api } = await withPod();
    const asking = { name: 'p', subresource: 'binding', body: binding('p', { more: 1 }) };
    const strict = await refusal(api.ask('create', 'pods', { ...asking, query: 'fieldValidation=Strict' }));
    expect(strict.message).toContain('strict decoding error: unknown field "more"');
    expect(await api.ask('create', 'pods', asking)).toMatchObject({ warnings: ['unknown field "more"'] });
  });

  test('is judged by those who admit changes: they see the Binding', async () => {
    const seen: AdmissionRequest[] = [];
    const step = {
      validate: (request: AdmissionRequest) => {
        if (request.subresource !== 'binding') return undefined;
        seen.push(request);
        return Promise.reject(forbidden(request.resource, 'p', { message: 'not here' }));
      },
    };
    const api = new RegistryUnderTest({ admission: [step] });
    const before = await api.create('pods', pod('p'));
    expect(await refusal(bind(api, 'p'))).toMatchObject({ code: 403 });
    expect(seen).toMatchObject([{ operation: 'create', object: { kind: 'Binding' }, old: undefined }]);
    expect(await api.get('pods', 'p')).toEqual(before);
  });
});

describe('subresources that are none', () => {
  test.each(['get', 'update', 'patch', 'delete'] as const)('%s of a binding is not allowed', async (verb) => {
    const { api } = await withPod();
    const asking = { name: 'p', subresource: 'binding', body: binding('p'), patchType: 'merge' as const };
    expect(await refusal(api.ask(verb, 'pods', asking))).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
  });

  test.each([
    ['create', 'constructor'],
    ['update', 'constructor'],
    ['create', '__proto__'],
    ['update', 'toString'],
    ['create', 'nothing'],
  ] as const)('%s of %s is not found', async (verb, subresource) => {
    const { api, before } = await withPod();
    expect(await refusal(api.ask(verb, 'pods', { name: 'p', subresource, body: before }))).toMatchObject({ code: 404 });
    expect(await api.get('pods', 'p')).toEqual(before);
  });

  test.each(['status', 'scale'])('a POST to %s is not allowed', async (subresource) => {
    const api = new RegistryUnderTest();
    const asking = { apiVersion: 'apps/v1', name: 'd', subresource, body: {} };
    expect(await refusal(api.ask('create', 'deployments', asking))).toMatchObject({ code: 405 });
  });
});
