import { expect, test } from 'vitest';
import type { RunRecord } from '../telemetry/index.ts';
import { debugAnswer } from './debug-answers.ts';

const record = (reconcileID: string, fields: object): RunRecord => ({ reconcileID, ...fields }) as RunRecord;
const records = [
  record('1', { controller: 'a', key: 'n/x', result: 'success' }),
  record('2', { controller: 'a', key: 'n/y', result: 'error' }),
  record('3', { controller: 'b', key: 'n/x', result: 'error' }),
];

test.each([
  ['', ['3', '2', '1']],
  ['?controller=a', ['2', '1']],
  ['?key=n/x', ['3', '1']],
  ['?result=error', ['3', '2']],
  ['?controller=a&result=error', ['2']],
  ['?limit=1', ['3']],
])('JR-3: /debug/runs%s gives the runs that match, newest first', (query, expected) => {
  const url = new URL(`http://localhost/debug/runs${query}`);
  const answer = debugAnswer({ url, host: 'localhost:1' } as never, { recent: () => records });
  const given = JSON.parse(String(answer?.body)) as { reconcileID: string }[];
  expect([answer?.status, given.map(({ reconcileID }) => reconcileID)]).toEqual([200, expected]);
});
