import { expect, test } from 'vitest';
import { fieldText } from './selectors.ts';

test.each([
  ['spec.nodeName', 'n'],
  ['spec.hostNetwork', 'true'],
  ['spec.count', '3'],
  ['spec.list', '[1]'],
  ['spec.nothing', ''],
  ['spec.missing.deeper', ''],
  ['status.phase', ''],
])('a field selector sees %s as %j', (path, text) => {
  const object = { spec: { nodeName: 'n', hostNetwork: true, count: 3, list: [1], nothing: null } };
  expect(fieldText(object, path)).toBe(text);
});
