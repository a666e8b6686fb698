import { expect, test } from 'vitest';
import { templateHash } from './template-hash.ts';

test('the same template has the same hash, whatever the order of its fields', () => {
  expect(templateHash({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(templateHash({ b: [{ d: 3, c: 2 }], a: 1 }));
});

test('another template, and another try, have another one', () => {
  const hashes = [
    templateHash({ a: 1 }),
    templateHash({ a: 2 }),
    templateHash({ a: 1 }, 1),
    templateHash({ a: [1, 2] }),
  ];
  expect(new Set(hashes).size).toBe(4);
  for (const hash of hashes) expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
});
