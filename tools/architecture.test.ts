// ARCHITECTURE.md says what tools/rooms.ts says, and every path it names exists.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { houses } from './rooms.ts';
import { workspace } from './test-results.ts';

const page = readFileSync(resolve(workspace, 'ARCHITECTURE.md'), 'utf8');

/** The rows `| room | what | may use |` of the table under a heading. */
function roomsUnder(root: string): Record<string, string[]> {
  const section = page.slice(page.indexOf(`## Rooms of ${root}`)).split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| (\w+) \| [^|]+ \| ([^|]+) \|$/gm)].filter(([, room]) => room !== 'room');
  return Object.fromEntries(rows.map(([, room = '', uses = '']) => [room, uses === '-' ? [] : uses.split(', ')]));
}

test.each(houses)('the rooms of $root and their arrows', ({ root, rooms }) => {
  const listed = roomsUnder(root);
  expect(Object.keys(listed).toSorted()).toEqual(Object.keys(rooms).toSorted());
  for (const [room, uses] of Object.entries(rooms)) expect(listed[room]?.toSorted()).toEqual([...uses].toSorted());
});

describe('STYLE-A8: every path the pages name exists', () => {
  const pages = ['ARCHITECTURE.md', 'README.md', 'CONTRIBUTING.md'];
  const named = pages.flatMap((name) => {
    const text = readFileSync(resolve(workspace, name), 'utf8');
    const paths = text.match(/(?:packages|examples|docs|tools)\/[\w./-]*[\w-]/g) ?? [];
    return paths.map((path) => [name, path] as const);
  });
  test.each(named)('%s: %s', (_, path) => {
    expect(existsSync(resolve(workspace, path))).toBe(true);
  });
});

test('ten changes and more have a place', () => {
  const rows = page.slice(page.indexOf('## Where do I change')).match(/^\| .* \| `/gm) ?? [];
  expect(rows.length).toBeGreaterThanOrEqual(10);
});
