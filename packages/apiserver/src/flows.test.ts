// Which flow schema the answers name: through the server, with its own schemas and others.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { metadataOf, ServerUnderTest } from './server-under-test.test-support.ts';

const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const typed = (kind: string, name: string): JsonObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind,
  metadata: { name },
});
const level = {
  ...typed('PriorityLevelConfiguration', 'l'),
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
};
const schema = (name: string, matchingPrecedence = 700): JsonObject => ({
  ...typed('FlowSchema', name),
  spec: {
    priorityLevelConfiguration: { name: 'l' },
    matchingPrecedence,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'ada' } }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
      },
    ],
  },
});
const asAda = { headers: { 'impersonate-user': 'ada' } };

async function flowOf(api: ServerUnderTest, request: string, asking = {}): Promise<unknown> {
  const { headers } = await api.send(request, undefined, asking);
  return [headers['x-kubernetes-pf-flowschema-uid'], headers['x-kubernetes-pf-prioritylevel-uid']];
}

async function uids(api: ServerUnderTest, name: string, levelName: string): Promise<string[]> {
  const both = [`flowschemas/${name}`, `prioritylevelconfigurations/${levelName}`];
  const found = await Promise.all(both.map((one) => api.ok(`GET ${flow}/${one}`)));
  return found.map((object) => metadataOf(object).uid);
}

describe('API-Z7, API-T5: an answer names the flow of its request', () => {
  test('by the schemas every server has', async () => {
    await using api = new ServerUnderTest();
    const of = (request: string, name: string): Promise<unknown> =>
      flowOf(api, request, { headers: { 'impersonate-user': name } });
    expect(await flowOf(api, 'GET /version')).toEqual(await uids(api, 'exempt', 'exempt'));
    expect(await of('GET /version', 'ada')).toEqual(await uids(api, 'global-default', 'global-default'));
    expect(await of('GET /readyz', 'ada')).toEqual(await uids(api, 'probes', 'exempt'));
    const robot = 'system:serviceaccount:n:robot';
    expect(await of('GET /version', robot)).toEqual(await uids(api, 'service-accounts', 'workload-low'));
  });

  test('by others, the one that is asked first, while their level is there', async () => {
    await using api = new ServerUnderTest();
    const before = await flowOf(api, 'GET /version', asAda);
    for (const one of [schema('b'), schema('a'), schema('late', 800)]) await api.ok(`POST ${flow}/flowschemas`, one);
    expect(await flowOf(api, 'GET /version', asAda)).toEqual(before);
    await api.ok(`POST ${flow}/prioritylevelconfigurations`, level);
    expect(await flowOf(api, 'GET /version', asAda)).toEqual(await uids(api, 'a', 'l'));
    await api.ok(`PUT ${flow}/flowschemas/late`, schema('late', 600));
    expect(await flowOf(api, 'GET /version', asAda)).toEqual(await uids(api, 'late', 'l'));
    const snapshot = api.server.snapshot();
    await api.ok(`DELETE ${flow}/prioritylevelconfigurations/l`);
    expect(await flowOf(api, 'GET /version', asAda)).toEqual(before);
    api.server.restore(snapshot);
    expect(await flowOf(api, 'GET /version', asAda)).toEqual(await uids(api, 'late', 'l'));
  });

  test('none where nobody knows who asks, nor of what may last', async () => {
    await using api = new ServerUnderTest();
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    expect(await flowOf(api, 'GET /version', wrong)).toEqual([undefined, undefined]);
    const pod = 'GET /api/v1/namespaces/default/pods/x';
    expect(await flowOf(api, pod)).toEqual(await uids(api, 'exempt', 'exempt'));
    expect(await flowOf(api, `${pod}/log`)).toEqual([undefined, undefined]);
  });
});

test('API-Z7: a flow schema says whether its level is there, and metrics what the level gets', async () => {
  await using api = new ServerUnderTest();
  const conditionOf = async (): Promise<unknown> => {
    await api.server.idle();
    const { status } = (await api.ok(`GET ${flow}/flowschemas/a`)) as { status: { conditions: unknown[] } };
    return status.conditions;
  };
  await api.ok(`POST ${flow}/flowschemas`, schema('a'));
  expect(await conditionOf()).toEqual([expect.objectContaining({ status: 'True', reason: 'NotFound' })]);
  await api.ok(`POST ${flow}/prioritylevelconfigurations`, level);
  expect(await conditionOf()).toEqual([expect.objectContaining({ status: 'False', reason: 'Found' })]);
  const { text } = await api.send('GET /metrics');
  expect(text).toMatch(/apiserver_flowcontrol_nominal_limit_seats\{priority_level="l"\} 1\d\n/);
  await api.ok(`DELETE ${flow}/prioritylevelconfigurations/l`);
  expect(await conditionOf()).toEqual([expect.objectContaining({ status: 'True', reason: 'NotFound' })]);
});
