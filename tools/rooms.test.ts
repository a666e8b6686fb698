// Plants one violation of each kind in a small copy of the house and sees the linter report it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { houses } from './rooms.ts';
import { workspace } from './test-results.ts';

interface Planted {
  readonly what: string;
  readonly file: string;
  readonly code: string;
  /** Part of the rule's name or message. */
  readonly caught: string;
}

const kilter = 'packages/kilter/src';
const server = 'packages/apiserver/src';

const planted: readonly Planted[] = [
  {
    what: 'a wrong arrow',
    file: `${kilter}/queue/a.ts`,
    code: "import { x } from '../client/index.ts';\nexport const y = x;\n",
    caught: 'queue may not use client',
  },
  {
    what: 'a type-only wrong arrow',
    file: `${kilter}/queue/b.ts`,
    code: "import type { X } from '../client/index.ts';\nexport type Y = X;\n",
    caught: 'queue may not use client',
  },
  {
    what: 'a dynamic import',
    file: `${kilter}/queue/c.ts`,
    code: "export const y = (): Promise<unknown> => import('../client/index.ts');\n",
    caught: 'queue may not use client',
  },
  {
    what: 'an import type',
    file: `${kilter}/queue/d.ts`,
    code: "export type Y = import('../client/index.ts').X;\n",
    caught: 'queue may not use client',
  },
  {
    what: 'a re-export',
    file: `${kilter}/queue/e.ts`,
    code: "export { x } from '../client/index.ts';\n",
    caught: 'queue may not use client',
  },
  {
    what: 'a way past a door',
    file: `${kilter}/queue/f.ts`,
    code: "import { x } from '../api/deep.ts';\nexport const y = x;\n",
    caught: 'enter api through its index.ts',
  },
  {
    what: 'the own door',
    file: `${kilter}/queue/g.ts`,
    code: "import { q } from './index.ts';\nexport const y = q;\n",
    caught: "not the room's own index.ts",
  },
  {
    what: 'a package of the workspace',
    file: `${kilter}/queue/h.ts`,
    code: "import { cluster } from '@kilter/testing';\nexport const y = cluster;\n",
    caught: 'may not import @kilter/testing',
  },
  {
    what: 'the runtime in the embedded server',
    file: `${server}/storage/a.ts`,
    code: "import { connect } from 'kilter';\nexport const y = connect;\n",
    caught: 'storage may not import kilter',
  },
  {
    what: 'an arrow of the embedded server',
    file: `${server}/storage/b.ts`,
    code: "import { w } from '../watch/index.ts';\nexport const y = w;\n",
    caught: 'storage may not use watch',
  },
  {
    what: 'an unknown room',
    file: `${kilter}/helpers/a.ts`,
    code: "import { x } from '../api/index.ts';\nexport const y = x;\n",
    caught: 'helpers is not a room',
  },
  {
    what: 'a cycle of types',
    file: `${kilter}/queue/cycle-one.ts`,
    code: "import type { Two } from './cycle-two.ts';\nexport interface One { two: Two }\n",
    caught: 'no-cycle',
  },
  {
    what: 'export *',
    file: `${kilter}/queue/i.ts`,
    code: "export * from '../api/index.ts';\n",
    caught: 'list the exported names',
  },
  {
    what: 'Date',
    file: `${kilter}/queue/j.ts`,
    code: 'export const y = Date.now();\n',
    caught: 'no-restricted-globals',
  },
  {
    what: 'J-07: a timer',
    file: `${kilter}/queue/k.ts`,
    code: 'export const y = setTimeout(() => undefined, 1);\n',
    caught: 'no-restricted-globals',
  },
  {
    what: 'chance',
    file: `${kilter}/queue/l.ts`,
    code: 'export const y = Math.random();\n',
    caught: 'no-restricted-properties',
  },
  {
    what: 'J-07: an imported timer',
    file: `${kilter}/queue/m.ts`,
    code: "import { setTimeout as s } from 'node:timers/promises';\nexport const y = s;\n",
    caught: 'no-restricted-imports',
  },
  {
    what: 'the environment',
    file: `${kilter}/queue/n.ts`,
    code: "export const y = process.env['HOME'];\n",
    caught: 'only config reads the environment',
  },
  {
    what: 'J-11: a floating promise',
    file: `${kilter}/queue/o.ts`,
    code: 'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}\n',
    caught: 'no-floating-promises',
  },
  {
    what: 'J-12: a field that is counted up across an await',
    file: `${kilter}/queue/await-a.ts`,
    code: 'declare const f: () => Promise<number>;\nexport class A {\n  #n = 0;\n  async g(): Promise<number> {\n    return (this.#n += await f());\n  }\n}\n',
    caught: 'this.#n is read before an await and written after it',
  },
  {
    what: 'J-12: a field that is written by a copy of what it was before an await',
    file: `${kilter}/queue/await-b.ts`,
    code: 'declare const f: () => Promise<void>;\nexport class A {\n  n = 0;\n  async g(): Promise<void> {\n    const seen = this.n;\n    await f();\n    this.n = seen + 1;\n  }\n}\n',
    caught: 'this.n is read before an await and written after it',
  },
  {
    what: 'J-12: a field that is filled after an await because it was empty before it',
    file: `${kilter}/queue/await-c.ts`,
    code: 'declare const f: () => Promise<number>;\nexport class A {\n  #n: number | undefined;\n  async g(): Promise<number> {\n    if (this.#n === undefined) {\n      const made = await f();\n      this.#n = made;\n    }\n    return this.#n;\n  }\n}\n',
    caught: 'this.#n is read before an await and written after it',
  },
  {
    what: 'an empty catch',
    file: `${kilter}/queue/p.ts`,
    code: 'export function g(): void {\n  try {\n    g();\n  } catch {}\n}\n',
    caught: 'no-empty',
  },
];

const allowed: readonly Omit<Planted, 'caught'>[] = [
  {
    what: 'a door',
    file: `${kilter}/queue/fine.ts`,
    code: "import { x } from '../api/index.ts';\nexport const y = x;\n",
  },
  { what: 'the clock', file: `${kilter}/internal/clock.ts`, code: 'export const now = (): number => Date.now();\n' },
  {
    what: 'a field that is read again after an await (J-12)',
    file: `${kilter}/queue/await-fine.ts`,
    code: 'declare const f: () => Promise<number>;\nexport class A {\n  #n = 0;\n  #m: Promise<number> | undefined;\n  async g(): Promise<number> {\n    const more = await f();\n    this.#n += more;\n    return this.#n;\n  }\n  async once(): Promise<number> {\n    this.#m ??= f();\n    return await this.#m;\n  }\n}\n',
  },
  {
    what: 'a generated kind',
    file: `${kilter}/recorder/fine.ts`,
    code: "import { E } from '../k8s/events/v1.ts';\nexport const y = E;\n",
  },
];

const scaffold: Readonly<Record<string, string>> = {
  [`${kilter}/queue/index.ts`]: 'export const q = 1;\n',
  [`${kilter}/queue/cycle-two.ts`]: "import type { One } from './cycle-one.ts';\nexport interface Two { one: One }\n",
  [`${kilter}/api/index.ts`]: 'export const x = 1;\n',
  [`${kilter}/api/deep.ts`]: 'export const x = 1;\n',
  [`${kilter}/client/index.ts`]: 'export const x = 1;\nexport type X = number;\n',
  [`${kilter}/k8s/events/v1.ts`]: 'export const E = 1;\n',
  [`${server}/watch/index.ts`]: 'export const w = 1;\n',
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true }, "include": ["packages"] }\n',
  'package.json': '{ "type": "module" }\n',
};

interface Diagnostic {
  readonly filename: string;
  readonly text: string;
}

let folder = '';
let diagnostics: readonly Diagnostic[] = [];

function write(file: string, content: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-lint-'));
  for (const file of ['oxlint.config.ts', 'tools/atomic-updates.ts', 'tools/rooms.ts', 'tools/rooms-plugin.ts'])
    cpSync(resolve(workspace, file), join(folder, file));
  symlinkSync(resolve(workspace, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  for (const [file, content] of Object.entries(scaffold)) write(file, content);
  for (const { file, code } of [...planted, ...allowed]) write(file, code);
  const run = spawnSync('npx', ['oxlint', '--type-aware', '--format=json', 'packages'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const found = JSON.parse(run.stdout) as {
    diagnostics: { filename: string; code?: string; message: string; help?: string }[];
  };
  diagnostics = found.diagnostics.map(({ filename, code, message, help }) => ({
    filename,
    text: `${code} ${message} ${help}`,
  }));
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('STYLE-L12: the linter catches', () => {
  test.each(planted)('$what', ({ file, caught }) => {
    const texts = diagnostics.filter(({ filename }) => filename === file).map(({ text }) => text);
    expect(texts.join('\n')).toContain(caught);
  });
});

describe('the linter allows', () => {
  test.each(allowed)('$what', ({ file }) => {
    expect(diagnostics.filter(({ filename }) => filename === file)).toEqual([]);
  });
});

test('every room of the table exists, and the table names every folder', async () => {
  const { readdirSync } = await import('node:fs');
  for (const { root, rooms } of houses) {
    const folders = readdirSync(resolve(workspace, root), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(rooms).toSorted());
  }
});
