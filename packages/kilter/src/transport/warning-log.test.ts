import { expect, test } from 'vitest';
import { parseWarnings } from './warning-log.ts';

test.each([
  ['299 - "v1beta1 is deprecated"', ['v1beta1 is deprecated']],
  ['299 - "one, with a comma", 299 - "two"', ['one, with a comma', 'two']],
  ['299 - "a \\"quoted\\" word and a \\\\"', ['a "quoted" word and a \\']],
  ['199 agent "old" "Wed, 21 Oct 2015 07:28:00 GMT", 299 - "new"', ['old', 'new']],
  ['299 - ""', ['']],
  ['not a warning', ['not a warning']],
  ['299 - "good", rubbish', ['good', 'rubbish']],
  ['', []],
])('warnings are read one by one: %s', (header, texts) => {
  expect(parseWarnings(header)).toEqual(texts);
});

test('a header made to be slow to read is read at once', () => {
  const began = performance.now();
  parseWarnings(`299 - "${'\\"'.repeat(50_000)}`);
  parseWarnings(' '.repeat(50_000));
  expect(performance.now() - began).toBeLessThan(100);
});
