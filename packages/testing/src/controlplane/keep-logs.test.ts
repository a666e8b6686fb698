import { expect, test } from 'vitest';
import { keepsLogs } from './keep-logs.ts';

test.each([
  ['1', true],
  ['yes', true],
  ['0', false],
  ['False', false],
  ['no', false],
  ['', false],
  [undefined, false],
])('KILTER_KEEP_LOGS=%s keeps logs: %s', (value, expected) => {
  const before = process.env['KILTER_KEEP_LOGS'];
  if (value === undefined) delete process.env['KILTER_KEEP_LOGS'];
  else process.env['KILTER_KEEP_LOGS'] = value;
  expect(keepsLogs()).toBe(expected);
  if (before === undefined) delete process.env['KILTER_KEEP_LOGS'];
  else process.env['KILTER_KEEP_LOGS'] = before;
});
