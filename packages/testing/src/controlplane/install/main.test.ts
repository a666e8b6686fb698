import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentWith } from '../../environment/environment.ts';
import { isRunning } from '../process-state.test-support.ts';
import { until, Workshop } from './fake-go.test-support.ts';
import { findLayout, type Layout } from './layout.ts';
import { readManifest } from './manifest.ts';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = join(import.meta.dirname, 'main.ts');

function start(
  workshop: Workshop,
  args: readonly string[],
  variables: Record<string, string | undefined> = {},
): ChildProcess {
  return spawn(process.execPath, ['--conditions=@kilter/source', main, ...args], {
    env: environmentWith({
      XDG_CACHE_HOME: workshop.caches,
      PATH: `${workshop.tools}:/usr/bin:/bin`,
      KUBEBUILDER_ASSETS: undefined,
      ...variables,
    }),
  });
}

function ended(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

function run(
  workshop: Workshop,
  args: readonly string[] = [],
  variables: Record<string, string | undefined> = {},
): Promise<Ran> {
  return ended(start(workshop, args, variables));
}

function layoutOf(workshop: Workshop): Layout {
  const { layout } = findLayout({ cacheFolder: workshop.caches });
  if (layout === undefined) throw new Error('no layout');
  return layout;
}

describe.skipIf(process.platform === 'win32')('npm run kube:install', () => {
  test('says what it does, and a second time that all is there; --print prints the directory alone', async () => {
    using workshop = new Workshop();
    const layout = layoutOf(workshop);
    const before = await run(workshop, ['--print']);
    expect(before).toMatchObject({ code: 1, stdout: '' });
    expect(before.stderr).toContain('run `npm run kube:install`');

    const first = await run(workshop);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(`Kubernetes v1.36.3, etcd v3.6.8, kwok v0.8.0 into ${layout.binaries}\n`);
    expect(first.stdout).toMatch(/\[1\/6\] etcd: builds \(missing\)\n(.*\n)*\[1\/6\] etcd: built in \d+ s, 1 MiB\n/);
    expect(first.stdout).toMatch(/complete after .*: \S+\n$/);

    workshop.forget();
    const second = await run(workshop);
    expect(second).toEqual({
      code: 0,
      stdout: `Kubernetes v1.36.3, etcd v3.6.8, kwok v0.8.0 are installed: 6 executables in\n${layout.binaries}\n`,
      stderr: '',
    });
    expect(workshop.asked()).toEqual([]);
    expect(await run(workshop, ['--print'])).toEqual({ code: 0, stdout: `${layout.binaries}\n`, stderr: '' });

    const forced = await run(workshop, ['--force'], { KUBEBUILDER_ASSETS: '/elsewhere' });
    expect(forced.stdout).toContain('KUBEBUILDER_ASSETS names /elsewhere: as long as it is set');
    expect(workshop.built()).toHaveLength(6);
  });

  test('--help explains, an unknown argument is refused with 2', async () => {
    using workshop = new Workshop();
    const help = await run(workshop, ['--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('--dry-run');
    const wrong = await run(workshop, ['--fast']);
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr: 'unknown argument --fast; there are --force, --dry-run, --print, --help\n',
    });
  });

  test('--dry-run says what would be done and what is in the way, and writes nothing', async () => {
    using workshop = new Workshop();
    const layout = layoutOf(workshop);
    const fresh = await run(workshop, ['--dry-run']);
    expect(fresh.code).toBe(0);
    expect(fresh.stdout).toContain('  kube-apiserver: would be built (missing)\n');
    expect(fresh.stdout).toContain('with go1.26.8\n');
    expect(fresh.stdout).toMatch(new RegExp(`needs about \\d\\.\\d GiB in ${layout.folder} \\(XDG_CACHE_HOME\\)\n`));
    expect(fresh.stdout).toMatch(/nothing was done\n$/);
    expect(existsSync(workshop.caches)).toBe(false);

    workshop.goThat({ version: 'go1.20' });
    expect((await run(workshop, ['--dry-run'])).stdout).toMatch(/would fail: .*this is go1\.20 .*TESTING_GO_TOO_OLD/);

    workshop.goThat({});
    await run(workshop);
    rmSync(layout.binary('etcd'));
    writeFileSync(layout.binary('kwok'), '#!/bin/sh\necho kwok version v0.1.0\n');
    const partly = await run(workshop, ['--dry-run']);
    expect(partly.stdout).toContain('  etcd: would be built (missing)\n  kube-apiserver: installed\n');
    expect(partly.stdout).toContain('  kwok: is v0.1.0, but v0.8.0 is wanted\n');
    expect(partly.stdout).toMatch(/would refuse: .*TESTING_BINARIES_MISMATCHED/);
  });

  test('an error is a message with a code and a cure, and exit code 1', async () => {
    using workshop = new Workshop();
    rmSync(workshop.go);
    // A PATH with nothing on it but what main.ts needs itself: nothing.
    const none = await run(workshop, [], { PATH: workshop.tools });
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('there is no go command on the PATH (TESTING_GO_MISSING: ');
    expect(none.stderr).not.toContain('    at ');
    const relative = await run(workshop, [], { XDG_CACHE_HOME: 'cache' });
    expect(relative).toEqual({ code: 1, stdout: '', stderr: 'XDG_CACHE_HOME is "cache": give an absolute path\n' });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s ends Go and what it started, leaves nothing half done; the next run goes on',
    async (signal, code) => {
      using workshop = new Workshop();
      workshop.goThat({ build: `[ $binary = kubectl ] && { ${workshop.hanging}; exit 1; }` });
      const child = start(workshop, []);
      const end = ended(child);
      await until('the build hangs', () => workshop.pid('compiler') !== undefined);
      const pids = [workshop.pid('go'), workshop.pid('compiler')];
      expect(pids.every((pid) => pid !== undefined && isRunning(pid))).toBe(true);
      child.kill(signal);
      const ran = await end;
      expect(ran.code).toBe(code);
      expect(ran.stdout).toMatch(/\[3\/6\] kubectl: stopped after \d+ s\n$/);
      expect(ran.stderr).toBe(`stopped by ${signal}; the next run continues with what is missing\n`);
      await until('no orphan', () => pids.every((pid) => pid !== undefined && !isRunning(pid)));
      const layout = layoutOf(workshop);
      expect(readdirSync(layout.binaries).sort()).toEqual(['etcd', 'kube-apiserver']);
      expect(readdirSync(layout.root)).toEqual([layout.folder.split('/').at(-1)]);
      expect(existsSync(layout.temporary)).toBe(false);
      expect(Object.keys(readManifest(readFileSync(layout.manifest, 'utf8'))?.binaries ?? {})).toHaveLength(2);

      workshop.goThat({});
      workshop.forget();
      expect((await run(workshop)).code).toBe(0);
      expect(workshop.built()).toEqual(['kubectl', 'kube-controller-manager', 'kube-scheduler', 'kwok']);
    },
  );

  test('one whose reader goes away, as in `… | head -1`, ends as if it were asked to', async () => {
    using workshop = new Workshop({ build: 'sleep 0.2' });
    const child = start(workshop, []);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const ran = await ended(child);
    expect(ran.code).toBe(141);
    expect(ran.stderr).toBe('stopped by the end of its output; the next run continues with what is missing\n');
    const layout = layoutOf(workshop);
    expect(existsSync(layout.lock) || existsSync(layout.temporary)).toBe(false);
  });

  test('one that was killed leaves a lock that the next run takes over, and half files that it removes', async () => {
    using workshop = new Workshop();
    workshop.goThat({ build: `[ $binary = kubectl ] && { ${workshop.hanging}; exit 1; }` });
    const child = start(workshop, []);
    const end = ended(child);
    await until('the build hangs', () => workshop.pid('compiler') !== undefined);
    child.kill('SIGKILL');
    await end;
    // Nobody was left to end these.
    for (const pid of [workshop.pid('compiler'), workshop.pid('go')])
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    const layout = layoutOf(workshop);
    expect(existsSync(layout.lock)).toBe(true);
    expect(readdirSync(layout.binaries).some((file) => file.startsWith('.partial-'))).toBe(true);
    workshop.goThat({});
    workshop.forget();
    const next = await run(workshop);
    expect(next.code).toBe(0);
    expect(next.stdout).toContain(`took over the lock of process ${child.pid}, which is gone`);
    expect(workshop.built()).toEqual(['kubectl', 'kube-controller-manager', 'kube-scheduler', 'kwok']);
    expect(readdirSync(layout.binaries)).toHaveLength(6);
    expect(existsSync(layout.lock)).toBe(false);
  });
});
