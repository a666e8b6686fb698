import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { virtualClock } from '../internal/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { CertificateFiles, readCertificate } from './certificate-files.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const day = 86_400_000;
const authority = createAuthority({ name: 'test', now, days: 30 });
const pair = (name: string) => issue(authority, { name, dnsNames: [name], usage: 'server', now, days: 30 });

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kilter-certificates-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function put(directory: string, { certificate, key }: { certificate: string; key: string }): Promise<void> {
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), key);
}

/** Files as kubelet mounts a Secret: links to what is behind another link, which is swapped. */
async function mounted(
  directory: string,
  version: string,
  content: { certificate: string; key: string },
): Promise<void> {
  await mkdir(join(directory, version));
  await put(join(directory, version), content);
  await symlink(version, join(directory, '..tmp'));
  await rename(join(directory, '..tmp'), join(directory, '..data'));
}

const paths = (directory: string) => ({ directory, certificate: 'tls.crt', key: 'tls.key' });

async function following(directory: string) {
  const clock = virtualClock();
  const metrics = new MetricsRegistry();
  const lines: string[] = [];
  const logger = jsonLogger({ write: (line) => lines.push(line), now: () => 0, level: 'info' });
  const seen: string[] = [];
  const changed = ({ certificate }: { certificate: string }): void => void seen.push(certificate);
  const files = await CertificateFiles.open(paths(directory), { clock, logger, metrics, changed });
  onTestFinished(() => files.close());
  /** What reading files takes is real time. */
  const told = async (count: number): Promise<void> => {
    const look = async (): Promise<number> => {
      await clock.advance(10_000);
      return seen.length;
    };
    await expect.poll(look).toBe(count);
  };
  return { clock, metrics, seen, files, told, lines };
}

describe('certificate files', () => {
  test('C-06 CW-1 rewritten ones are in use within ten seconds', async () => {
    const directory = await folder();
    await put(directory, pair('a'));
    const { seen, told, files } = await following(directory);
    const second = pair('b');
    await put(directory, second);
    await told(1);
    expect(seen).toEqual([second.certificate]);
    expect(files.current.certificate).toBe(second.certificate);
  });

  test('C-06 CW-1 so are those that are swapped by a link, as kubelet does', async () => {
    const directory = await folder();
    await mounted(directory, '..1', pair('a'));
    for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(directory, name));
    const { seen, told } = await following(directory);
    const second = pair('b');
    await mounted(directory, '..2', second);
    await told(1);
    expect(seen).toEqual([second.certificate]);
  });

  test('C-06 CW-1 so are those that are renamed into place', async () => {
    const directory = await folder();
    await put(directory, pair('a'));
    const { told, seen } = await following(directory);
    const second = pair('b');
    for (const [name, text] of [
      ['tls.crt', second.certificate],
      ['tls.key', second.key],
    ] as const) {
      await writeFile(join(directory, `${name}.new`), text);
      await rename(join(directory, `${name}.new`), join(directory, name));
    }
    await told(1);
    expect(seen).toEqual([second.certificate]);
  });

  test('CW-1 they are watched: what the file system tells of is in use long before the next look', async () => {
    const directory = await folder();
    await put(directory, pair('a'));
    const { seen, clock } = await following(directory);
    const second = pair('b');
    await put(directory, second);
    const begun = clock.now();
    const look = async (): Promise<number> => {
      // Events come in real time; the next look is not reached meanwhile.
      if (clock.now() - begun < 9000) await clock.advance(60);
      return seen.length;
    };
    await expect.poll(look, { interval: 20, timeout: 10_000 }).toBe(1);
    expect(seen).toEqual([second.certificate]);
  });

  test('C-06 CW-1 they are looked at after ten seconds where the file system tells nothing', async () => {
    const [directory, elsewhere] = [await folder(), await folder()];
    await put(elsewhere, pair('a'));
    for (const name of ['tls.crt', 'tls.key']) await symlink(join(elsewhere, name), join(directory, name));
    const { seen, clock, metrics } = await following(directory);
    const second = pair('b');
    // Only the directory that was named is watched.
    await put(elsewhere, second);
    await clock.advance(9999);
    expect(metrics.text()).toContain('certwatcher_read_certificate_total 1\n');
    await clock.advance(1);
    await expect.poll(() => seen).toEqual([second.certificate]);
  });

  test('C-06 CW-1 a half-written pair keeps the old one, and is counted', async () => {
    const directory = await folder();
    const first = pair('a');
    await put(directory, first);
    const { metrics, files, told, clock } = await following(directory);
    const second = pair('b');
    await writeFile(join(directory, 'tls.crt'), second.certificate);
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return metrics.text();
      })
      .toMatch(/certwatcher_read_certificate_errors_total [1-9]/);
    expect(files.current.certificate).toBe(first.certificate);
    await writeFile(join(directory, 'tls.key'), second.key);
    await told(1);
    expect(metrics.text()).toMatch(/certwatcher_read_certificate_total [1-9]/);
  });

  test('CW-1 a pair that is over is not taken while the one before is not, and is counted', async () => {
    const directory = await folder();
    const first = pair('a');
    await put(directory, first);
    const { metrics, files, lines, clock } = await following(directory);
    clock.jump(now - clock.now());
    await put(
      directory,
      issue(authority, { name: 'b', dnsNames: ['b'], usage: 'server', now: now - 9 * day, days: 1 }),
    );
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return lines.join('');
      })
      .toContain('WEBHOOK_CERTIFICATES_EXPIRED');
    expect(metrics.text()).toMatch(/certwatcher_read_certificate_errors_total [1-9]/);
    expect(files.current.certificate).toBe(first.certificate);
  });

  test('CW-1 one that is over while it is in use is reported once, as is one there never was another of', async () => {
    const directory = await folder();
    await put(directory, pair('a'));
    const { lines, clock, told } = await following(directory);
    clock.jump(now + 31 * day - clock.now());
    const over = (): string[] => lines.filter((line) => line.includes('no caller trusts it'));
    const look = async (): Promise<number> => {
      await clock.advance(10_000);
      return over().length;
    };
    await expect.poll(look).toBe(1);
    for (let i = 0; i < 5; i += 1) expect(await look()).toBe(1);
    expect(over()[0]).toMatch(/tls.crt in .* expired on 2026-01-31T00:00:00Z .*WEBHOOK_CERTIFICATES_EXPIRED/);
    await put(directory, issue(authority, { name: 'b', dnsNames: ['b'], usage: 'server', now, days: 20 }));
    await told(1);
    await expect.poll(look).toBe(2);
  });

  test('CW-2 absent ones are an error that says where they were looked for', async () => {
    const directory = await folder();
    await expect(readCertificate(paths(directory))).rejects.toMatchObject({
      code: 'WEBHOOK_CERTIFICATES_UNREADABLE',
      message: expect.stringContaining(directory) as string,
    });
  });

  test.each([
    ['is not a certificate', (path: string) => writeFile(path, 'half of a certi'), 'ca.crt is not a certificate'],
    ['cannot be read', (path: string) => mkdir(path), 'EISDIR'],
  ])('CW-2 a ca.crt that %s is an error, not one that is left out', async (_, spoil, message) => {
    const directory = await folder();
    await put(directory, pair('a'));
    await spoil(join(directory, 'ca.crt'));
    await expect(readCertificate(paths(directory))).rejects.toMatchObject({
      code: 'WEBHOOK_CERTIFICATES_UNREADABLE',
      message: expect.stringContaining(message) as string,
    });
  });

  test('CW-1 a ca.crt that is spoilt while it runs keeps everything as it was; one that comes later is taken', async () => {
    const directory = await folder();
    await put(directory, pair('a'));
    const { metrics, files, told, clock } = await following(directory);
    expect(files.current.authority).toBeUndefined();
    await writeFile(join(directory, 'ca.crt'), authority.certificate);
    await told(1);
    await writeFile(join(directory, 'ca.crt'), 'spoilt');
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return metrics.text();
      })
      .toMatch(/certwatcher_read_certificate_errors_total [1-9]/);
    expect(files.current.authority).toBe(authority.certificate);
  });

  test('a key of another certificate is refused', async () => {
    const directory = await folder();
    await put(directory, { certificate: pair('a').certificate, key: pair('b').key });
    await expect(readCertificate(paths(directory))).rejects.toThrow('the key does not belong to the certificate');
  });
});
