// What users install: each tarball says what it is, under which licence, and what it needs beside itself.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspace } from './test-results.ts';

interface Manifest {
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly repository?: { readonly url?: string; readonly directory?: string } | undefined;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const read = (path: string): string => readFileSync(resolve(workspace, path), 'utf8');
const manifestOf = (name: string): Manifest => JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

function packed(name: string): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, { cwd: resolve(workspace, 'packages', name), encoding: 'utf8' });
  const [tarball] = JSON.parse(text) as [{ files: { path: string }[] }];
  return tarball.files.map(({ path }) => path);
}

/** `kilter/api` is `kilter`, `@kilter/testing/x` is `@kilter/testing`. */
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** The packages that shipped sources import; sources carry every import that the declarations and the JavaScript have. */
function importedBy(name: string, files: readonly string[]): Set<string> {
  const sources = files.filter((file) => file.startsWith('src/') && file.endsWith('.ts'));
  const imports = sources.flatMap((file) =>
    [
      ...read(`packages/${name}/${file}`).matchAll(/(?:^(?:import|export|\}).* from |await import\()'([^'.][^']*)'/gm),
    ].map(([, specifier = '']) => packageOf(specifier)),
  );
  return new Set(imports.filter((one) => !one.startsWith('node:')));
}

test('the packages name the same repository, each with its own folder, or none of them names one', () => {
  const named = ['kilter', 'apiserver', 'testing'].map((name) => ({ name, at: manifestOf(name).repository }));
  expect(new Set(named.map(({ at }) => at?.url)).size).toBe(1);
  for (const { name, at } of named) if (at !== undefined) expect(at.directory).toBe(`packages/${name}`);
});

describe.each(['kilter', 'apiserver', 'testing'])('the package %s', (name) => {
  const files = packed(name);

  test('holds its licence and a page that says what it is', () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    expect(read(`packages/${name}/LICENSE`)).toBe(read('LICENSE'));
  });

  test('can be found: a sentence and words that people search for', () => {
    const { description = '', keywords = [] } = manifestOf(name);
    expect(description).toMatch(/Kubernetes.*\.$/);
    expect(keywords).toEqual(expect.arrayContaining(['kubernetes', 'k8s']));
  });

  test('holds no test', () => {
    expect(files.filter((file) => /\.test(-d|-support)?\./.test(file))).toEqual([]);
  });

  test('names every package it imports, and no other', () => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
    const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
    const types = ['@types/node'];
    expect(declared.filter((one) => !types.includes(one)).toSorted()).toEqual([...importedBy(name, files)].toSorted());
  });

  test('needs the types of Node in TypeScript projects alone', () => {
    expect(manifestOf(name).peerDependencies?.['@types/node']).toBe('>=22');
    expect(manifestOf(name).peerDependenciesMeta?.['@types/node']).toEqual({ optional: true });
  });
});

test('tests share the copy of kilter that they test: it is a peer of @kilter/testing', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifestOf('testing');
  const { version } = JSON.parse(read('packages/kilter/package.json')) as { version: string };
  expect(peerDependencies?.kilter).toBe(version);
  expect(peerDependenciesMeta?.kilter).toBeUndefined();
  expect(dependencies).not.toHaveProperty('kilter');
});

test.each([
  ['kilter', 'greetings.ts'],
  ['testing', 'greetings.test.ts'],
])('the page of packages/%s shows code that is checked and run: %s', (name, file) => {
  const [, code] = /```ts\n(.*?)```/s.exec(read(`packages/${name}/README.md`)) ?? [];
  expect(code).toBe(read(`examples/webapp/src/readme/${file}`));
});
