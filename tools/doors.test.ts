// The front doors: whatever a user can import says in a sentence what it is, where the editor shows it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspace } from './test-results.ts';

const doors = [
  'packages/kilter/src/index.ts',
  'packages/kilter/src/vocabulary.ts',
  'packages/kilter/src/runtime.ts',
  'packages/kilter/src/crd/index.ts',
  'packages/kilter/src/certificates/index.ts',
  'packages/apiserver/src/index.ts',
  'packages/testing/src/index.ts',
];

const read = (path: string): string => readFileSync(resolve(workspace, path), 'utf8');

/** Every declaration of the packages by its name, with whether a doc comment is before it: one of many may. */
const documented = new Map<string, boolean>();
for (const root of ['packages/kilter/src', 'packages/apiserver/src', 'packages/testing/src']) {
  for (const file of readdirSync(resolve(workspace, root), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || /\.(test|test-d|test-support)\.ts$/.test(file)) continue;
    const text = read(join(root, file));
    const declaration = /(\*\/\s*)?^export (?:abstract |async )*(?:const|function|class|interface|type) (\w+)/gm;
    for (const [, comment, name = ''] of text.matchAll(declaration)) {
      documented.set(name, documented.get(name) === true || comment !== undefined);
    }
  }
}

/** What a door exports, by the name it was declared with. */
const exportsOf = (door: string): string[] =>
  [...read(door).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((one) => /^(?:type )?(\w+)/.exec(one.trim())?.[1] ?? []),
  );

describe.each(doors)('%s', (door) => {
  test('every name has a doc comment', () => {
    const names = exportsOf(door);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => documented.get(name) !== true)).toEqual([]);
  });
});
