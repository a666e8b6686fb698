// npm run packages: packs the packages as they would be published, installs them in an empty folder, and runs the operator of
// their pages with its test there, on the oldest and on the newest Node that is supported. Both come from npm.
//   -- --keep   leaves the folder, for a look at it
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { workspace } from './test-results.ts';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly devDependencies: Readonly<Record<string, string>>;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(resolve(workspace, folder, 'package.json'), 'utf8')) as Manifest;

/** `>=22.19` is 22.19.0: what the packages promise to run on is what they are run on. */
export function oldestNode({ engines }: Pick<Manifest, 'engines'>): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines.node) ?? [];
  if (major === undefined) throw new Error(`engines.node is "${engines.node}", not of the form >=22.19`);
  return `${major}.${minor}.0`;
}

/** Raised by hand: a run must not fail because somebody published a Node since. */
const newestNode = '26.10.0';
const versions = [oldestNode(manifestOf('packages/kilter')), newestNode];
const platform = process.platform === 'win32' ? 'win' : process.platform;
const aliasOf = (version: string): string => `node-${version.replaceAll('.', '-')}`;

/** A program as a user starts it, without a test runner that would translate what Node cannot read. */
const program = `
import { cluster } from '@kilter/testing';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { Greeting, greetings } from './greetings.ts';

const env = await cluster({ operator: greetings });
await env.client.create(Greeting.build({ name: 'hello', namespace: 'default', spec: { text: 'Hello' } }));
await env.eventually(ConfigMap, 'hello', { data: { text: 'Hello' } });
await env[Symbol.asyncDispose]();
console.log(process.version);
`;

/** A library over Kilter: what it hands on has to have a name that its own declarations can use. */
const library = `
import { findBinaries } from '@kilter/testing';
import { type Client, json, type Manager, strategic } from 'kilter';
import { exactlyOneOf } from 'kilter/crd';
import { ConfigMap, type Pod } from 'kilter/k8s/core/v1';

export const version = (client: Client) => client.version();
export const verbs = ({ get, list, listPage, watch, create, edit, can, subresource }: Client) => [get, list, listPage, watch, create, edit, can, subresource];
export const page = ({ listPage }: Client) => listPage;
export const made = ({ create }: Client) => create;
export const edited = ({ edit }: Client) => edit;
export const asked = ({ can }: Client) => can;
export const read = ({ get }: Client) => get;
export const part = ({ subresource }: Client) => subresource;
export const journal = ({ runs }: Manager) => runs;
export const patches = [json([{ op: 'remove', path: '/data' }]), strategic<Pod>({ spec: {} }), ConfigMap] as const;
export const one = exactlyOneOf('a', 'b');
export const found = () => findBinaries();
`;

const typescript = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    declaration: true,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    // The declarations that users get are checked, too.
    skipLibCheck: false,
  },
  include: ['*.ts'],
};

/** What a command prints; where it fails, that is shown as well as what it complained about. */
export function run(file: string, args: readonly string[], cwd: string): string {
  const { status, stdout, error } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ownEnvironment(),
  });
  if (status === 0) return stdout;
  console.error(stdout);
  throw new Error(`${file} ${args.join(' ')} in ${cwd} ended with ${status}`, { cause: error });
}

/** Without what `npm run` adds: the folder must not find the workspace's own Node, settings or condition. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|INIT_CWD|NODE_OPTIONS|CI$)/.test(name),
  );
  return Object.fromEntries(given);
}

export function pack(name: string, target: string): string {
  const folder = resolve(workspace, 'packages', name);
  const text = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', target], folder);
  const [tarball] = JSON.parse(text) as [{ filename: string }];
  return `file:${join(target, tarball.filename)}`;
}

function install(folder: string): void {
  const { devDependencies } = manifestOf('.');
  const pinned = ['vitest', 'vite', 'rolldown', 'zod', 'typescript', '@types/node'];
  const nodes = versions.map((version) => [aliasOf(version), `npm:node-${platform}-${process.arch}@${version}`]);
  const manifest = {
    name: 'an-operator',
    private: true,
    type: 'module',
    dependencies: {
      kilter: pack('kilter', folder),
      '@kilter/apiserver': pack('apiserver', folder),
      '@kilter/testing': pack('testing', folder),
      ...Object.fromEntries(pinned.map((name) => [name, devDependencies[name]])),
      ...Object.fromEntries(nodes),
    },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

function write(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const file of ['greetings.ts', 'greetings.test.ts']) {
    copyFileSync(resolve(workspace, 'examples/webapp/src/readme', file), join(folder, file));
  }
  writeFileSync(join(folder, 'program.ts'), program);
  writeFileSync(join(folder, 'library.ts'), library);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(typescript));
}

function tryOut(folder: string): void {
  run('npx', ['tsc', '-p', '.'], folder);
  console.log('the operator and its test compile against the packed declarations');
  for (const version of versions) {
    const node = join(folder, 'node_modules', aliasOf(version), 'bin', 'node');
    const said = run(node, ['--disable-warning=ExperimentalWarning', 'program.ts'], folder).trim();
    if (said !== `v${version}`) throw new Error(`this is Node ${said}, not ${version}`);
    run(node, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'], folder);
    console.log(`the packed operator and its test run on Node ${version}`);
  }
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-packages-'));
  try {
    run('npm', ['run', '-s', 'build'], workspace);
    write(folder);
    install(folder);
    tryOut(folder);
  } finally {
    if (process.argv.includes('--keep')) console.log(folder);
    else rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) main();
