import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sectionsOf } from './blocks.ts';
import { compilePrograms } from './compile.ts';
import { type Failure, failureText, guides, programsOf, workspace, writePrograms } from './generate.ts';
import type { Program } from './program.ts';
import { runPrograms } from './run.ts';

const folderOf = (name: string): string => resolve(workspace, '.kilter/snippets', name);

function check(programs: readonly Program[], name: string): { compiled: Failure[]; ran: Failure[] } {
  const folder = folderOf(name);
  writePrograms(programs, folder);
  return {
    compiled: compilePrograms(programs, folder),
    ran: runPrograms(
      programs.filter(({ isRun }) => isRun),
      folder,
    ),
  };
}

describe('M-05: the code of the guides', () => {
  const programs = programsOf(guides());
  let failures: readonly Failure[] = [];
  beforeAll(() => {
    const { compiled, ran } = check(programs, 'guide');
    failures = [...compiled, ...ran];
  }, 600_000);

  test('there is some', () => {
    expect(programs.length).toBeGreaterThan(10);
    const pages = new Set(programs.map(({ section }) => section.page));
    expect([...pages]).toEqual(expect.arrayContaining(['docs/guide/client.md', 'packages/apiserver/README.md']));
    expect(new Set(programs.map(({ file }) => file)).size).toBe(programs.length);
  });

  for (const { section, isRun } of programs) {
    const { page, title } = section;
    const isHere = (failure: Failure): boolean => failure.page === page && failure.section === title;
    test(`${page}, ${title}: compiles${isRun ? ' and runs' : ''}`, () => {
      expect(failures.filter(isHere).map(failureText).join('\n')).toBe('');
    });
  }

  test('what the snippets are given compiles', () => {
    expect(failures.filter(({ section }) => section === 'given').map(failureText)).toEqual([]);
  });
});

describe('M-05: a wrong snippet is found, with page, section and line', () => {
  const page = [
    '# Page',
    '## Wrong type',
    '```ts',
    "const port: number = 'eighty';",
    'void port;',
    '```',
    '## Fails',
    'Some words.',
    '```ts',
    "import assert from 'node:assert/strict';",
    '',
    "const app = await client.create(WebApp.build({ name: 'a', spec: { image: 'nginx:1' } }));",
    '```',
    '```ts',
    'assert.equal(app.spec.replicas, 2);',
    '```',
    '## Refused',
    '```ts',
    "await client.get(ConfigMap, 'none');",
    '```',
    '## Not run',
    '```ts no-run',
    "throw new Error('never');",
    '```',
    '## Not run and wrong',
    '```ts no-run',
    'client.nothing();',
    '```',
    '## Right',
    '```ts',
    "import { WebApp as Imported } from './webapp.ts';",
    "const client = 'my own';",
    'if (client.length !== 6 || Imported === undefined) throw new Error(client);',
    '```',
    '## Other code',
    '```js',
    'this is not TypeScript',
    '```',
  ].join('\n');
  const programs = programsOf({ 'docs/planted.md': page });
  let found: { compiled: Failure[]; ran: Failure[] } = { compiled: [], ran: [] };
  beforeAll(() => {
    found = check(programs, 'planted');
  }, 600_000);

  test('a type error', () => {
    expect(found.compiled).toEqual([
      { page: 'docs/planted.md', section: 'Wrong type', line: 4, message: expect.stringMatching(/^TS2322/) as string },
      {
        page: 'docs/planted.md',
        section: 'Not run and wrong',
        line: 27,
        message: expect.stringMatching(/^TS2339/) as string,
      },
    ]);
  });

  test('a failure when it runs', () => {
    expect(found.ran).toEqual([
      { page: 'docs/planted.md', section: 'Fails', line: 15, message: expect.stringContaining('1 !== 2') as string },
      { page: 'docs/planted.md', section: 'Refused', line: 19, message: expect.stringContaining('none') as string },
    ]);
  });

  test('code of another language is left alone', () => {
    expect(programs.map(({ section }) => section.title)).not.toContain('Other code');
  });

  test('a program that ends the process is missing, not passed', () => {
    const ending = programsOf({
      'docs/ending.md': '## Ends\n```ts\nprocess.exit(0);\n```\n## After\n```ts\nvoid 0;\n```',
    });
    expect(check(ending, 'ending').ran.map(({ section, message }) => [section, message.slice(0, 11)])).toEqual([
      ['Ends', 'did not end'],
      ['After', 'did not end'],
    ]);
  });

  test('a block without an end', () => {
    expect(() => sectionsOf('docs/open.md', '## A\n```ts\nlet a = 1;')).toThrow(
      'docs/open.md:2: this block of code has no end',
    );
  });

  afterAll(() => {
    for (const name of ['planted', 'ending']) rmSync(folderOf(name), { recursive: true, force: true });
  });
});
