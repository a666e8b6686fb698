import { expect, test } from 'vitest';
import type { Client } from '../client/index.ts';
import { ApiError, type Status } from '../errors/index.ts';
import { Node, type Pod } from '../k8s/core/v1.ts';
import { cordon, cordonOf, isDrained, isNodeReady, requestEviction, uncordon } from './index.ts';

const mark = { annotation: 'example.com/cordoned-for', value: 'group-a' };
const node = (given: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  ...given,
});
const pod = (metadata: Partial<Pod['metadata']>, phase?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', ...metadata },
  ...(phase !== undefined && { status: { phase } }),
});
const refusal = (code: number, reason: string, causes: object[] = []) =>
  new ApiError({ code, reason, message: 'no', causes, details: {} } as unknown as Status, {
    method: 'POST',
    path: '/',
  });

/** Answers every write with what is thrown. */
function clientThat(thrown?: unknown): { client: Client; sent: unknown[] } {
  const sent: unknown[] = [];
  const answer = async (...request: unknown[]): Promise<void> => {
    sent.push(request);
    if (thrown !== undefined) throw thrown;
  };
  return { client: { patch: answer, evict: answer } as unknown as Client, sent };
}

test('ND-1: a cordon is one patch with its mark, and so is taking it away', async () => {
  const { client, sent } = clientThat();
  await cordon(client, 'n', mark);
  await uncordon(client, 'n', mark);
  expect(sent).toEqual([
    [
      Node,
      'n',
      { metadata: { annotations: { 'example.com/cordoned-for': 'group-a' } }, spec: { unschedulable: true } },
    ],
    [Node, 'n', { metadata: { annotations: { 'example.com/cordoned-for': null } }, spec: { unschedulable: null } }],
  ]);
});

test('ND-1: a Node that is gone needs no cordon; any other refusal is thrown', async () => {
  const { client } = clientThat(refusal(404, 'NotFound'));
  await cordon(client, 'n', mark);
  await uncordon(client, 'n', mark);
  await expect(cordon(clientThat(refusal(403, 'Forbidden')).client, 'n', mark)).rejects.toThrow(ApiError);
});

test('ND-2: a cordon is the own one by its mark alone; all others are of somebody else', () => {
  const annotations = { 'example.com/cordoned-for': 'group-a' };
  expect(cordonOf(node(), mark)).toBe('none');
  expect(cordonOf(node({ spec: { unschedulable: true } }), mark)).toBe('foreign');
  expect(cordonOf(node({ metadata: { name: 'n', annotations }, spec: { unschedulable: true } }), mark)).toBe('own');
  // Somebody has uncordoned it by hand: the mark is still there to be taken away.
  expect(cordonOf(node({ metadata: { name: 'n', annotations } }), mark)).toBe('own');
  const other = { ...mark, value: 'group-b' };
  expect(cordonOf(node({ metadata: { name: 'n', annotations }, spec: { unschedulable: true } }), other)).toBe(
    'foreign',
  );
});

test('ND-2: a Node is ready when its condition says True, and not while it is unknown or missing', () => {
  const saying = (status: string) => node({ status: { conditions: [{ type: 'Ready', status }] } });
  expect([saying('True'), saying('False'), saying('Unknown'), node()].map(isNodeReady)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const pressed = node({ status: { conditions: [{ type: 'DiskPressure', status: 'True' }] } });
  expect(isNodeReady(pressed)).toBe(false);
});

test('ND-3: a drain moves all Pods but those of DaemonSets, static and finished ones', () => {
  const owner = { apiVersion: 'apps/v1', uid: 'u', name: 'o' };
  expect(isDrained(pod({}))).toBe(false);
  expect(isDrained(pod({}, 'Running'))).toBe(false);
  expect(isDrained(pod({}, 'Succeeded'))).toBe(true);
  expect(isDrained(pod({}, 'Failed'))).toBe(true);
  expect(isDrained(pod({ annotations: { 'kubernetes.io/config.mirror': 'x' } }))).toBe(true);
  expect(isDrained(pod({ ownerReferences: [{ ...owner, kind: 'DaemonSet', controller: true }] }))).toBe(true);
  expect(isDrained(pod({ ownerReferences: [{ ...owner, kind: 'DaemonSet' }] }))).toBe(false);
  expect(isDrained(pod({ ownerReferences: [{ ...owner, kind: 'ReplicaSet', controller: true }] }))).toBe(false);
});

test('ND-4: an eviction that a budget refuses is false, one of a Pod that is gone is true, any other error is thrown', async () => {
  const ref = { namespace: 'n', name: 'p' };
  const budget = refusal(429, 'TooManyRequests', [{ reason: 'DisruptionBudget' }]);
  expect(await requestEviction(clientThat().client, ref)).toBe(true);
  expect(await requestEviction(clientThat(refusal(404, 'NotFound')).client, ref)).toBe(true);
  expect(await requestEviction(clientThat(budget).client, ref)).toBe(false);
  expect(await requestEviction(clientThat(refusal(429, 'TooManyRequests')).client, ref)).toBe(false);
  await expect(requestEviction(clientThat(refusal(403, 'Forbidden')).client, ref)).rejects.toThrow(ApiError);
});

test('ND-4: with its UID only this very Pod is evicted: another one of its name stays', async () => {
  const { client, sent } = clientThat();
  const pod = { namespace: 'n', name: 'p', uid: 'u' };
  await requestEviction(client, pod);
  expect(sent).toEqual([[pod, { preconditions: { uid: 'u' } }]]);
  const conflict = clientThat(refusal(409, 'Conflict')).client;
  expect(await requestEviction(conflict, pod)).toBe(true);
  await expect(requestEviction(conflict, { namespace: 'n', name: 'p' })).rejects.toThrow(ApiError);
});
