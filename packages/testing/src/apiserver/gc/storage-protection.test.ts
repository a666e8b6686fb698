import { expect, test } from 'vitest';
import { usesClaim } from './storage-protection.ts';

const pod = (phase: string, nodeName?: string) => ({
  spec: { ...(nodeName && { nodeName }), volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  status: { phase },
});

test.each([
  [pod('Running', 'n'), 'data', true],
  [pod('Pending', 'n'), 'data', true],
  [pod('Pending'), 'data', false],
  [pod('Succeeded', 'n'), 'data', false],
  [pod('Failed', 'n'), 'data', false],
  [pod('Running', 'n'), 'other', false],
])('%j holds claim %s: %s', (one, claim, expected) => {
  expect(usesClaim(one, claim)).toBe(expected);
});
