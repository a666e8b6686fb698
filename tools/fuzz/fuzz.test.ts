import { describe, expect, test } from 'vitest';
import { fuzz, type Target } from './fuzz.ts';
import { targets } from './targets.ts';

test.each(targets)('C-09: mutated $name are read or refused, at once and without a trace', (target) => {
  expect(fuzz(target, { seed: 20_261_116, count: 1500 })).toEqual([]);
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
