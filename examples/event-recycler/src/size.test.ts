// What a framework is worth shows in what is left for its users to write.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Lines that are neither blank nor comment. */
function linesOfCode(text: string): number {
  const withoutComments = text.replaceAll(/^\s*\/\*\*?[\s\S]*?\*\/\s*$/gm, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return withoutComments.split('\n').filter((line) => line.trim() !== '').length;
}

test('the whole operator has under 700 lines of code, and the state machine fits on a page', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.includes('.test'));
  const sizes = new Map(
    files.map((file) => [file, linesOfCode(readFileSync(join(import.meta.dirname, file), 'utf8'))]),
  );
  // Imported by main.ts, directly or not: everything but tests, fakes, the demo and what makes manifests.
  expect([...sizes.keys()].toSorted()).toEqual(
    'advance aws-sdk aws controller detection event-recycler limits look main metrics operator recycle'
      .split(' ')
      .map((name) => `${name}.ts`),
  );
  expect([...sizes.values()].reduce((sum, lines) => sum + lines)).toBeLessThan(700);
  expect(sizes.get('recycle.ts')).toBeLessThan(120);
});

test('lines are counted as a reader would', () => {
  const text = ['// a', '', '/** b */', 'const c = 1; // d', '/*', ' * e', ' */', 'f(); /* g */', ''].join('\n');
  expect(linesOfCode(text)).toBe(2);
});
