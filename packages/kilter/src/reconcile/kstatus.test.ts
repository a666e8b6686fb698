import { expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { kstatusVerdicts } from './kstatus-verdicts.test-support.ts';
import { readiness } from './readiness.ts';

// Long after every Pod of the table was created.
const now = Date.UTC(2025, 0, 1);

/** The one difference that is meant: whoever waits for a Pod is not to continue with one that has failed. */
const isFailedPod = (object: KubeObject): boolean => readiness(object, { now }).reason === 'PodFailed';

test(`RD-1: readiness says what kstatus says of ${kstatusVerdicts.length} objects`, () => {
  const differences: string[] = [];
  for (const line of kstatusVerdicts) {
    const [status = '', reason = '', ...rest] = line.split(' ');
    const object = JSON.parse(rest.join(' ')) as KubeObject;
    const mine = readiness(object, { now });
    const expected = isFailedPod(object) ? 'Failed' : status;
    // Where kstatus has no reason of its own, the words are ours.
    const isSame = mine.status === expected && (reason === '-' || reason === mine.reason);
    if (!isSame) differences.push(`${line}: ${mine.status} ${mine.reason}`);
  }
  expect(differences).toEqual([]);
});

test('the table has every status, and every kind with rules of its own', () => {
  const statuses = new Set(kstatusVerdicts.map((line) => line.split(' ')[0]));
  expect([...statuses].toSorted()).toEqual(['Current', 'Failed', 'InProgress', 'Terminating']);
  const kinds = new Set(kstatusVerdicts.map((line) => /"kind":"(\w+)"/.exec(line)?.[1]));
  expect(kinds.size).toBeGreaterThan(14);
});
