import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import type { ConnectionConfig } from '../config/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { failure, makePki, socketWorlds, type WorldOptions } from './socket-world.test-support.ts';

const pki = makePki({ createAuthority, issue });
const socketWorld = socketWorlds(pki);

const read = { method: 'GET', path: '/api' } as const;
const write = { method: 'POST', path: '/api', body: '{"a":1}' } as const;
const watch = { method: 'GET', path: '/watch', session: 'watch' } as const;

describe('a certificate', () => {
  test.each<[string, WorldOptions, string]>([
    ['of an authority that is not trusted', { config: { ca: pki.otherCa } }, 'certificate-authority'],
    [
      'that has ended',
      { cert: pki.expired.certificate, key: pki.expired.key, config: { ca: pki.expired.authority } },
      'renew it',
    ],
    ['for another name', { config: { tlsServerName: 'other.example' } }, 'tls-server-name'],
    ['we do not have and the server asks for', { ca: pki.ca }, 'client-certificate'],
  ])('%s is an error with a cure, and nothing was sent', async (_, options, cure) => {
    for (const protocols of [undefined, 'http/1.1'] as const) {
      await using world = await socketWorld({ ...options, protocols });
      const error = await failure(world.api.send(write));
      expect([error.code, error.cure]).toEqual(['TRANSPORT_TLS', expect.stringContaining(cure)]);
      expect((await world.server.stats()).requests).toHaveLength(0);
    }
  });

  test('TR-15: without an authority in the configuration, those of the system count', async () => {
    await using world = await socketWorld();
    const folder = await mkdtemp(join(tmpdir(), 'kilter-authorities-'));
    const file = join(folder, 'ca.crt');
    await writeFile(file, pki.ca);
    const script = fileURLToPath(new URL('./one-request.test-support.ts', import.meta.url));
    const env = { ...process.env, SSL_CERT_FILE: file };
    const { stdout } = await promisify(execFile)(process.execPath, [script, String(world.server.port)], { env });
    await rm(folder, { recursive: true });
    expect(stdout).toBe('200');
  });

  test.each([undefined, 'http/1.1'] as const)(
    'B-24: a new authority is used without a restart; watches move, old connections drain: %s',
    async (protocols) => {
      let skew = 0;
      let ca: string = pki.ca;
      const clock = { ...systemRuntime.clock, monotonic: () => systemRuntime.clock.monotonic() + skew };
      await using world = await socketWorld({
        protocols,
        config: { ca: undefined, caFile: '/ca' },
        connection: {
          runtime: { ...systemRuntime, clock },
          readFile: () => Promise.resolve(ca),
          drain: 300,
          materialCheck: 50,
        },
      });
      const stream = (await world.api.stream(watch))[Symbol.asyncIterator]();
      await world.api.send(read);
      const next = stream.next();

      ca = `${pki.ca}${pki.otherCa}`;
      await world.server.do({ type: 'certificate', cert: pki.otherServer.certificate, key: pki.otherServer.key });
      skew += 60_000;
      expect(await next).toEqual({ done: true, value: undefined });
      await world.api.stream(watch);
      await world.api.send(read);
      const { connections, open, requests } = await world.server.stats();
      expect([connections, open]).toEqual([4, 2]);
      expect(new Set(requests.map(({ connection }) => connection)).size).toBe(4);
    },
  );
});

describe('credentials', () => {
  test('TR-9, B-23: after a 401 the token file is read again, once for many requests, and nobody fails', async () => {
    let reads = 0;
    await using world = await socketWorld({
      config: { tokenFile: '/token' },
      connection: {
        readFile: () => {
          reads += 1;
          return Promise.resolve(reads === 1 ? 'old' : 'new');
        },
      },
    });
    await world.server.do({ type: 'token', token: 'old' });
    await world.api.send(read);
    await world.server.do({ type: 'token', token: 'new' });
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.api.send(write)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(performance.now() - began).toBeLessThan(1000);
    expect(reads).toBe(2);
  });

  test.each([undefined, 'http/1.1'] as const)(
    'impersonation goes with every request, each group by itself: %s',
    async (protocols) => {
      const impersonate = { user: 'jané', groups: ['dev', 'ops'], extra: { scopes: ['a', 'b'] } };
      await using world = await socketWorld({ protocols, config: { impersonate } });
      await world.api.send(write);
      const headers = (await world.server.stats()).requests[0]?.headers;
      expect(headers).toMatchObject({ 'impersonate-group': 'dev, ops', 'impersonate-extra-scopes': 'a, b' });
      expect(Buffer.from(headers?.['impersonate-user'] ?? '', 'latin1').toString('utf8')).toBe('jané');
    },
  );
});

/** A proxy that opens tunnels for whoever knows the password. */
async function proxy(secure: boolean): Promise<{ port: number; targets: string[]; close: () => void }> {
  const targets: string[] = [];
  const server: Server = secure
    ? createHttpsServer({ cert: pki.server.certificate, key: pki.server.key })
    : createHttpServer();
  server.on('connect', (request, near, head) => {
    targets.push(request.url ?? '');
    near.on('error', () => undefined);
    if (request.headers['proxy-authorization'] !== `Basic ${Buffer.from('me:p@ss').toString('base64')}`) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n');
      return;
    }
    const far = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('a proxy', () => {
  const config = (port: number, scheme: string, login: string): Partial<ConnectionConfig> => ({
    proxyUrl: `${scheme}://${login}localhost:${port}`,
  });

  test.each(['http', 'https'])('%s: carries HTTP/2 through a tunnel, with its password', async (scheme) => {
    const { port, targets, close } = await proxy(scheme === 'https');
    await using world = await socketWorld({ config: config(port, scheme, 'me:p%40ss@') });
    for (let n = 0; n < 5; n += 1)
      expect(JSON.parse((await world.api.send(write)).text)).toMatchObject({ protocol: 'h2' });
    expect(targets).toEqual([`localhost:${world.server.port}`]);
    close();
  });

  test.each(['http', 'https'])('ME-11: %s: is what is looked up, and its time is told', async (scheme) => {
    const { port, close } = await proxy(scheme === 'https');
    const far = { ...config(port, scheme, 'me:p%40ss@'), server: 'https://far.invalid:1' };
    await using world = await socketWorld({ config: far, transport: { requestMetrics: true } });
    await failure(world.api.send({ ...write, deadline: 900 }));
    const told = world.metrics.text().match(/^rest_client_dns_resolution_duration_seconds_count\S*/gm);
    expect(told).toEqual(['rest_client_dns_resolution_duration_seconds_count{host="localhost"}']);
    close();
  });

  test('that wants a password names the cure and shows none', async () => {
    const { port, close } = await proxy(false);
    await using world = await socketWorld({ config: config(port, 'http', 'me:canary@') });
    const error = await failure(world.api.send(write));
    expect([error.code, error.cure]).toEqual(['TRANSPORT_PROXY', expect.stringContaining('proxy-url')]);
    expect(error.message).toContain('407');
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('canary');
    close();
  });

  test('that is not there is named as such', async () => {
    const { port, close } = await proxy(false);
    close();
    await using world = await socketWorld({ config: config(port, 'http', '') });
    const error = await failure(world.api.send(write));
    expect([error.code, error.message]).toEqual(['TRANSPORT_PROXY', expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('compression', () => {
  const list = (query: string): { method: 'GET'; path: string; query: URLSearchParams } => ({
    method: 'GET',
    path: '/list',
    query: new URLSearchParams(query),
  });

  test('answers read as a whole may be compressed; writes and watches are not asked to be', async () => {
    await using world = await socketWorld();
    const { text, headers } = await world.api.send(list('size=500000'));
    expect((JSON.parse(text) as { padding: string }).padding).toHaveLength(500_000);
    expect(headers['content-encoding']).toBeUndefined();
    await world.api.send(write);
    await world.api.stream(watch);
    const { requests } = await world.server.stats();
    expect(requests.map(({ headers: sent }) => sent['accept-encoding'])).toEqual(['gzip', undefined, undefined]);
  });

  test('can be switched off', async () => {
    await using world = await socketWorld({ config: { disableCompression: true } });
    await world.api.send(list('size=1000'));
    expect((await world.server.stats()).requests[0]?.headers['accept-encoding']).toBeUndefined();
  });

  test('a small answer that unfolds beyond the limit is given up on the way', async () => {
    await using world = await socketWorld({ transport: { bodyLimit: 100_000 } });
    const error = await failure(world.api.send(list('size=5000000')));
    expect(error.code).toBe('TRANSPORT_BODY_TOO_LARGE');
  });

  test.each([
    [list('size=500000&cut=100'), 'TRANSPORT_CONNECTION_LOST'],
    [{ method: 'GET', path: '/encoded', query: new URLSearchParams('as=gzip') } as const, 'TRANSPORT_BODY_MALFORMED'],
    [{ method: 'GET', path: '/encoded', query: new URLSearchParams('as=br') } as const, 'TRANSPORT_BODY_MALFORMED'],
  ])('what cannot be unfolded is a coded error: %j', async (request, code) => {
    await using world = await socketWorld();
    expect((await failure(world.api.send({ ...request, deadline: 900 }))).code).toBe(code);
  });

  test("a proxy's page is not an answer of the API server, however long it is", async () => {
    await using world = await socketWorld();
    const error = await failure(world.api.send({ ...read, path: '/html', query: new URLSearchParams('size=5000000') }));
    expect(error.code).toBe('CLIENT_UNEXPECTED_ANSWER');
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('the program', () => {
  test('ends with its last request: an idle connection does not hold it', async () => {
    for (const protocols of [undefined, 'http/1.1'] as const) {
      await using world = await socketWorld({ protocols });
      const script = fileURLToPath(new URL('./one-request.test-support.ts', import.meta.url));
      const { stdout } = await promisify(execFile)(process.execPath, [script, String(world.server.port), pki.ca], {
        timeout: 10_000,
      });
      expect(stdout).toBe('200');
    }
  });
});
