import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { InstallEvent } from './events.ts';
import { fastClock, until } from './fake-go.test-support.ts';
import { lockNews } from './lock-news.ts';
import { isAlive, judgeOwner, lifeless, type Owner, processIdentity, readOwner, writeOwner } from './lock-owner.ts';
import { acquireLock, type LockEvent } from './lock.ts';

const now = 1_800_000_000_000;
const owner: Owner = { pid: 7, host: 'here', started: now - 60_000, seen: now - 1000, doing: 'builds' };

describe('judgeOwner', () => {
  test.each([
    ['lives and works', {}, true, 'held'],
    ['is gone', {}, false, 'stale'],
    ['lives but shows no life', { seen: now - lifeless - 1 }, true, 'silent'],
    ['is gone and showed no life', { seen: now - lifeless - 1 }, false, 'stale'],
    ['works on another host', { host: 'there' }, false, 'held'],
    ['showed no life on another host', { host: 'there', seen: now - lifeless - 1 }, true, 'stale'],
  ] as const)('an owner that %s', (_what, change, alive, verdict) => {
    expect(judgeOwner({ ...owner, ...change }, { host: 'here', now, isAlive: () => alive })).toBe(verdict);
  });
});

describe('the owner in the file', () => {
  test('is read as it was written, always of one length', () => {
    expect(readOwner(writeOwner(owner))).toEqual(owner);
    const long = writeOwner({ ...owner, doing: 'x'.repeat(5000) });
    expect(long).toHaveLength(writeOwner(owner).length);
    expect(readOwner(long)?.doing).toHaveLength(300);
  });

  test.each(['', 'nonsense', 'null', '{"pid":1}'])('is not %j', (text) => {
    expect(readOwner(text)).toBeUndefined();
  });

  test('is alive while its process is the one that wrote it', () => {
    const self = { ...owner, pid: process.pid, identity: processIdentity(process.pid) };
    expect(isAlive(self)).toBe(true);
    const { pid } = spawnSync(process.execPath, ['--version']);
    expect(isAlive({ ...owner, pid })).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')('is not a later process with the same number', () => {
    expect(isAlive({ ...owner, pid: process.pid, identity: '1' })).toBe(false);
  });
});

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'install.lock');
}

function acquire(file: string, onEvent: (event: LockEvent) => void = () => undefined, signal?: AbortSignal) {
  return acquireLock({ file, clock: fastClock, signal, onEvent });
}

describe('acquireLock', () => {
  test('writes who has it, and what they do; gives it back', async () => {
    const file = lockFile();
    {
      using lock = await acquire(file);
      lock.say('builds etcd');
      expect(readOwner(readFileSync(file, 'utf8'))).toMatchObject({
        pid: process.pid,
        host: hostname(),
        doing: 'builds etcd',
      });
    }
    expect(existsSync(file)).toBe(false);
  });

  test('takes over from a process that is gone, and says so', async () => {
    const file = lockFile();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, writeOwner({ ...owner, pid, host: hostname(), seen: systemRuntime.clock.now() }));
    const events: LockEvent[] = [];
    using _lock = await acquire(file, (event) => void events.push(event));
    expect(events).toMatchObject([{ type: 'taken-over', owner: { pid } }]);
    expect(readOwner(readFileSync(file, 'utf8'))?.pid).toBe(process.pid);
    expect(readdirSync(join(file, '..'))).toEqual(['install.lock']);
  });

  test('takes over what nobody finished writing, but only when it is not fresh', async () => {
    const file = lockFile();
    writeFileSync(file, '');
    const events: LockEvent[] = [];
    const pending = acquire(file, (event) => void events.push(event));
    await fastClock.sleep(10_000);
    expect(events).toEqual([]);
    const longAgo = systemRuntime.clock.now() / 1000 - 60;
    utimesSync(file, longAgo, longAgo);
    using _lock = await pending;
    expect(events).toMatchObject([{ type: 'taken-over', owner: undefined }]);
  });

  test('waits for a process that lives, and goes on when it ends', async () => {
    const file = lockFile();
    const other = spawn('sleep', ['600']);
    const seen = systemRuntime.clock.now();
    writeFileSync(file, writeOwner({ ...owner, pid: other.pid ?? 0, host: hostname(), seen }));
    const events: LockEvent[] = [];
    const pending = acquire(file, (event) => void events.push(event));
    await until('it waits', () => events.length >= 3);
    expect(events.every((event) => event.type === 'waiting' && event.owner.doing === 'builds')).toBe(true);
    other.kill();
    using _lock = await pending;
    expect(events.at(-1)?.type).toBe('taken-over');
  });

  test('stops waiting when told to', async () => {
    const file = lockFile();
    using _lock = await acquire(file);
    const stop = new AbortController();
    const pending = acquire(file, () => stop.abort(new Error('enough')), stop.signal);
    await expect(pending).rejects.toThrow('enough');
    expect(readOwner(readFileSync(file, 'utf8'))?.pid).toBe(process.pid);
  });

  test('is had by one at a time, of many that want it and find it stale', async () => {
    const file = lockFile();
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, writeOwner({ ...owner, pid, host: hostname(), seen: systemRuntime.clock.now() }));
    let inside = 0;
    let most = 0;
    const one = async (): Promise<void> => {
      using _lock = await acquire(file);
      inside += 1;
      most = Math.max(most, inside);
      await fastClock.sleep(500);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, one));
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  test('leaves alone a lock that has become somebody else’s', async () => {
    const file = lockFile();
    {
      using lock = await acquire(file);
      rmSync(file);
      writeFileSync(file, writeOwner(owner));
      lock.say('too late');
    }
    expect(readOwner(readFileSync(file, 'utf8'))).toEqual(owner);
  });

  test('leaves no file behind that does not say whose it is', async () => {
    const file = lockFile();
    // The second time is told in the file: as if the disk were full by then.
    let asked = 0;
    const now = (): number => {
      asked += 1;
      if (asked > 1) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      return fastClock.now();
    };
    const pending = acquireLock({ file, clock: { ...fastClock, now }, onEvent: () => undefined });
    await expect(pending).rejects.toMatchObject({ code: 'TESTING_DISK_FULL' });
    expect(existsSync(file)).toBe(false);
  });

  test('says which folder it cannot write', async () => {
    const file = join(lockFile(), 'deeper', 'install.lock');
    const error: unknown = await acquire(file).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(KilterError);
    expect((error as KilterError).code).toBe('TESTING_CACHE_FOLDER_UNUSABLE');
  });
});

describe('those who wait hear', () => {
  function news(event: LockEvent): string {
    const events: InstallEvent[] = [];
    lockNews(fastClock, (told) => void events.push(told))(event);
    const [told] = events;
    return told?.type === 'note' || told?.type === 'waiting' ? told.text : '';
  }

  test('who it is, since when, what it does and how to end it', () => {
    const text = news({ type: 'waiting', owner, silent: false, file: '/lock' });
    expect(text).toBe(
      'waits for another installation (process 7 on here, since 2027-01-15T07:59:00Z; `kill 7` ends it): it builds',
    );
  });

  test('what to do when it shows no life, and that a lock was taken over', () => {
    expect(news({ type: 'waiting', owner, silent: true, file: '/lock' })).toContain(
      'if it is not an installation, remove /lock',
    );
    expect(news({ type: 'taken-over', owner, file: '/lock' })).toContain('took over the lock of process 7');
    expect(news({ type: 'taken-over', owner: undefined, file: '/lock' })).toContain('an unreadable lock');
  });
});
