import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspace } from '../test-results.ts';
import { stepsOf, substituted } from './steps.ts';

const fenced = (info: string, ...lines: string[]): string => ['```' + info, ...lines, '```'].join('\n');

describe('the steps of a page', () => {
  test('are its files and commands, in order', () => {
    const text = [
      '# A page',
      fenced('sh', 'mkdir a', 'cd a'),
      fenced('ts title="a.ts"', "console.log('x');"),
      fenced('sh expect="x"', 'node a.ts'),
      fenced('sh background until="up"', 'serve'),
    ].join('\n');
    expect(stepsOf(text)).toEqual([
      { type: 'command', script: 'mkdir a\ncd a\n', expected: undefined, line: 3 },
      { type: 'file', name: 'a.ts', text: "console.log('x');\n", line: 7 },
      { type: 'command', script: 'node a.ts\n', expected: 'x', line: 10 },
      { type: 'background', script: 'serve\n', until: 'up', line: 13 },
    ]);
  });

  test.each([
    [fenced('ts', 'x'), 'line 1: a block of code is a file (title="…") or commands (sh), not ts'],
    [fenced('sh background', 'x'), 'line 1: a background command says what it prints'],
    ['```sh\nx', 'line 1: this block of code has no end'],
  ])('%j is refused', (text, message) => {
    expect(() => stepsOf(text)).toThrow(message);
  });

  test('packages are replaced in commands of npm, and nowhere else', () => {
    const script = 'npm install kilter zod\nnpx kilter\n';
    expect(substituted(script, { kilter: 'file:k.tgz' })).toBe('npm install file:k.tgz zod\nnpx kilter\n');
  });
});

test('getting started is a page of such steps: a test, a server, an operator', () => {
  const steps = stepsOf(readFileSync(resolve(workspace, 'docs/guide/getting-started.md'), 'utf8'));
  expect(steps.filter(({ type }) => type === 'background')).toHaveLength(2);
  expect(steps.some((step) => step.type === 'command' && step.expected === '1 passed')).toBe(true);
});
