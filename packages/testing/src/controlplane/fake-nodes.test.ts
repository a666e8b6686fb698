import { describe, expect, test } from 'vitest';
import { fakeNode, unready } from './fake-nodes.ts';

describe('fake nodes', () => {
  const node = (name: string, ready?: string): ReturnType<typeof fakeNode> => ({
    ...fakeNode(1, 'v1'),
    metadata: { name },
    ...(ready === undefined ? {} : { status: { conditions: [{ type: 'Ready', status: ready }] } }),
  });

  test('have room for Pods, and the version of the cluster', () => {
    expect(fakeNode(2, 'v1.36.3')).toMatchObject({
      metadata: { name: 'node-2', labels: { 'kubernetes.io/hostname': 'node-2', 'kubernetes.io/os': 'linux' } },
      status: { allocatable: { pods: '1000' }, nodeInfo: { kubeletVersion: 'v1.36.3' } },
    });
  });

  test.each([
    ['all are Ready', [node('a', 'True'), node('b', 'True')], 2, undefined],
    ['one is missing', [node('a', 'True')], 2, '1 of 2 nodes exist'],
    ['one is not Ready', [node('a', 'True'), node('b', 'False')], 2, 'not Ready: b'],
    ['one has no status', [node('a'), node('b', 'True')], 2, 'not Ready: a'],
  ])('%s', (_, nodes, count, expected) => {
    expect(unready(nodes, count)).toBe(expected);
  });
});
