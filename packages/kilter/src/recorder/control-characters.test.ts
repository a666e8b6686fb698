import { expect, test } from 'vitest';
import { jsonLogger } from '../telemetry/index.ts';
import { occurrenceOf } from './occurrence.ts';

const evil = 'one\ntwo\u001b[31m\u0000three\u007f\u009b2J\u2028four';

test('C-16: names and messages with control characters are one line of printable text', () => {
  const lines: string[] = [];
  const log = jsonLogger({ write: (line) => lines.push(line), now: () => 0 });
  log.child({ [evil]: evil }).error({ err: new Error(evil), name: evil }, evil);
  log.warn(evil);
  expect(lines).toHaveLength(2);
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  // Nothing is lost by it.
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ msg: evil });
});

test('C-16: the message of an Event is cut to 1024 bytes, never inside a character', () => {
  const regarding = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' } };
  const input = { regarding, type: 'Warning', reason: 'Evil', message: `${evil}${'ä'.repeat(2000)}` } as const;
  const { note } = occurrenceOf(input, { at: 0, tick: 0 });
  expect(new TextEncoder().encode(note).length).toBeLessThanOrEqual(1024);
  expect(new TextEncoder().encode(note).length).toBeGreaterThan(1020);
  expect(note.endsWith('ä')).toBe(true);
});
