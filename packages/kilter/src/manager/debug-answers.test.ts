import { describe, expect, test } from 'vitest';
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

describe('JR-3: /debug/runs', () => {
  const ask = (path: string, host = 'localhost:1', given = records) =>
    debugAnswer({ url: new URL(`http://localhost${path}`), host } as never, { recent: () => given });

  test('gives a hundred unless asked for more or less', () => {
    const many = Array.from({ length: 150 }, (_, n) => record(String(n), {}));
    const count = (path: string): number => (JSON.parse(String(ask(path, undefined, many)?.body)) as unknown[]).length;
    expect([count('/debug/runs'), count('/debug/runs?limit=120'), count('/debug/runs?limit=2')]).toEqual([100, 120, 2]);
  });

  test.each(['0', '-1', '1.5', 'many', ''])('refuses a limit of %j', (limit) => {
    expect(ask(`/debug/runs?limit=${limit}`)?.status).toBe(400);
  });

  test('gives a run by its ID, or says that there is none', () => {
    expect([ask('/debug/runs/2')?.status, JSON.parse(String(ask('/debug/runs/2')?.body))]).toEqual([200, records[1]]);
    expect(ask('/debug/runs/7')?.status).toBe(404);
  });

  test.each(['localhost', 'localhost:8080', '127.0.0.1:1', '127.1.2.3', '[::1]:1'])('is asked at %s', (host) => {
    expect(ask('/debug/runs', host)?.status).toBe(200);
  });

  test.each(['example.com', '10.0.0.1:8080', 'localhost.example.com', '127.0.0.1.example.com', ''])(
    'is not shown to a request for %j',
    (host) => expect(ask('/debug/runs', host)?.status).toBe(403),
  );

  test('is not what stands at other paths', () => {
    expect(['/debug', '/debug/other', '/runs', '/debug/runs/1/more'].map((path) => ask(path))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
