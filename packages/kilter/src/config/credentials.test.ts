import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { virtualClock, type VirtualClock } from '../internal/index.ts';
import { type ConnectionConfig, credentials, type Credentials } from './index.ts';
import { failure } from './scripted-files.test-support.ts';

const base = { server: 'https://h', namespace: 'default' };
const now = Date.now();
const authorities = [1, 2].map((n) => createAuthority({ name: `a${n}`, now, days: 1 }));
const [one, two] = authorities.map(({ certificate }) => certificate) as [string, string];
const [first, second] = authorities.map((authority) =>
  issue(authority, { name: 'me', usage: 'client', now, days: 1 }),
) as [ReturnType<typeof issue>, ReturnType<typeof issue>];

interface World {
  readonly clock: VirtualClock;
  /** By path; undefined is a file that is gone. */
  readonly files: Record<string, string | undefined>;
  readonly reads: string[];
  readonly warnings: string[];
  readonly held: Credentials;
}

function holding(config: Partial<ConnectionConfig>, files: Record<string, string | undefined> = {}): World {
  const clock = virtualClock();
  const reads: string[] = [];
  const warnings: string[] = [];
  const readFile = (path: string): Promise<string> => {
    reads.push(path);
    const content = files[path];
    if (content !== undefined) return Promise.resolve(content);
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }));
  };
  const held = credentials({ ...base, ...config }, { clock, readFile, warn: (message) => warnings.push(message) });
  return { clock, files, reads, warnings, held };
}

describe('what is fixed', () => {
  test.each<[string, Partial<ConnectionConfig>, string | undefined]>([
    ['a token', { token: 'abc' }, 'Bearer abc'],
    [
      'a user name with password',
      { username: 'me', password: 'pä:ss' },
      `Basic ${Buffer.from('me:pä:ss').toString('base64')}`,
    ],
    ['a user name alone', { username: 'me' }, `Basic ${Buffer.from('me:').toString('base64')}`],
    ['nothing', {}, undefined],
  ])('%s has nothing to read again', async (_, config, header) => {
    const { held } = holding(config);
    expect(await held.authorization()).toBe(header);
    expect(await held.renew()).toBe(false);
    expect(await held.authorization()).toBe(header);
  });

  test('certificates keep their number', async () => {
    const { clock, held } = holding({ ca: one, clientCertificate: first.certificate, clientKey: first.key });
    const material = { version: 0, ca: one, cert: first.certificate, key: first.key };
    expect(await held.tls()).toEqual(material);
    await clock.advance(600_000);
    expect(await held.tls()).toEqual(material);
  });

  test.each<[string, Partial<ConnectionConfig>, string]>([
    ['a token and a password', { token: 'abc', username: 'me' }, 'a token and a user name'],
    ['a password alone', { password: 'x' }, 'no user name'],
    ['a name that hides a password', { username: 'a:b' }, 'colon'],
    ['a certificate without a key', { clientCertificate: 'x' }, 'only one of'],
    ['a key file without a certificate', { clientKeyFile: 'x' }, 'only one of'],
    ['a token of two lines', { token: 'a\nb' }, 'the token of the configuration'],
  ])('%s is refused at once', async (_, config, says) => {
    const error = await failure(() => holding(config));
    expect(error.code).toBe('CONFIG_MALFORMED');
    expect(error.message).toContain(says);
  });

  test('impersonation is a matter of headers', () => {
    const { held } = holding({ impersonate: { user: 'root', groups: ['a'] } });
    expect(held.impersonation).toEqual({ 'impersonate-user': 'root', 'impersonate-group': ['a'] });
  });
});

describe('a token file', () => {
  test('C-15: is read again within a minute, and an old token is never used after a 401', async () => {
    const { clock, files, held } = holding({ tokenFile: '/t', token: 'old' }, { '/t': 'one\n' });
    expect(await held.authorization()).toBe('Bearer one');
    files['/t'] = 'two';
    await clock.advance(44_999);
    expect(await held.authorization()).toBe('Bearer one');
    await clock.advance(1);
    expect(await held.authorization()).toBe('Bearer two');
    files['/t'] = 'three';
    expect(await held.renew()).toBe(true);
    expect(await held.authorization()).toBe('Bearer three');
  });

  test('B-23: a read that began before the 401 does not count, whenever it ends', async () => {
    const clock = virtualClock();
    const reads: ((content: string) => void)[] = [];
    const readFile = (): Promise<string> => new Promise((resolve) => void reads.push(resolve));
    const held = credentials({ ...base, tokenFile: '/t' }, { clock, readFile });
    const read = (n: number, content: string): Promise<void> => (reads[n]?.(content), clock.settle());
    const began = held.authorization();
    await clock.settle();
    await read(0, 'one');
    expect(await began).toBe('Bearer one');
    await clock.advance(60_000);
    const early = held.authorization();
    await clock.settle();
    await held.renew('Bearer one');
    const late = held.authorization();
    await clock.settle();
    expect(reads).toHaveLength(3);
    await read(2, 'two');
    expect(await late).toBe('Bearer two');
    await read(1, 'one');
    await early;
    expect(await held.authorization()).toBe('Bearer two');
  });

  test('B-23: of a hundred requests refused together one reads the file', async () => {
    const { files, reads, held } = holding({ tokenFile: '/t' }, { '/t': 'one' });
    const refused = await held.authorization();
    files['/t'] = 'two';
    const again = await Promise.all(
      Array.from({ length: 100 }, async () => {
        await held.renew(refused);
        return held.authorization();
      }),
    );
    expect(new Set(again)).toEqual(new Set(['Bearer two']));
    const before = reads.length;
    expect(before).toBeLessThanOrEqual(101);
    await held.renew(refused);
    expect(await held.authorization()).toBe('Bearer two');
    expect(reads).toHaveLength(before);
  });

  test('C-15: a refused token is not used where its file became unreadable', async () => {
    const { files, held } = holding({ tokenFile: '/t' }, { '/t': 'one' });
    await held.authorization();
    files['/t'] = undefined;
    await held.renew();
    expect((await failure(held.authorization())).code).toBe('CONFIG_UNREADABLE');
    files['/t'] = 'two';
    expect(await held.authorization()).toBe('Bearer two');
  });

  test('many who ask at once wait for one read', async () => {
    const { reads, held } = holding({ tokenFile: '/t' }, { '/t': 'one' });
    await Promise.all(Array.from({ length: 50 }, () => held.authorization()));
    expect(reads).toEqual(['/t']);
  });

  test.each<[string, string | undefined]>([
    ['gone', undefined],
    ['empty', ''],
    ['half of something else', 'a b'],
  ])(
    'that is %s for a while: the last good token is used, it is told once a minute, and looked at each second',
    async (_, content) => {
      const { clock, files, warnings, held } = holding({ tokenFile: '/t' }, { '/t': 'one' });
      await held.authorization();
      files['/t'] = content;
      for (let second = 0; second < 104; second += 1) {
        await clock.advance(1000);
        expect(await held.authorization()).toBe('Bearer one');
      }
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^the token is used as it was: .*\/t/);
      files['/t'] = 'two';
      await clock.advance(1000);
      expect(await held.authorization()).toBe('Bearer two');
    },
  );

  test('never readable: an error names it, unless a token stands beside it', async () => {
    expect((await failure(holding({ tokenFile: '/t' }).held.authorization())).message).toContain('/t');
    const { held, warnings } = holding({ tokenFile: '/t', token: 'beside' });
    expect(await held.authorization()).toBe('Bearer beside');
    expect(warnings).toHaveLength(1);
  });

  test.each(['', ' \n', 'a b', 'a\r\nx-evil: 1'])(
    'a token that would break the header is refused, unseen: %j',
    async (content) => {
      const error = await failure(holding({ tokenFile: '/t' }, { '/t': content }).held.authorization());
      expect(error.code).toBe('CONFIG_MALFORMED');
      expect(error.message).not.toContain('evil');
    },
  );
});

describe('certificates in files', () => {
  const pair = { clientCertificateFile: '/c', clientKeyFile: '/k' };
  const files = { '/ca': one, '/c': first.certificate, '/k': first.key };

  test('B-24: a new authority is in use within a minute, under a new number', async () => {
    const { clock, held, files: there } = holding({ caFile: '/ca', ca: 'never used' }, { ...files });
    const before = await held.tls();
    expect(before).toEqual({ version: 0, ca: one });
    there['/ca'] = one + two;
    await clock.advance(44_999);
    expect(await held.tls()).toBe(before);
    await clock.advance(1);
    expect(await held.tls()).toEqual({ version: 1, ca: one + two });
    await clock.advance(60_000);
    expect(await held.tls()).toEqual({ version: 1, ca: one + two });
  });

  test.each<[string, string | undefined]>([
    ['gone', undefined],
    ['empty', ''],
    ['half written', (one + two).slice(0, -100)],
  ])('B-24: an authority that is %s leaves the last good one in use, and is reported', async (_, content) => {
    const { clock, held, files: there, warnings } = holding({ caFile: '/ca' }, { ...files });
    const before = await held.tls();
    there['/ca'] = content;
    await clock.advance(60_000);
    expect(await held.tls()).toBe(before);
    expect(warnings).toEqual([expect.stringMatching(/^the authority is used as it was: .*\/ca/)]);
    there['/ca'] = two;
    await clock.advance(1000);
    expect(await held.tls()).toEqual({ version: 1, ca: two });
  });

  test('a pair of which only one half is replaced is not used', async () => {
    const { clock, held, files: there, warnings } = holding(pair, { ...files });
    const before = await held.tls();
    there['/c'] = second.certificate;
    await clock.advance(60_000);
    expect(await held.tls()).toBe(before);
    expect(warnings[0]).toContain('/k is not the key of /c');
    there['/k'] = second.key;
    await clock.advance(1000);
    expect(await held.tls()).toEqual({ version: 1, cert: second.certificate, key: second.key });
  });

  test('after a 401 they are looked at again at once, and kept if there is nothing better', async () => {
    const { held, files: there } = holding(pair, { ...files });
    const before = await held.tls();
    expect(await held.renew()).toBe(true);
    expect(await held.tls()).toBe(before);
    Object.assign(there, { '/c': second.certificate, '/k': second.key });
    await held.renew();
    expect((await held.tls()).version).toBe(1);
    there['/k'] = '';
    await held.renew();
    expect((await held.tls()).key).toBe(second.key);
  });

  test('one in a file, the other inline', async () => {
    const { held } = holding({ clientCertificateFile: '/c', clientKey: first.key }, { ...files });
    expect(await held.tls()).toEqual({ version: 0, cert: first.certificate, key: first.key });
  });

  test('never usable: an error names the file', async () => {
    expect((await failure(holding({ caFile: '/ca' }).held.tls())).message).toContain('/ca');
    expect((await failure(holding(pair, { '/c': 'x', '/k': 'y' }).held.tls())).message).toContain('/c contains no PEM');
  });
});

describe.skipIf(process.platform === 'win32')('files as the kubelet replaces them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-credentials-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('B-23, B-24: a symbolic link that is moved to a new folder', async () => {
    const publish = (name: string, token: string, ca: string): void => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'token'), token);
      writeFileSync(join(folder, name, 'ca.crt'), ca);
      symlinkSync(name, join(folder, 'next'));
      renameSync(join(folder, 'next'), join(folder, '..data'));
    };
    publish('one', 'first', one);
    for (const file of ['token', 'ca.crt']) symlinkSync(join('..data', file), join(folder, file));
    const clock = virtualClock();
    const config = { ...base, tokenFile: join(folder, 'token'), caFile: join(folder, 'ca.crt') };
    const held = credentials(config, { clock });
    expect([await held.authorization(), (await held.tls()).ca]).toEqual(['Bearer first', one]);
    publish('two', 'second', two);
    await clock.advance(60_000);
    expect([await held.authorization(), (await held.tls()).ca]).toEqual(['Bearer second', two]);
  });
});
