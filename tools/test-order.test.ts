import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectOrder, rankOf, waitingFiles } from './test-order.ts';
import { workspace } from './test-results.ts';

const pattern = '{packages/*,examples/*,conformance,chaos,tools}';

test('every project has its place in the order, and no other', () => {
  const configs = globSync(`${pattern}/vitest.config.ts`, { cwd: workspace });
  const names = configs.map((file) => {
    const text = readFileSync(join(workspace, file), 'utf8');
    return /project\('([a-z-]+)'/.exec(text)?.[1];
  });
  expect(names.toSorted()).toEqual([...projectOrder].toSorted());
});

test('every file that is named exists', () => {
  const files = globSync(`${pattern}/**/*.test.ts`, { cwd: workspace, exclude: ['**/node_modules/**'] });
  expect(waitingFiles.filter((end) => !files.some((file) => file.endsWith(end)))).toEqual([]);
});

test.each([
  [
    { project: 'webapp', file: '/examples/webapp/src/processes.test.ts' },
    { project: 'webapp', file: '/b.test.ts' },
  ],
  [
    { project: 'webapp', file: '/b.test.ts' },
    { project: 'kilter', file: '/kilter/src/transport/connection-faults.test.ts' },
  ],
  [
    { project: 'apiserver', file: '/a.test.ts' },
    { project: 'new', file: '/a.test.ts' },
  ],
])('%j is before %j', (one, other) => {
  expect(rankOf(one)).toBeLessThan(rankOf(other));
});
