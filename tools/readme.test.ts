// The code in README.md is the file examples/webapp/src/readme/main.ts, which the type checker reads.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { workspace } from './test-results.ts';

const read = (file: string): string => readFileSync(resolve(workspace, file), 'utf8');

test('the README shows code that compiles, in about thirty lines', () => {
  const [, code = ''] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? [];
  expect(code).toBe(read('examples/webapp/src/readme/main.ts'));
  expect(code.split('\n').length).toBeLessThanOrEqual(36);
});
