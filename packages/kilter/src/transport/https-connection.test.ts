import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import type { ConnectionConfig } from '../config/index.ts';
import { hasCode, KilterError } from '../errors/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import type { Connection, ExchangeRequest, Transport } from './index.ts';
import { httpsConnection, transport } from './index.ts';

const now = Date.now();
const authority = createAuthority({ name: 'loopback', now, days: 1 });
const pki = {
  ca: authority.certificate,
  otherCa: createAuthority({ name: 'loopback', now, days: 1 }).certificate,
  server: issue(authority, { name: 'server', dnsNames: ['localhost'], usage: 'server', now, days: 1 }),
  client: issue(authority, { name: 'alice', organizations: ['dev'], usage: 'client', now, days: 1 }),
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The port of a server that lives until the test ends. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

const serveTls = (handle: RequestListener): Promise<number> =>
  listen(
    createServer(
      { cert: pki.server.certificate, key: pki.server.key, ca: pki.ca, requestCert: true, rejectUnauthorized: false },
      handle,
    ),
  );
const serveHttp = (handle: RequestListener): Promise<number> => listen(createHttpServer(handle));

function open(
  config: Partial<ConnectionConfig> & { server: string },
  options: Parameters<typeof httpsConnection>[1] = {},
): Connection {
  const connection = httpsConnection({ namespace: 'default', ...config }, options);
  closers.push(() => connection.close());
  return connection;
}

const over = (connection: Connection): Transport =>
  transport(connection, { runtime: systemRuntime, logger: silentLogger, userAgent: 'test/1' });

const read = { method: 'GET', path: '/api' } as const;
const write = { method: 'POST', path: '/api', body: '{"a":1}' } as const;
const exchanged = (some: Partial<ExchangeRequest>): ExchangeRequest => ({
  method: 'GET',
  path: '/',
  headers: {},
  session: 'default',
  signal: new AbortController().signal,
  ...some,
});

async function failure(work: Promise<unknown>): Promise<KilterError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KilterError)) throw new Error(`no coded error: ${String(error)}`);
  return error;
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  return size;
}

/** Answers with what was asked. */
async function echo(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = await textOf(incoming);
  const { subject } = (incoming.socket as TLSSocket).getPeerCertificate?.() ?? {};
  const { method, url, headers } = incoming;
  answer.setHeader('content-type', 'application/json');
  answer.end(
    JSON.stringify({ method, url, authorization: headers.authorization, agent: headers['user-agent'], body, subject }),
  );
}
const echoing: RequestListener = (incoming, answer) => void echo(incoming, answer);

describe('over TLS', () => {
  test('authority, token, client certificate and the path of the server are used', async () => {
    const port = await serveTls(echoing);
    const connection = open({
      server: `https://localhost:${port}/k8s/clusters/c-1/`,
      ca: pki.ca,
      token: 'abc',
      clientCertificate: pki.client.certificate,
      clientKey: pki.client.key,
    });
    const { text } = await over(connection).send({ ...write, query: new URLSearchParams({ dryRun: 'All' }) });
    expect(JSON.parse(text)).toEqual({
      method: 'POST',
      url: '/k8s/clusters/c-1/api?dryRun=All',
      authorization: 'Bearer abc',
      agent: 'test/1',
      body: '{"a":1}',
      subject: { O: 'dev', CN: 'alice' },
    });
    expect(connection.host).toBe(`localhost:${port}`);
  });

  test.each<[string, (port: number) => Partial<ConnectionConfig> & { server: string }, string]>([
    [
      'an authority it does not trust',
      (port) => ({ server: `https://localhost:${port}`, ca: pki.otherCa }),
      'certificate',
    ],
    [
      'a name that is not on the certificate',
      (port) => ({ server: `https://127.0.0.1:${port}`, ca: pki.ca }),
      'tls-server-name',
    ],
  ])('%s is refused with a cure', async (_, config, says) => {
    const port = await serveTls(echoing);
    const error = await failure(over(open(config(port))).send(write));
    expect(error.code).toBe('TRANSPORT_TLS');
    expect(error.message).toContain(says);
  });

  test('a server name given is the one checked', async () => {
    const port = await serveTls(echoing);
    const connection = open({ server: `https://127.0.0.1:${port}`, ca: pki.ca, tlsServerName: 'localhost' });
    expect((await over(connection).send(read)).status).toBe(200);
  });

  test('insecure accepts any certificate', async () => {
    const port = await serveTls(echoing);
    expect((await over(open({ server: `https://127.0.0.1:${port}`, insecure: true })).send(read)).status).toBe(200);
  });

  test('a server that does not speak TLS is named as such', async () => {
    const port = await serveHttp(echoing);
    const error = await failure(over(open({ server: `https://127.0.0.1:${port}`, insecure: true })).send(read));
    expect(error.code).toBe('TRANSPORT_TLS');
    expect(error.cure).toContain('does not speak TLS');
  });

  test('an invalid key is refused when the connection is made, unseen', async () => {
    const config = {
      server: 'https://h',
      namespace: 'default',
      clientCertificate: pki.client.certificate,
      clientKey: 'canary',
    };
    const error = await failure(Promise.resolve().then(() => httpsConnection(config)));
    expect(error.code).toBe('TRANSPORT_TLS');
    expect(error.message).not.toContain('canary');
  });
});

describe('sockets', () => {
  test('a refused connection was never sent: the error says so, with host and cure', async () => {
    const server = createSocketServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    const error = await failure(over(open({ server: `http://127.0.0.1:${port}` })).send(write));
    expect(error.code).toBe('TRANSPORT_UNREACHABLE');
    expect(error.message).toContain(`127.0.0.1:${port} cannot be reached: ECONNREFUSED`);
    closers.length = 1;
  });

  test('a connection that breaks after a write was sent leaves its outcome unknown', async () => {
    const port = await serveHttp((incoming) => void incoming.socket.destroy());
    const error = await failure(over(open({ server: `http://127.0.0.1:${port}` })).send(write));
    expect(error.code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
  });

  test('an answer that breaks off is not an answer', async () => {
    const port = await serveHttp((incoming, answer) => {
      answer.writeHead(200, { 'content-length': '100' });
      answer.write('{"a"', () => void incoming.socket.destroy());
    });
    const connection = open({ server: `http://127.0.0.1:${port}` });
    const { body } = await connection.exchange(exchanged({}));
    const error = await failure(readAll(body));
    expect(error.code).toBe('TRANSPORT_CONNECTION_LOST');
  });

  test('G-1: each session has sockets of its own, kept alive and bounded', async () => {
    const ports: (number | undefined)[] = [];
    const port = await serveHttp((incoming, answer) => {
      ports.push(incoming.socket.remotePort);
      answer.end('{}');
    });
    const api = over(open({ server: `http://127.0.0.1:${port}` }, { sockets: { default: 2 } }));
    await Promise.all(Array.from({ length: 8 }, () => api.send(read)));
    expect(new Set(ports).size).toBe(2);
    await api.send({ ...read, session: 'lease' });
    await api.send({ ...read, session: 'lease' });
    expect(new Set(ports).size).toBe(3);
  });

  test('TR-12: aborting closes the socket of a stream, and leaving it early does', async () => {
    let closed = 0;
    const port = await serveHttp((incoming, answer) => {
      incoming.socket.once('close', () => {
        closed += 1;
      });
      answer.write('{"a":1}\n');
    });
    const api = over(open({ server: `http://127.0.0.1:${port}` }));
    const controller = new AbortController();
    const aborted = (await api.stream({ ...read, session: 'watch', signal: controller.signal }))[
      Symbol.asyncIterator
    ]();
    expect((await aborted.next()).value).toBe('{"a":1}');
    const waiting = aborted.next();
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    for await (const line of await api.stream({ ...read, session: 'watch' })) {
      expect(line).toBe('{"a":1}');
      break;
    }
    await expect.poll(() => closed).toBe(2);
  });

  test('more watches than there are sockets for are refused at once, and one that ended makes room', async () => {
    const port = await serveHttp((incoming, answer) => {
      answer.write('{"a":1}\n');
      if (incoming.url === '/plain') answer.end();
    });
    const api = over(open({ server: `http://127.0.0.1:${port}` }, { sockets: { watch: 1 } }));
    const watch = { ...read, session: 'watch' } as const;
    const first = (await api.stream(watch))[Symbol.asyncIterator]();
    expect((await failure(api.stream(watch))).code).toBe('TRANSPORT_TOO_MANY_WATCHES');
    expect((await api.send({ ...read, path: '/plain' })).status).toBe(200);
    await first.return?.();
    await expect
      .poll(() =>
        api.stream(watch).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
  });

  test('closing ends what is open and refuses what comes', async () => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await serveHttp(() => arrived());
    const connection = open({ server: `http://127.0.0.1:${port}` });
    const api = over(connection);
    const pending = failure(api.send(write));
    await arrival;
    await connection.close();
    expect((await pending).code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
    expect((await failure(api.send(read))).code).toBe('TRANSPORT_CLOSED');
  });

  test('TR-9: a 401 makes a token file be read again', async () => {
    let token = 'old';
    const port = await serveHttp((incoming, answer) => {
      answer.statusCode = incoming.headers.authorization === 'Bearer new' ? 200 : 401;
      token = 'new';
      answer.end('{}');
    });
    const connection = open(
      { server: `http://127.0.0.1:${port}`, tokenFile: '/t' },
      { readFile: () => Promise.resolve(token) },
    );
    expect((await over(connection).send(read)).status).toBe(200);
  });

  test('a token file that is gone is a coded error before anything is sent', async () => {
    const readFile = (): Promise<string> => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }));
    const error = await failure(
      over(open({ server: 'http://127.0.0.1:9', tokenFile: '/t' }, { readFile })).send(write),
    );
    expect(hasCode(error, 'CONFIG_UNREADABLE')).toBe(true);
  });
});
