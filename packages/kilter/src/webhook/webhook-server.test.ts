import type { ClientRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { once } from 'node:events';
import { type AddressInfo, connect as tcp, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { systemClock as clock, virtualClock } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { validating } from './declaration.ts';
import { dialOwn } from './own-dial.ts';
import { App, review, served, validatePath } from './webhook.test-support.ts';
import { resolveServing } from './serving.ts';
import { defaultLimits, WebhookServer, type WebhookLimits } from './webhook-server.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const authority = createAuthority({ name: 'test', now, days: 36_500 });
const leaf = () =>
  issue(authority, {
    name: 'x',
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1'],
    usage: 'server',
    now,
    days: 36_500,
  });

async function open(limits: Partial<WebhookLimits> = {}, run: () => void | Promise<void> = () => undefined) {
  const { handler } = served([validating(App, run)], { kinds: [] });
  const server = await WebhookServer.open({
    handler,
    host: '127.0.0.1',
    port: 0,
    certificate: leaf(),
    logger: silentLogger,
    limits,
  });
  onTestFinished(() => server.destroy());
  return server;
}

interface Heard {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

function post(
  port: number,
  body: string | Buffer,
  options: object = {},
): { sent: ClientRequest; heard: Promise<Heard> } {
  const headers = { 'content-type': 'application/json' };
  const sent = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `${validatePath}?timeout=10s`,
    ca: authority.certificate,
    headers,
    ...options,
  });
  const heard = new Promise<Heard>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const { statusCode: status, headers: told } = response;
      response.on('end', () => resolve({ status, body: text, connection: told.connection }));
      response.on('error', reject);
    });
  });
  if (body !== '') sent.end(body);
  return { sent, heard };
}

const ask = async (port: number) => (await post(port, JSON.stringify(review())).heard).status;

describe('the server of webhooks', () => {
  test('WH-9 answers over TLS, and offers HTTP/1.1 alone', async () => {
    const { port } = await open();
    const { status, body } = await post(port, JSON.stringify(review())).heard;
    expect([status, JSON.parse(body)]).toMatchObject([200, { response: { uid: 'u1', allowed: true } }]);
    const socket = connect({ host: '127.0.0.1', port, ca: authority.certificate, ALPNProtocols: ['h2', 'http/1.1'] });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  test('WH-9 on port 9443, 32 s for headers, 90 s for a quiet connection, unless told otherwise', () => {
    expect(resolveServing('shop').address).toBe(':9443');
    expect(defaultLimits).toMatchObject({ headers: 32_000, idle: 90_000 });
  });

  test('WH-9 a quiet connection is closed after its time', async () => {
    const { port } = await open({ idle: 50 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const { sent, heard } = post(port, JSON.stringify(review()), { agent });
    const ended = new Promise((resolve) =>
      sent.once('socket', (socket) => socket.once('close', () => resolve('closed'))),
    );
    expect((await heard).status).toBe(200);
    expect(await ended).toBe('closed');
  });

  test.each([
    [900_000, [200]],
    // Who still sends when the answer comes may not get to read it.
    [1_100_000, [431, 'ECONNRESET', 'EPIPE']],
  ])('WH-9 headers of %i bytes: %j', async (size, answers) => {
    const { port } = await open();
    const headers = { 'content-type': 'application/json', 'x-long': 'x'.repeat(size) };
    const { heard } = post(port, JSON.stringify(review()), { headers });
    const answer = heard.then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(answers).toContain(await answer);
    expect(await ask(port)).toBe(200);
  });

  test.each([
    ['PUT', validatePath, 405],
    ['POST', '/elsewhere', 404],
    ['POST', '/%', 404],
  ])('%s %s is %i', async (method, path, status) => {
    const { port } = await open();
    expect((await post(port, 'x', { method, path }).heard).status).toBe(status);
  });

  test('C-08 WH-2 a body of 8 MiB is refused with 413 in the result, and the server goes on', async () => {
    const { port } = await open();
    const { status, body } = await post(port, Buffer.alloc(8 * 1024 * 1024, 'x')).heard;
    expect([status, JSON.parse(body)]).toMatchObject([200, { response: { allowed: false, status: { code: 413 } } }]);
    expect(await ask(port)).toBe(200);
  });

  test('C-08 a body without end is not read without end', async () => {
    const { port } = await open({ admissionBytes: 1000 });
    const { sent, heard } = post(port, '');
    heard.catch(() => undefined);
    const ended = new Promise((resolve) => sent.on('close', resolve));
    const pour = (): void => {
      while (!sent.destroyed && sent.write(Buffer.alloc(500, 'x')));
    };
    sent.on('drain', pour);
    sent.on('error', () => undefined);
    pour();
    await ended;
    expect(await ask(port)).toBe(200);
  });

  test('C-08 more than may be held of all bodies is put off with 503', async () => {
    const { port } = await open({ totalBytes: 2000 });
    const waiting = post(port, '');
    waiting.heard.catch(() => undefined);
    waiting.sent.write(Buffer.alloc(1900, ' '));
    await expect.poll(async () => (await post(port, JSON.stringify(review())).heard).status).toBe(503);
    waiting.sent.end(JSON.stringify({}));
    await expect.poll(() => ask(port)).toBe(200);
  });

  test.each([
    ['says nothing', { handshake: 200 }, ''],
    ['sends its headers for ever', { headers: 300 }, 'POST / HTTP/1.1\r\nA: b\r\n'],
    [
      'sends its body for ever',
      { headers: 200, request: 300 },
      `POST ${validatePath} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{`,
    ],
  ])('C-08 WH-9 a client that %s is sent away', async (_, limits, text) => {
    const { port } = await open(limits);
    const socket =
      text === '' ? tcp(port, '127.0.0.1') : connect({ host: '127.0.0.1', port, ca: authority.certificate });
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.on('close', () => resolve('closed')));
    if (text !== '') socket.write(text);
    socket.resume();
    expect(await ended).toBe('closed');
    expect(await ask(port)).toBe(200);
  });

  test('C-08 a client that never reads its answer is sent away: the answer is not kept for ever', async () => {
    const bodies = ['x'.repeat(32 * 1024 * 1024)];
    const answer = () =>
      Promise.resolve({ status: 200, contentType: 'application/json', body: bodies.shift() ?? '{}' });
    const server = await WebhookServer.open({
      handler: { paths: [validatePath], answer },
      host: '127.0.0.1',
      port: 0,
      certificate: leaf(),
      logger: silentLogger,
      limits: { headers: 200, request: 300, connections: 1 },
    });
    onTestFinished(() => server.destroy());
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: authority.certificate });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    socket.write(`POST ${validatePath} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`);
    await once(socket, 'readable');
    // It takes the only connection there is, until it is let go.
    await expect.poll(() => ask(server.port).catch(() => 0), { timeout: 10_000 }).toBe(200);
  });

  test('C-08 of a thousand connections the oldest quiet ones make room, and the API server is served', async () => {
    const { port } = await open({ connections: 50, handshake: 600_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    let closed = 0;
    const dial = (): Promise<void> => {
      const socket = tcp(port, '127.0.0.1');
      socket.on('error', () => undefined).on('close', () => (closed += 1));
      socket.resume();
      return new Promise((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
    };
    for (let i = 0; i < 20; i += 1) {
      await Promise.all(Array.from({ length: 50 }, dial));
      if (i % 5 === 0) expect((await post(port, JSON.stringify(review()), { agent }).heard).status).toBe(200);
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(950);
    expect(await ask(port)).toBe(200);
  });

  test('C-06 a new certificate is for new handshakes; open connections go on', async () => {
    const server = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authority.certificate });
    onTestFinished(() => agent.destroy());
    expect((await post(server.port, JSON.stringify(review()), { agent }).heard).status).toBe(200);
    const other = createAuthority({ name: 'other', now, days: 36_500 });
    const options = { name: 'y', ipAddresses: ['127.0.0.1'], usage: 'server', now, days: 36_500 } as const;
    server.use(issue(other, options));
    expect((await post(server.port, JSON.stringify(review()), { agent }).heard).status).toBe(200);
    await expect(post(server.port, JSON.stringify(review())).heard).rejects.toThrow(/certificate|signature/);
    expect((await post(server.port, JSON.stringify(review()), { ca: other.certificate }).heard).status).toBe(200);
  });

  test('a stop lets what runs end', async () => {
    const gate = Promise.withResolvers<void>();
    const server = await open({}, () => gate.promise);
    const { heard } = post(server.port, JSON.stringify(review()));
    const idle = tcp(server.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    await expect.poll(async () => dialOwn({ host: '127.0.0.1', port: server.port, clock })).toBeUndefined();
    const closed = server.close();
    gate.resolve();
    expect((await heard).status).toBe(200);
    await closed;
  });

  test('HZ-2 its own dial tells whether it serves', async () => {
    const server = await open();
    const { port } = server;
    expect(await dialOwn({ host: '127.0.0.1', port, clock })).toBeUndefined();
    await server.close();
    expect(await dialOwn({ host: '127.0.0.1', port, clock })).toContain(`webhooks are not served on port ${port}`);
  });

  test('HZ-2 its own dial is a whole handshake: a port that is open is not enough', async () => {
    const { handler } = served([]);
    const server = await WebhookServer.open({ handler, host: '127.0.0.1', port: 0, logger: silentLogger });
    onTestFinished(() => server.destroy());
    const problem = await dialOwn({ host: '127.0.0.1', port: server.port, clock });
    expect(problem).toContain(`webhooks are not served on port ${server.port}`);
  });

  test('HZ-2 its own dial waits 10 s for a server that is silent, and leaves no connection', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const accepted = once(silent, 'connection') as Promise<[Socket]>;
    const own = virtualClock();
    let problem: string | undefined = 'none yet';
    const dialled = dialOwn({ host: '127.0.0.1', port, clock: own }).then((found) => (problem = found));
    const [socket] = await accepted;
    const ended = once(socket, 'close');
    socket.on('error', () => undefined).resume();
    await own.advance(9_999);
    expect(problem).toBe('none yet');
    await own.advance(1);
    await dialled;
    expect(problem).toBe(`webhooks do not answer on port ${port}`);
    await ended;
  });

  test('an answer after which the connection ends says so: nobody sends the next request into it', async () => {
    const gate = Promise.withResolvers<void>();
    const server = await open({}, () => gate.promise);
    const last = post(server.port, JSON.stringify(review()));
    await expect.poll(async () => dialOwn({ host: '127.0.0.1', port: server.port, clock })).toBeUndefined();
    const unread = await post(server.port, 'x', { path: '/elsewhere' }).heard;
    expect([unread.status, unread.connection]).toEqual([404, 'close']);
    const closed = server.close();
    gate.resolve();
    const answer = await last.heard;
    expect([answer.status, answer.connection]).toEqual([200, 'close']);
    await closed;
  });

  test('an answer like any other leaves the connection open', async () => {
    const { port } = await open();
    const agent = new Agent({ keepAlive: true, ca: authority.certificate });
    onTestFinished(() => agent.destroy());
    expect((await post(port, JSON.stringify(review()), { agent }).heard).connection).toBe('keep-alive');
  });

  test('a port that is taken is a coded error', async () => {
    const { port } = await open();
    const { handler } = served([]);
    const opening = WebhookServer.open({ handler, host: '127.0.0.1', port, logger: silentLogger });
    await expect(opening).rejects.toMatchObject({ code: 'WEBHOOK_PORT_IN_USE' });
  });
});
