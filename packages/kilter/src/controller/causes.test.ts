import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

// Who passes causes on, and who may look at them: the finder of hot loops (RC-18), the log and the journal.
const passing = [
  'controller/running.ts',
  'queue/collected-causes.ts',
  'queue/index.ts',
  'queue/slots.ts',
  'queue/taken-work.ts',
  'queue/work-queue.ts',
  'queue/work.ts',
  'reconcile/context.ts',
  'reconcile/environment.ts',
  'reconcile/run-context.ts',
  'telemetry/journal.ts',
  'trigger/index.ts',
];
const reading = ['controller/hot-loop.ts', 'controller/loop.ts', 'controller/run-entry.ts'];

test('CS-4: nobody decides by causes but who looks for hot loops', () => {
  const source = resolve(import.meta.dirname, '..');
  const rooms = 'controller,election,manager,queue,reconcile,telemetry,trigger';
  const files = globSync(`{${rooms}}/*.ts`, { cwd: source }).filter((file) => !file.includes('.test'));
  const naming = files.filter((file) => /\bcauses\b/.test(readFileSync(resolve(source, file), 'utf8')));
  expect(naming.toSorted()).toEqual([...passing, ...reading].toSorted());
});
