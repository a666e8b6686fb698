import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { type Authority, createAuthority, issue, type Leaf } from './index.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const day = 86_400_000;

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('an authority', () => {
  const authority = createAuthority({ name: 'kilter test', now, days: 10 });
  const certificate = new X509Certificate(authority.certificate);

  test('signs itself and is one', () => {
    expect(certificate.subject).toBe('CN=kilter test');
    expect(certificate.issuer).toBe('CN=kilter test');
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  test('is valid from a little before now until the days have passed', () => {
    expect(certificate.validFromDate.getTime()).toBeLessThan(now);
    expect(certificate.validToDate.getTime()).toBe(now + 10 * day);
  });

  test('has a key of ECDSA on P-256, as PKCS#8', () => {
    expect(authority.key).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });

  test('never repeats a serial number', () => {
    const serials = Array.from({ length: 20 }, () => createAuthority({ name: 'x', now, days: 1 }))
      .map((made) => new X509Certificate(made.certificate).serialNumber)
      .filter((serial) => /^[4-7][0-9A-F]{31}$/.test(serial));
    expect(new Set(serials).size).toBe(20);
  });
});

describe('a leaf', () => {
  const authority = createAuthority({ name: 'kilter test', now, days: 10 });
  const server = issue(authority, {
    name: 'shop',
    dnsNames: ['localhost', '*.shop.svc'],
    ipAddresses: ['127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:10.0.0.1'],
    usage: 'server',
    now,
    days: 5,
  });
  const certificate = new X509Certificate(server.certificate);
  const ca = new X509Certificate(authority.certificate);

  test('is signed by its authority and is none itself', () => {
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(server.authority).toBe(authority.certificate);
  });

  test.each(['localhost', 'a.shop.svc'])('answers to the name %s', (name) => {
    expect(certificate.checkHost(name)).toBeDefined();
  });

  test.each(['127.0.0.1', '::1', '2001:db8::ff00:42:8329', '::ffff:a00:1'])('answers to the address %s', (address) => {
    expect(certificate.checkIP(address)).toBeDefined();
  });

  test('answers to nothing else, its common name included', () => {
    expect(certificate.checkHost('shop')).toBeUndefined();
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  });

  test('says what it is for', () => {
    const client = issue(authority, {
      name: 'alice',
      organizations: ['dev', 'ops'],
      usage: 'client',
      now,
      days: 1,
    });
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(new X509Certificate(client.certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(new X509Certificate(client.certificate).subject).toBe('O=dev\nO=ops\nCN=alice');
  });

  test('does not outlive its authority', () => {
    const long = issue(authority, { name: 'x', usage: 'client', now, days: 1000 });
    expect(new X509Certificate(long.certificate).validToDate.getTime()).toBe(ca.validToDate.getTime());
  });

  test.each([
    ['no name at all', { dnsNames: [], ipAddresses: [] }],
    ['an invalid address', { ipAddresses: ['300.1.1.1'] }],
    ['an address with a zone', { ipAddresses: ['fe80::1%eth0'] }],
    ['a DNS name with a space', { dnsNames: ['a b'] }],
    ['a DNS name that is not ASCII', { dnsNames: ['bücher.example'] }],
    ['an empty common name', { name: '', dnsNames: ['a'] }],
    ['a common name beyond 64 characters', { name: 'x'.repeat(65), dnsNames: ['a'] }],
    ['no days', { dnsNames: ['a'], days: 0 }],
    ['days that are not a number', { dnsNames: ['a'], days: Number.NaN }],
  ])('is refused for %s', (_, wrong) => {
    const error = caught(() => issue(authority, { name: 'x', usage: 'server', now, days: 1, ...wrong }));
    expect(hasCode(error, 'CERTIFICATES_INPUT_INVALID')).toBe(true);
  });

  test.each<[string, () => Authority]>([
    ['is not PEM', () => ({ certificate: 'nonsense', key: authority.key })],
    ['is a leaf', () => server],
    ['has the key of another', () => ({ ...authority, key: createAuthority({ name: 'b', now, days: 1 }).key })],
    ['has ended', () => createAuthority({ name: 'old', now: now - 10 * day, days: 9 })],
  ])('is refused when the authority %s, and the key is not shown', (_, wrong) => {
    const error = caught(() => issue(wrong(), { name: 'x', usage: 'client', now, days: 1 }));
    expect(hasCode(error, 'CERTIFICATES_AUTHORITY_INVALID')).toBe(true);
    expect(String(error)).not.toContain('PRIVATE KEY');
  });
});

describe('in a TLS handshake', () => {
  const authority = createAuthority({ name: 'kilter test', now: Date.now(), days: 1 });
  const leaf = (usage: 'server' | 'client', by = authority): Leaf =>
    issue(by, { name: 'alice', organizations: ['dev'], dnsNames: ['localhost'], usage, now: Date.now(), days: 1 });
  let close = (): void => undefined;
  afterEach(() => close());

  /** Serves one request that demands a client certificate, and answers with the client's subject. */
  async function serve(): Promise<number> {
    const { certificate, key } = leaf('server');
    const options = { cert: certificate, key, ca: authority.certificate, requestCert: true };
    const server = createServer(options, (incoming, answer) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      answer.end(JSON.stringify(subject));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    close = () => void server.close();
    return (server.address() as AddressInfo).port;
  }

  async function ask(port: number, tls: { ca: string; cert: string; key: string }): Promise<string> {
    const outgoing = request({ host: '127.0.0.1', port, servername: 'localhost', agent: false, ...tls }).end();
    const [answer] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer>];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  test('both sides accept what the authority issued', async () => {
    const { certificate, key } = leaf('client');
    const port = await serve();
    const subject = await ask(port, { ca: authority.certificate, cert: certificate, key });
    expect(JSON.parse(subject)).toEqual({ O: 'dev', CN: 'alice' });
  });

  test.each<[string, () => { ca: string; cert: string; key: string }]>([
    [
      'a client that trusts another authority',
      () => {
        const { certificate, key } = leaf('client');
        const other = createAuthority({ name: 'kilter test', now: Date.now(), days: 1 });
        return { ca: other.certificate, cert: certificate, key };
      },
    ],
    [
      'a client with a certificate made for servers',
      () => {
        const { certificate, key } = leaf('server');
        return { ca: authority.certificate, cert: certificate, key };
      },
    ],
    [
      'a client of another authority',
      () => {
        const { certificate, key } = leaf('client', createAuthority({ name: 'b', now: Date.now(), days: 1 }));
        return { ca: authority.certificate, cert: certificate, key };
      },
    ],
  ])('%s is refused', async (_, tls) => {
    const port = await serve();
    await expect(ask(port, tls())).rejects.toThrow(/certificate|socket|ECONNRESET|alert/i);
  });
});
