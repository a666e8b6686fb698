// What users install is the bundle: its entries work together as the sources do.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { workspace } from './test-results.ts';

const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });

/** Runs in packages/testing, where `kilter` is found as a dependency, without the condition that leads to sources. */
function asUser(program: string): unknown {
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: `${workspace}/packages/testing`,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', KUBECONFIG: '/nowhere/kubeconfig' },
  });
  return JSON.parse(text);
}

beforeAll(() => {
  node('tools/bundle.ts');
}, 60_000);

describe('the bundle of packages/kilter', () => {
  test('every entry of the exports map is there', () => {
    const found = asUser(`
      const names = ['kilter', 'kilter/api', 'kilter/certificates', 'kilter/crd', 'kilter/runtime', 'kilter/k8s/core/v1', 'kilter/k8s/meta/v1'];
      const urls = names.map((name) => import.meta.resolve(name));
      await Promise.all(names.map((name) => import(name)));
      console.log(JSON.stringify(urls.map((url) => url.includes('/lib/'))));
    `);
    expect(found).toEqual(Array.from({ length: 7 }, () => true));
  });

  test('entries share what must be one: the kinds a program knows, and the class of errors', () => {
    const shared = asUser(`
      const { knownKind } = await import('kilter/api');
      const { Deployment } = await import('kilter/k8s/apps/v1');
      const { KilterError } = await import('kilter');
      const { customResource } = await import('kilter/crd');
      let refused;
      try { customResource({ group: 'nodot', version: 'v1', kind: 'A', spec: {} }); } catch (error) { refused = error; }
      console.log(JSON.stringify({
        kind: knownKind({ apiVersion: 'apps/v1', kind: 'Deployment' }) === Deployment.names,
        error: refused instanceof KilterError,
      }));
    `);
    expect(shared).toEqual({ kind: true, error: true });
  });

  test('holds nothing that the oldest Node of engines cannot parse', () => {
    const files = globSync('packages/*/lib/**/*.js', { cwd: workspace });
    expect(files.length).toBeGreaterThan(40);
    const using = /^\s*(?:await )?using \w+ =/m;
    expect(files.filter((file) => using.test(readFileSync(`${workspace}/${file}`, 'utf8')))).toEqual([]);
    const { engines } = JSON.parse(readFileSync(`${workspace}/packages/kilter/package.json`, 'utf8')) as {
      engines: { node: string };
    };
    expect(readFileSync(`${workspace}/tools/bundle.ts`, 'utf8')).toContain(`'node${engines.node.replace('>=', '')}'`);
  });

  test('the comments of kinds are in their declarations and not in what is loaded', () => {
    const found = asUser(`
      const { readFileSync } = await import('node:fs');
      const code = readFileSync(new URL(import.meta.resolve('kilter/k8s/core/v1')), 'utf8');
      console.log(JSON.stringify({ comments: code.includes('kubernetes.io/docs'), kinds: code.includes('"Pod"') }));
    `);
    expect(found).toEqual({ comments: false, kinds: true });
  });

  test('importing a module of kinds loads one shared file beside it', () => {
    const loaded = asUser(`
      const { readFileSync } = await import('node:fs');
      const code = readFileSync(new URL(import.meta.resolve('kilter/k8s/apps/v1')), 'utf8');
      console.log(JSON.stringify([...code.matchAll(/from "([^"]+)"/g)].map(([, from]) => from.replace(/-.*/, ''))));
    `);
    expect(loaded).toEqual(['../../shared/kind']);
  });
});

describe('the bundle of packages/apiserver', () => {
  test('its command serves until it is told to end, and leaves no kubeconfig behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kilter-command-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const command = `${workspace}/packages/apiserver/lib/command.js`;
    const program = spawn(process.execPath, [command, '--kubeconfig', kubeconfig], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(program.stdout, 'data')) as [Buffer];
    expect(printed.toString()).toMatch(/^serving Kubernetes at https:\/\/127\.0\.0\.1:\d+\n/);
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(existsSync(kubeconfig)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  test('its command refuses what it does not know, with a cure', () => {
    const command = `${workspace}/packages/apiserver/lib/command.js`;
    const { status, stderr } = spawnSync(process.execPath, [command, '--prot', '1'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--help` lists the flags')]);
  });

  test.each(['kube-apiserver', 'etcd'])('API-V1: %s for envtest runs from it', (name) => {
    const program = `${workspace}/packages/apiserver/envtest/${name}`;
    const { status, stdout } = spawnSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining(`Usage: ${name} [flags]`)]);
  });

  test('its one entry serves, in memory', () => {
    const answered = asUser(`
      const { apiServer } = await import('@kilter/apiserver');
      const server = apiServer();
      const signal = new AbortController().signal;
      const { status } = await server.handle({ method: 'GET', path: '/api/v1/namespaces/default', headers: {}, signal });
      await server.close();
      console.log(JSON.stringify([import.meta.resolve('@kilter/apiserver').includes('/lib/'), status]));
    `);
    expect(answered).toEqual([true, 200]);
  });
});
