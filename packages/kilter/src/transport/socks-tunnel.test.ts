import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { openSocksTunnel } from './socks-tunnel.ts';
import { failure, makePki, socketWorlds } from './socket-world.test-support.ts';

const pki = makePki({ createAuthority, issue });
const socketWorld = socketWorlds(pki);
const write = { method: 'POST', path: '/api', body: '{"a":1}' } as const;

interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Everything clients have sent, before their tunnel was open. */
  readonly heard: Buffer[];
  /** Sockets that are open. */
  readonly open: Set<Socket>;
}

/** A proxy that answers what clients say in turn; 'tunnel' opens one to the port asked for. */
async function proxy(script: readonly (Buffer | 'tunnel' | 'silence' | 'end')[]): Promise<Proxy> {
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    open.add(near);
    near.on('error', () => undefined).on('close', () => open.delete(near));
    const left = [...script];
    const answer = (said: Buffer): void => {
      heard.push(said);
      const next = left.shift();
      if (next === 'end') near.end();
      else if (next === 'tunnel') {
        near.removeListener('data', answer);
        const far = connect(said.readUInt16BE(said.length - 2), '127.0.0.1');
        far.on('error', () => near.destroy());
        near.write(Buffer.of(5, 0, 0, 3, 1, 120, 0, 0));
        near.pipe(far).pipe(near);
      } else if (next !== undefined && next !== 'silence') near.write(next);
    };
    near.on('data', answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const hello = Buffer.of(5, 0);
const askLogin = Buffer.of(5, 2);

describe('a SOCKS5 proxy', () => {
  test.each([undefined, 'http/1.1'] as const)('TR-16: carries requests and watches: %s', async (protocols) => {
    await using near = await proxy([hello, 'tunnel']);
    const config = { proxyUrl: `socks5://localhost:${near.port}` };
    await using world = await socketWorld({ protocols, config });
    for (let n = 0; n < 3; n += 1) await world.api.send(write);
    await world.api.stream({ method: 'GET', path: '/watch', session: 'watch' });
    const answer = JSON.parse((await world.api.send(write)).text) as { protocol: string };
    expect(answer.protocol).toBe(protocols ?? 'h2');
    const port = world.server.port;
    const asked = Buffer.concat([Buffer.of(5, 1, 0, 3, 9), Buffer.from('localhost'), Buffer.of(port >> 8, port & 255)]);
    expect(near.heard.slice(0, 2)).toEqual([Buffer.of(5, 1, 0), asked]);
    expect(near.heard).toHaveLength(4);
  });

  test('ME-11: is what is looked up, and its time is reported', async () => {
    await using near = await proxy([hello, 'tunnel']);
    const config = { proxyUrl: `socks5://localhost:${near.port}`, server: 'https://far.invalid:1' };
    await using world = await socketWorld({ config, transport: { requestMetrics: true } });
    await failure(world.api.send({ ...write, deadline: 900 }));
    const told = world.metrics.text().match(/^rest_client_dns_resolution_duration_seconds_count\S*/gm);
    expect(told).toEqual(['rest_client_dns_resolution_duration_seconds_count{host="localhost"}']);
  });

  test('TR-16: is told who asks, where it wants to know', async () => {
    await using near = await proxy([askLogin, Buffer.of(1, 0), 'tunnel']);
    await using world = await socketWorld({ config: { proxyUrl: `socks5h://me:p%40ss@localhost:${near.port}` } });
    await world.api.send(write);
    const login = Buffer.concat([Buffer.of(1, 2), Buffer.from('me'), Buffer.of(4), Buffer.from('p@ss')]);
    expect(near.heard.slice(0, 2)).toEqual([Buffer.of(5, 2, 0, 2), login]);
  });

  test.each<[string, readonly (Buffer | 'silence' | 'end')[], string, string]>([
    ['wants a password that is not there', [askLogin], '', 'socks5://user:password@host:port'],
    ['offers no way to log in that is known here', [Buffer.of(5, 255)], 'me:canary@', 'user and a password'],
    ['does not accept the password', [askLogin, Buffer.of(1, 1)], 'me:canary@', 'user and a password'],
    ['does not speak SOCKS5', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')], '', 'scheme and port'],
    ['does not allow it', [hello, Buffer.of(5, 2, 0, 1, 0, 0, 0, 0, 0, 0)], '', 'rules of the proxy'],
    ['cannot reach the host', [hello, Buffer.of(5, 4, 0, 1, 0, 0, 0, 0, 0, 0)], '', 'host name'],
    ['fails in a way nobody knows', [hello, Buffer.of(5, 99, 0, 1, 0, 0, 0, 0, 0, 0)], '', 'proxy-url'],
    ['ends before it has answered', [hello, 'end'], '', 'proxy-url'],
    ['ends at once', ['end'], '', 'proxy-url'],
  ])('TR-16: that %s is an error with a cure, and shows no password', async (_, script, login, cure) => {
    await using near = await proxy(script);
    await using world = await socketWorld({ config: { proxyUrl: `socks5://${login}localhost:${near.port}` } });
    const error = await failure(world.api.send({ ...write, deadline: 900 }));
    expect([error.code, error.cure]).toEqual(['TRANSPORT_PROXY', expect.stringContaining(cure)]);
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('canary');
    expect((await world.server.stats()).requests).toHaveLength(0);
  });

  test('TR-16: that is not there is named as such', async () => {
    const near = await proxy([]);
    await near[Symbol.asyncDispose]();
    await using world = await socketWorld({ config: { proxyUrl: `socks5://localhost:${near.port}` } });
    const error = await failure(world.api.send({ ...write, deadline: 900 }));
    expect([error.code, error.message]).toEqual(['TRANSPORT_PROXY', expect.stringContaining('ECONNREFUSED')]);
  });

  test.each<[string, readonly (Buffer | 'silence')[]]>([
    ['at once', ['silence']],
    ['after its greeting', [hello, 'silence']],
    ['in the middle of an answer', [hello, Buffer.of(5, 0, 0)]],
  ])('TR-16: that falls silent %s is given up in time, and its socket closed', async (_, script) => {
    await using near = await proxy(script);
    const config = { proxyUrl: `socks5://localhost:${near.port}` };
    await using world = await socketWorld({ config, connection: { connectTimeout: 200 } });
    const error = await failure(world.api.send({ ...write, deadline: 900 }));
    expect(error.code).toMatch(/^TRANSPORT_(PROXY|UNREACHABLE|DEADLINE)$/);
    expect(error.message).toContain(`the proxy localhost:${near.port}`);
    await expect.poll(() => near.open.size).toBe(0);
  });

  test('TR-16: an abort ends the attempt at once, with its reason', async () => {
    await using near = await proxy([hello, 'silence']);
    const controller = new AbortController();
    const url = new URL(`socks5://127.0.0.1:${near.port}`);
    const options = { proxy: url, target: '[::1]:443', ca: undefined, insecure: false, signal: controller.signal };
    const tunnel = openSocksTunnel(options);
    await expect.poll(() => near.heard.length).toBe(2);
    expect(near.heard[1]).toEqual(Buffer.of(5, 1, 0, 4, ...Array<number>(15).fill(0), 1, 1, 187));
    const reason = new Error('stop');
    controller.abort(reason);
    await expect(tunnel).rejects.toBe(reason);
    await expect(openSocksTunnel(options)).rejects.toBe(reason);
    await expect.poll(() => near.open.size).toBe(0);
  });
});
