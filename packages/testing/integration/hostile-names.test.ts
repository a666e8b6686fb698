import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('C-10: names of built-in fields are names like others, with prototypes frozen and __proto__ forbidden', async () => {
  const program = resolve(import.meta.dirname, 'hostile-names.child.test-support.ts');
  const flags = ['--disable-proto=throw', '--conditions=@kilter/source'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program], { timeout: 90_000 });
  expect(JSON.parse(stdout)).toEqual({ seen: [2, 2, 2, 2, 2], left: 0, lines: [], unchanged: true });
}, 100_000);
