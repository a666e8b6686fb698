import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { KilterError } from 'kilter';
import type { Clock } from 'kilter/runtime';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InstallEvent } from './events.ts';
import { isRunning } from '../process-state.test-support.ts';
import { fastClock, until, Workshop } from './fake-go.test-support.ts';
import { installControlPlane, type InstallOptions } from './install.ts';
import { findLayout, type Layout } from './layout.ts';
import { readManifest } from './manifest.ts';
import { checksums } from './checksums.gen.ts';
import { binaryNames } from './versions.ts';

const names = ['v3', 'kube-apiserver', 'kubectl', 'kube-controller-manager', 'kube-scheduler', 'kwok'];

function layoutOf(workshop: Workshop): Layout {
  const { layout } = findLayout({ cacheFolder: workshop.caches });
  if (layout === undefined) throw new Error('no layout');
  return layout;
}

function optionsOf(workshop: Workshop, more: InstallOptions = {}): InstallOptions {
  return { cacheFolder: workshop.caches, go: workshop.go, clock: fastClock, ...more };
}

async function refusal(promise: Promise<unknown>): Promise<KilterError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof KilterError) return error;
  throw new Error(`not refused with a code: ${String(error)}`);
}

/** Names beside the finished binaries: what a build leaves half done would be there. */
function leftovers(layout: Layout): string[] {
  const known = new Set<string>(binaryNames);
  const files = existsSync(layout.binaries) ? readdirSync(layout.binaries).filter((file) => !known.has(file)) : [];
  return [
    ...files,
    ...[layout.lock, layout.temporary, `${layout.manifest}.partial`].filter((file) => existsSync(file)),
  ];
}

describe.skipIf(process.platform === 'win32')('installControlPlane', () => {
  test('API-G5: all binaries, keyed by version and platform, with a manifest that names size and hash', async () => {
    using workshop = new Workshop();
    const binaries = await installControlPlane(optionsOf(workshop));
    const layout = layoutOf(workshop);
    expect(binaries.directory.startsWith(join(workshop.caches, 'kilter'))).toBe(true);
    for (const word of [
      'kubernetes-1.36.3',
      'etcd-3.6.8',
      'kwok-0.8.0',
      layout.platform.os,
      layout.platform.architecture,
    ]) {
      expect(binaries.directory).toContain(word);
    }
    for (const name of binaryNames) expect(binaries[name]).toBe(join(binaries.directory, name));
    const manifest = readManifest(readFileSync(layout.manifest, 'utf8'));
    expect(manifest?.versions).toEqual({ kubernetes: 'v1.36.3', etcd: 'v3.6.8', kwok: 'v0.8.0' });
    expect(manifest?.platform).toEqual(layout.platform);
    for (const name of binaryNames) {
      expect(manifest?.binaries[name]?.size, name).toBe(statSync(layout.binary(name)).size);
      expect(manifest?.binaries[name]?.sha256, name).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(leftovers(layout)).toEqual([]);
  });

  test('API-G2 API-G3: each source is built in a scratch module of its own, one `go build` after another', async () => {
    using workshop = new Workshop({ flags: '-buildvcs=false -mod=vendor' });
    await installControlPlane(optionsOf(workshop));
    const layout = layoutOf(workshop);
    expect(workshop.built()).toEqual(names);
    for (const line of workshop.asked().filter((asked) => asked.startsWith('GOFLAGS'))) {
      expect(line).toContain('GOFLAGS=-buildvcs=false -mod=mod CGO_ENABLED=0 GOWORK=off');
      expect(line).toContain(`GOOS=${layout.platform.os} GOARCH=${layout.platform.architecture}`);
    }
    for (const line of workshop.asked().filter((asked) => asked.startsWith('build'))) {
      expect(line).toMatch(
        /-trimpath .* -o \S+ (k8s\.io\/kubernetes\/cmd\/\S+|go\.etcd\.io\/etcd\/server\/v3|sigs\.k8s\.io\/kwok\/cmd\/kwok)$/,
      );
    }
    expect(workshop.asked().join('\n')).not.toContain('tidy');
    expect(readFileSync(join(layout.module('etcd'), 'go.mod'), 'utf8')).toContain(
      'require go.etcd.io/etcd/server/v3 v3.6.8',
    );
    expect(readFileSync(join(layout.module('kubernetes'), 'go.mod'), 'utf8')).toContain(
      'require k8s.io/kubernetes v1.36.3',
    );
  });

  test('the modules are pinned by checksum; those of other versions are left to the checksum database', async () => {
    using workshop = new Workshop();
    await installControlPlane(optionsOf(workshop));
    expect(readFileSync(join(layoutOf(workshop).module('kubernetes'), 'go.sum'), 'utf8')).toBe(
      checksums.kubernetes.sums,
    );
    const versions = { kubernetes: 'v1.36.1', etcd: 'v3.6.8', kwok: 'v0.8.0' };
    const other = await installControlPlane(optionsOf(workshop, { versions }));
    expect(other.directory).toContain('kubernetes-1.36.1');
    const modules = join(other.directory, '..', 'modules');
    expect(existsSync(join(modules, 'kubernetes', 'go.sum'))).toBe(false);
    expect(existsSync(join(modules, 'etcd', 'go.sum'))).toBe(true);
  });

  test('a second run does nothing: it does not even ask for Go', async () => {
    using workshop = new Workshop();
    const first = await installControlPlane(optionsOf(workshop));
    const events: InstallEvent[] = [];
    const again = await installControlPlane(
      optionsOf(workshop, { go: '/nowhere/go', onEvent: (event) => void events.push(event) }),
    );
    expect(again).toEqual(first);
    expect(events).toEqual([]);
  });

  test('`force` builds everything again', async () => {
    using workshop = new Workshop();
    await installControlPlane(optionsOf(workshop));
    workshop.forget();
    await installControlPlane(optionsOf(workshop, { force: true }));
    expect(workshop.built()).toEqual(names);
  });

  test('what is missing is built, and nothing else', async () => {
    using workshop = new Workshop();
    await installControlPlane(optionsOf(workshop));
    rmSync(layoutOf(workshop).binary('kubectl'));
    workshop.forget();
    const events: InstallEvent[] = [];
    await installControlPlane(optionsOf(workshop, { onEvent: (event) => void events.push(event) }));
    expect(workshop.built()).toEqual(['kubectl']);
    expect(events.map((event) => event.type).filter((type) => type !== 'building')).toEqual(['started', 'built']);
    expect(events[0]).toMatchObject({ binary: 'kubectl', place: { number: 1, of: 1 }, why: 'missing' });
  });

  test('while Go works its progress is reported about every second', async () => {
    using workshop = new Workshop({
      build: 'echo "go: downloading example.com/a v1.0.0" >&2; echo fmt >&2; sleep 0.1',
    });
    const events: InstallEvent[] = [];
    await installControlPlane(optionsOf(workshop, { onEvent: (event) => void events.push(event) }));
    const work = events.filter((event) => event.type === 'building').at(-1)?.work;
    expect(work).toMatchObject({ downloaded: 1, compiled: 1, last: 'fmt' });
    expect(work?.elapsed).toBeGreaterThanOrEqual(1000);
  });

  test('what an ended run left half done is taken away', async () => {
    using workshop = new Workshop();
    const layout = layoutOf(workshop);
    mkdirSync(layout.binaries, { recursive: true });
    writeFileSync(join(layout.binaries, '.partial-1-etcd'), 'half');
    mkdirSync(join(layout.temporary, 'go-build1'), { recursive: true });
    await installControlPlane(optionsOf(workshop));
    expect(leftovers(layout)).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('files that installControlPlane did not write', () => {
  async function replaced(workshop: Workshop, text: string): Promise<Layout> {
    await installControlPlane(optionsOf(workshop));
    const layout = layoutOf(workshop);
    writeFileSync(layout.binary('kube-apiserver'), text);
    workshop.forget();
    return layout;
  }

  test('of another version are refused, with what is there, what is wanted, and the command', async () => {
    using workshop = new Workshop();
    const layout = await replaced(workshop, '#!/bin/sh\necho "Kubernetes v1.35.0"\n');
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_BINARIES_MISMATCHED');
    expect(error.message).toContain(layout.binaries);
    expect(error.message).toContain('kube-apiserver is v1.35.0, but v1.36.3 is wanted');
    expect(error.message).toContain('installControlPlane({ force: true })');
    expect(error.message).toContain('npm run kube:install -- --force');
    expect(workshop.built()).toEqual([]);
    await installControlPlane(optionsOf(workshop, { force: true }));
    expect(workshop.built()).toEqual(names);
  });

  test('of the wanted version are kept, and listed', async () => {
    using workshop = new Workshop();
    const layout = await replaced(workshop, '#!/bin/sh\n# of my own\necho "Kubernetes v1.36.3"\n');
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual([]);
    expect(readFileSync(layout.binary('kube-apiserver'), 'utf8')).toContain('of my own');
    const manifest = readManifest(readFileSync(layout.manifest, 'utf8'));
    expect(manifest?.binaries['kube-apiserver']?.size).toBe(statSync(layout.binary('kube-apiserver')).size);
  });

  test('that cannot be run are built again', async () => {
    using workshop = new Workshop();
    const layout = await replaced(workshop, '');
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual(['kube-apiserver']);
    chmodSync(layout.binary('kwok'), 0o644);
    workshop.forget();
    const events: InstallEvent[] = [];
    await installControlPlane(optionsOf(workshop, { onEvent: (event) => void events.push(event) }));
    expect(workshop.built()).toEqual(['kwok']);
    expect(events[0]).toMatchObject({ type: 'started', why: expect.stringContaining('EACCES') });
  });

  test.each([
    ['of other versions', (text: string) => text.replace('v1.36.3', 'v1.35.0')],
    ['that is not a manifest', () => '{'],
    ['that is gone', undefined],
  ])('beside a manifest %s are asked, and kept when they are right', async (_what, change) => {
    using workshop = new Workshop();
    await installControlPlane(optionsOf(workshop));
    const layout = layoutOf(workshop);
    if (change === undefined) rmSync(layout.manifest);
    else writeFileSync(layout.manifest, change(readFileSync(layout.manifest, 'utf8')));
    workshop.forget();
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual([]);
    expect(readManifest(readFileSync(layout.manifest, 'utf8'))?.versions.kubernetes).toBe('v1.36.3');
  });
});

describe.skipIf(process.platform === 'win32')('what installControlPlane refuses', () => {
  test('no Go', async () => {
    using workshop = new Workshop();
    const error = await refusal(installControlPlane(optionsOf(workshop, { go: 'no-such-go-command' })));
    expect(error.code).toBe('TESTING_GO_MISSING');
    expect(error.message).toContain('no go command on the PATH');
    expect(leftovers(layoutOf(workshop))).toEqual([]);
  });

  test('a go command that is not Go', async () => {
    using workshop = new Workshop();
    writeFileSync(workshop.go, '#!/bin/sh\necho a board game\n');
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_GO_MISSING');
    expect(error.message).toContain('it ended with 0, and said:\na board game');
    writeFileSync(workshop.go, '#!/bin/sh\nkill -SEGV $$\n');
    const silent = await refusal(installControlPlane(optionsOf(workshop)));
    expect(silent.message).toContain('it was ended by SIGSEGV (');
  });

  test('a go command that Node refuses to start', async () => {
    using workshop = new Workshop();
    rmSync(workshop.go);
    symlinkSync(workshop.go, workshop.go);
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_GO_MISSING');
    expect(error.message).toContain('does not start: spawn ELOOP');
  });

  test('no folder for temporary files: it needs none, and finds Go', async () => {
    using workshop = new Workshop();
    vi.stubEnv('TMPDIR', '/nonexistent');
    onTestFinished(() => void vi.unstubAllEnvs());
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual(names);
  });

  test('a Go that is too old, with the version found; one that fetches the right one goes on and says so', async () => {
    using workshop = new Workshop({ version: 'go1.24.1' });
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_GO_TOO_OLD');
    expect(error.message).toContain('needs Go 1.26, and this is go1.24.1 with GOTOOLCHAIN=local');
    expect(error.message).toContain('GOTOOLCHAIN=auto');
    workshop.goThat({ version: 'go1.24.1', toolchain: 'auto' });
    const events: InstallEvent[] = [];
    await installControlPlane(optionsOf(workshop, { onEvent: (event) => void events.push(event) }));
    expect(events[0]).toMatchObject({ type: 'note', text: expect.stringContaining('go1.24.1; it downloads Go 1.26') });
  });

  test.each([
    ['TESTING_DISK_FULL', 'write /x/_pkg_.a: no space left on device', 'XDG_CACHE_HOME'],
    ['TESTING_DOWNLOAD_FAILED', 'dial tcp: lookup proxy.golang.org: no such host', 'GOPROXY'],
    ['TESTING_CHECKSUM_MISMATCH', 'verifying k8s.io/api@v0.36.3: checksum mismatch', 'GOPROXY'],
    ['TESTING_BUILD_FAILED', 'x.go:1:1: syntax error', 'log file'],
  ])('a build that fails, as %s, with the end of the output and the log', async (code, output, cure) => {
    using workshop = new Workshop({
      build: `[ $binary = kubectl ] && { echo half > "$output"; echo '${output}' >&2; exit 1; }`,
    });
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    const layout = layoutOf(workshop);
    const log = join(layout.logs, 'kubectl.log');
    expect(error.code).toBe(code);
    expect(error.message).toContain(`go ended with 1 when it built kubectl:`);
    expect(error.message).toContain(output);
    expect(error.message).toContain(log);
    expect(error.message).toContain(cure);
    expect(readFileSync(log, 'utf8')).toContain(output);
    expect(leftovers(layout)).toEqual([]);
    workshop.goThat({});
    workshop.forget();
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual(names.slice(2));
  });

  test('a build that the system ends', async () => {
    using workshop = new Workshop({ build: 'kill -9 $$' });
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_BUILD_FAILED');
    expect(error.message).toContain('was ended by SIGKILL');
    expect(error.cure).toContain('memory');
  });

  test('a build that says nothing for half an hour; it is ended with all it started', async () => {
    using workshop = new Workshop();
    workshop.goThat({ build: workshop.hanging });
    // The half hour is over as soon as the build hangs.
    const timer: Clock['timer'] = (ms, callback) => {
      if (ms !== 30 * 60_000) return fastClock.timer(ms, callback);
      const look = (): void => (workshop.pid('compiler') === undefined ? again() : callback());
      let pending = fastClock.timer(1000, look);
      const again = (): void => void (pending = fastClock.timer(1000, look));
      return { cancel: () => pending.cancel() };
    };
    const clock = { ...fastClock, timer };
    const error = await refusal(installControlPlane(optionsOf(workshop, { clock })));
    expect(error.code).toBe('TESTING_DOWNLOAD_FAILED');
    expect(error.message).toContain('said nothing for 30 minutes');
    const pids = [workshop.pid('go'), workshop.pid('compiler')];
    await until('both have ended', () => pids.every((pid) => pid !== undefined && !isRunning(pid)));
  });

  test.skipIf(process.platform !== 'linux')('a folder whose parent says that it is not there', async () => {
    using workshop = new Workshop();
    const error = await refusal(installControlPlane(optionsOf(workshop, { cacheFolder: '/proc/kilter' })));
    expect(error.code).toBe('TESTING_CACHE_FOLDER_UNUSABLE');
    expect(error.message).toContain('/proc/kilter');
  });

  // The file systems of the kernel have no free space.
  test.skipIf(process.platform !== 'linux')('a disk without space, before anything is built', async () => {
    using workshop = new Workshop({ buildCache: '/proc/kilter' });
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_DISK_FULL');
    expect(error.message).toMatch(
      /GiB of free space are needed, but only 0 MiB are available: .* in \/proc\/kilter \(GOCACHE\)/,
    );
    expect(workshop.asked()).toEqual([]);
    expect(leftovers(layoutOf(workshop))).toEqual([]);
  });

  test('a binary that was built but is of another version', async () => {
    using workshop = new Workshop({ builds: 'v9.9.9' });
    const error = await refusal(installControlPlane(optionsOf(workshop)));
    expect(error.code).toBe('TESTING_BUILD_FAILED');
    expect(error.message).toContain('etcd was built as v3.6.8, but it is v9.9.9');
    expect(existsSync(layoutOf(workshop).binary('etcd'))).toBe(false);
  });

  test('a folder that cannot be written, a path that is not absolute, an invalid version', async () => {
    using workshop = new Workshop();
    writeFileSync(workshop.caches, 'a file');
    const inFile = await refusal(installControlPlane(optionsOf(workshop)));
    expect(inFile.code).toBe('TESTING_CACHE_FOLDER_UNUSABLE');
    expect(inFile.message).toContain(workshop.caches);
    // Nobody can make a folder there.
    const inDevices = await refusal(installControlPlane(optionsOf(workshop, { cacheFolder: '/dev/null/cache' })));
    expect(inDevices.code).toBe('TESTING_CACHE_FOLDER_UNUSABLE');
    const relative = await refusal(installControlPlane(optionsOf(workshop, { cacheFolder: 'here' })));
    expect(relative.code).toBe('TESTING_CACHE_FOLDER_UNUSABLE');
    const versions = { kubernetes: '1.36', etcd: 'v3.6.8', kwok: 'v0.8.0' };
    const version = await refusal(installControlPlane(optionsOf(workshop, { versions })));
    expect(version.code).toBe('TESTING_VERSION_INVALID');
    expect(version.message).toContain('kubernetes is "1.36"');
  });
});

describe.skipIf(process.platform === 'win32')('an installation that is ended', () => {
  test.each([
    ['that goes when asked', ''],
    ['that does not listen', "trap '' INT; "],
  ])('ends a go %s and what it started, leaves nothing half done, and can be gone on with', async (_how, deaf) => {
    using workshop = new Workshop();
    workshop.goThat({ build: `[ $binary = kubectl ] && { ${deaf}${workshop.hanging}; ${workshop.hanging}; }` });
    const stop = new AbortController();
    const installation = installControlPlane(optionsOf(workshop, { signal: stop.signal }));
    await until('the build hangs', () => workshop.pid('compiler') !== undefined);
    const pids = [workshop.pid('go'), workshop.pid('compiler')];
    stop.abort(new Error('enough'));
    await expect(installation).rejects.toThrow('enough');
    await until('both have ended', () => pids.every((pid) => pid !== undefined && !isRunning(pid)));
    const layout = layoutOf(workshop);
    expect(leftovers(layout)).toEqual([]);
    const manifest = readManifest(readFileSync(layout.manifest, 'utf8'));
    expect(Object.keys(manifest?.binaries ?? {})).toEqual(['etcd', 'kube-apiserver']);
    workshop.goThat({});
    workshop.forget();
    await installControlPlane(optionsOf(workshop));
    expect(workshop.built()).toEqual(names.slice(2));
  });

  test('does not start when it was ended before', async () => {
    using workshop = new Workshop();
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(installControlPlane(optionsOf(workshop, { signal }))).rejects.toThrow('too late');
    expect(workshop.asked()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('two installations into one folder', () => {
  test('are done one after the other, and the work once', async () => {
    using workshop = new Workshop({ build: 'sleep 0.05' });
    const events: InstallEvent[] = [];
    const all = await Promise.all([
      installControlPlane(optionsOf(workshop)),
      installControlPlane(optionsOf(workshop, { onEvent: (event) => void events.push(event) })),
    ]);
    expect(all[0]).toEqual(all[1]);
    expect(workshop.built()).toEqual(names);
    const waiting = events.filter((event) => event.type === 'waiting');
    expect(waiting.at(-1)?.text).toContain(`process ${process.pid}`);
    expect(waiting.at(-1)?.text).toContain(`kill ${process.pid}`);
    expect(waiting.some(({ owner }) => /builds \S+ \(\d of 6\)/.test(owner))).toBe(true);
  });
});
