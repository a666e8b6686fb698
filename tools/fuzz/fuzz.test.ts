import { describe, expect, test } from 'vitest';
import { fuzz, type Target } from './fuzz.ts';
import { mutatedValues } from './mutated-values.ts';
import { fuzzRequests } from './requests.ts';
import { type RequestTarget, requestTargets } from './request-targets.ts';
import { targets } from './targets.ts';

test.each(targets)('C-09: mutated $name are read or refused, at once and without a trace', (target) => {
  expect(fuzz(target, { seed: 20_261_116, count: 1500 })).toEqual([]);
});

test.each(requestTargets)(
  'C-09, C-17: $name: mutated requests are answered in time, and none that is refused changes anything',
  async (target) => {
    expect(await fuzzRequests(target, { seed: 20_261_117, count: 60 })).toEqual([]);
  },
);

test('values are exchanged for odd ones, the same for the same seed, and the text stays JSON', () => {
  const some = (seed: number): string[] => {
    const inputs = mutatedValues(['{"a":{"b":[1,"two"]}}'], seed);
    return Array.from({ length: 200 }, () => String(inputs.next().value));
  };
  expect(some(1)).toEqual(some(1));
  expect(some(1)).not.toEqual(some(2));
  expect(() => some(3).map((text) => JSON.parse(text) as unknown)).not.toThrow();
  expect(new Set(some(4)).size).toBeGreaterThan(100);
});

describe('what goes wrong with requests is found', () => {
  const sent = (request: RequestTarget['request']): RequestTarget => ({
    name: 'it',
    samples: ['{}'],
    json: true,
    request,
  });

  test('a refusal that has stored something', async () => {
    const target = sent(() => ({ method: 'GET', path: '/healthz', headers: {} }));
    const problems = await fuzzRequests(target, {
      seed: 1,
      count: 3,
      answer: async (server) => {
        const body = Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"a-"}}');
        const headers = { authorization: 'Bearer fuzz', 'content-type': 'application/json' };
        await server.handle({
          method: 'POST',
          path: '/api/v1/namespaces/default/configmaps',
          headers,
          body,
          signal: new AbortController().signal,
        });
        return { status: 409, text: '' };
      },
    });
    expect(problems.map(({ problem }) => problem)).toEqual(Array(3).fill('refused with 409, and the store is another'));
  });

  test('a fault of the server', async () => {
    const target = sent(() => ({ method: 'GET', path: '/healthz', headers: {} }));
    const answer = () => Promise.resolve({ status: 500, text: '{"reason":"InternalError"}' });
    const problems = await fuzzRequests(target, { seed: 1, count: 1, answer });
    expect(problems.map(({ problem }) => problem)).toEqual(['{"reason":"InternalError"}']);
  });
});

describe('what goes wrong is found', () => {
  const findingsOf = (read: Target['read']): string[] =>
    fuzz({ name: 'it', samples: ['{"a":[1,2,3]}'], read }, { seed: 1, count: 200 }).map(({ problem }) => problem);

  test('a throw', () => {
    const read = (input: Buffer): void => {
      if (input.includes('__proto__')) throw new RangeError('too odd');
    };
    expect(new Set(findingsOf(read))).toEqual(new Set(['RangeError: too odd']));
  });

  test('what takes too long every time, and not what did so once', () => {
    const slowly = (times: number) => (): void => {
      if (times <= 0) return;
      times -= 1;
      const { user } = process.threadCpuUsage();
      while (process.threadCpuUsage().user < user + 150_000);
    };
    expect(findingsOf(slowly(1))).toEqual([]);
    expect(findingsOf(slowly(2))[0]).toMatch(/^took \d+ ms$/);
  });

  test('a changed prototype', () => {
    const read = (): void => void Object.defineProperty(Object.prototype, 'polluted', { configurable: true });
    try {
      expect(findingsOf(read)[0]).toBe('changed a prototype');
    } finally {
      delete (Object.prototype as { polluted?: unknown }).polluted;
    }
  });
});
