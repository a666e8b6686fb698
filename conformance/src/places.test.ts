import { describe, expect, test } from 'vitest';
import type { Claim } from './case.ts';
import { broken, valueAt } from './places.ts';

const answers = {
  list: {
    body: {
      items: [
        { metadata: { name: 'a' }, n: 1 },
        { metadata: { name: 'b' }, n: 2 },
      ],
    },
    headers: { etag: '"H1"', url: '/doc?hash=H1', other: '/doc?hash=H2', empty: '""' },
  },
};

describe('places', () => {
  test('an item of a list is found by its number, from the end, and by a value in it', () => {
    expect(valueAt(answers, 'list.body.items.1.n')).toBe(2);
    expect(valueAt(answers, 'list.body.items.-1.n')).toBe(2);
    expect(valueAt(answers, ['list', 'body', 'items', '[metadata.name=b]', 'n'])).toBe(2);
    expect(valueAt(answers, ['list', 'body', 'items', '[metadata.name=c]', 'n'])).toBeUndefined();
  });

  test('an ETag is within a URL without its quotes; nothing is within anything', () => {
    const within = (at: string, there: string): Claim => ({ clause: 'c', at, within: there });
    expect(broken(within('list.headers.etag', 'list.headers.url'), answers)).toBeUndefined();
    expect(broken(within('list.headers.etag', 'list.headers.other'), answers)).toBe('c: list.headers.etag is "H1"');
    expect(broken(within('list.headers.empty', 'list.headers.url'), answers)).toBeDefined();
    expect(broken(within('list.headers.none', 'list.headers.url'), answers)).toBeDefined();
  });
});
