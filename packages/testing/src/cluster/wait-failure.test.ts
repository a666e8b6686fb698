import { describe, expect, test } from 'vitest';
import { failedRuns, type Run, type WaitFailure, waitFailureText } from './wait-failure.ts';

const run = (controller: string, key: string, error?: string): Run => ({
  controller,
  key,
  reconcileID: 'r',
  causes: [],
  result: error === undefined ? 'success' : 'error',
  next: 'never',
  startedAt: 0,
  phases: { queue: 0, settle: 0, writes: 0, code: 0 },
  writes: [],
  moreWrites: 0,
  durationMs: 1,
  error,
});

const failure = (given: Partial<WaitFailure>): WaitFailure => ({
  what: 'WebApp shop',
  within: 10_000,
  problem: '.spec.replicas: expected 3, found 2',
  looks: 37,
  key: 'default/shop',
  runs: [],
  ended: [],
  logs: {},
  ...given,
});

describe('a wait in vain says', () => {
  test('for how long, for what, how often it looked and the last difference', () => {
    expect(waitFailureText(failure({}))).toBe(
      'waited 10 s for WebApp shop; the last of 37 attempts:\n.spec.replicas: expected 3, found 2',
    );
    expect(waitFailureText(failure({ looks: 1 }))).toContain('; one attempt:');
  });

  test('what the last look saw, without managed fields', () => {
    const object = { metadata: { name: 'shop', managedFields: [{ manager: 'me' }] }, spec: { replicas: 2 } };
    expect(waitFailureText(failure({ seen: { look: 37, object } }))).toMatch(
      /\nseen: \{"metadata":\{"name":"shop"\},"spec":\{"replicas":2\}\}$/,
    );
  });

  test('what was there before it went', () => {
    const text = waitFailureText(failure({ problem: 'it does not exist', seen: { look: 12, object: { a: 1 } } }));
    expect(text).toMatch(/:\nit does not exist\nlast seen in attempt 12: \{"a":1\}$/);
  });

  test('which last runs failed, those of the object in question first', () => {
    const runs = [run('webapp', 'default/other', 'other trouble'), run('webapp', 'default/shop', 'no such image')];
    expect(waitFailureText(failure({ runs }))).toMatch(
      /\nthe last run of webapp for default\/shop failed: no such image\nthe last run of webapp for default\/other failed: other trouble$/,
    );
  });

  test('why an operator ended', () => {
    expect(waitFailureText(failure({ ended: ['the operator x ended: lease lost'] }))).toMatch(
      /\nthe operator x ended: lease lost$/,
    );
  });

  test('the end of each log', () => {
    const log = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
    const text = waitFailureText(failure({ logs: { etcd: `${log}\n`, 'kube-apiserver': '' } }));
    expect(text).toMatch(/\nthe end of the log of etcd:\nline 15\nline 16\nline 17\nline 18\nline 19$/);
    expect(text).not.toContain('kube-apiserver');
  });
});

test('a run that failed and then succeeded is not news, nor one of another controller for the same key', () => {
  const runs = [
    run('a', 'default/shop', 'early'),
    run('b', 'default/shop', 'still'),
    run('a', 'default/shop'),
    run('a', 'default/x', 'older'),
    run('a', 'default/y', 'newer'),
  ];
  expect(failedRuns(runs, 'default/shop').map(({ error }) => error)).toEqual(['still', 'newer', 'older']);
});

test('the message is bounded, however large the parts are', () => {
  const large = 'x'.repeat(1_000_000);
  const runs = Array.from({ length: 100 }, (_, n) => run('webapp', `default/${n}`, large));
  const logs = { etcd: `${large}\n`.repeat(10), 'kube-apiserver': large };
  const text = waitFailureText(
    failure({ problem: large, seen: { look: 37, object: { large } }, runs, ended: [large], logs }),
  );
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain('and those of 97 more keys');
});
