import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aimsTable, figuresTable, type Measured, withTables } from '../bench/compare/published.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const burst = (kilter: number, theirs: number): Measured => ({
  'burst-widgets': {
    outcomes: [
      { contestant: 'kilter', values: { CPU: [kilter, kilter * 3, kilter / 2] } },
      { contestant: 'controller-runtime', values: { CPU: [theirs] } },
      { contestant: 'kube-rs', values: {}, notRun: 'not built' },
    ],
  },
});

test('a figure is the median of its rounds, and what was not measured is a dash', () => {
  const text = figuresTable(burst(10, 100));
  expect(text).toContain('| CPU per custom-resource event until it has run | 10.0 µs | 100 µs | - | - |');
  expect(text).toContain('| sync of 100k Pods, wall / CPU | - | - | - | cannot |');
});

test.each([
  [10, 80, '8.0 times | yes'],
  [10, 79, '7.9 times | no'],
])('an aim is reached or not: %d beside %d', (own, theirs, verdict) => {
  expect(aimsTable(burst(own, theirs))).toContain(
    `| CPU per custom-resource event | 8 times less than controller-runtime | ${verdict} |`,
  );
});

test('what stands between the marks of a page is replaced, and nothing else', () => {
  const page = 'before\n<!-- measured: a -->\nold\n<!-- end of measured -->\nafter\n';
  expect(withTables(page, { a: 'new' })).toBe(
    'before\n<!-- measured: a -->\n\nnew\n\n<!-- end of measured -->\nafter\n',
  );
  expect(() => withTables(page, { b: 'new' })).toThrow('has no mark "<!-- measured: b -->"');
});

test('the page shows what was measured last', () => {
  const measured = JSON.parse(read('../bench/results/compare.json')) as Measured;
  const page = read('../docs/performance.md');
  expect(page).toBe(withTables(page, { figures: figuresTable(measured), aims: aimsTable(measured) }));
});

/** `5.7 times instead of 8`, for each aim that is not reached; of several figures in a row, those that are not. */
function shortfalls(table: string): string[] {
  return table.split('\n').flatMap((row) => {
    const [, , aim = '', measured = '', reached = ''] = row.split('|').map((cell) => cell.trim());
    const answers = reached.split(' / ');
    if (!answers.includes('no')) return [];
    const missed = (cell: string): string =>
      (cell.match(/\d[\d.]*/g) ?? []).filter((_, index) => (answers[index] ?? answers[0]) === 'no').join(' / ');
    return [`${missed(measured)} ${measured.split(' ').at(-1) ?? ''} instead of ${missed(aim)}`];
  });
}

test('the page says by how much each aim is missed, beside the reasons', () => {
  const page = read('../docs/performance.md');
  const missed = shortfalls(aimsTable(JSON.parse(read('../bench/results/compare.json')) as Measured));
  expect(missed.length).toBeGreaterThan(0);
  expect(missed.filter((text) => !page.includes(text))).toEqual([]);
});
