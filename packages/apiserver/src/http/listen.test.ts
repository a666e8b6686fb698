import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { createAuthority, issue } from 'kilter/certificates';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ServerUnderTest } from '../server-under-test.test-support.ts';
import { listen, type Listener, type ListenOptions, type Protocol } from './listen.ts';
import { ConnectionLost, type ServerRequest, type ServerResponse, textResponse } from './message.ts';

const now = Date.now();
const authority = createAuthority({ name: 'test', now, days: 1 });
const leaf = issue(authority, { name: 'localhost', ipAddresses: ['127.0.0.1'], now, days: 1, usage: 'server' });
const tls = { cert: leaf.certificate, key: leaf.key };

type Handle = (request: ServerRequest) => Promise<ServerResponse>;

async function serving(handle: Handle, options: ListenOptions = tls): Promise<Listener> {
  const listener = await listen(handle, options);
  onTestFinished(() => listener.close());
  return listener;
}

function session({ url }: Listener, options: SecureClientSessionOptions = {}): ClientHttp2Session {
  const opened = connect(url, { ca: authority.certificate, ...options });
  // What a test breaks on purpose is looked at through its streams.
  opened.on('error', () => undefined);
  onTestFinished(() => opened.destroy());
  return opened;
}

interface Answer {
  readonly stream: ClientHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Promise<Buffer>;
}

async function ask(on: ClientHttp2Session, path = '/', headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const stream = on.request({ ':path': path, ...headers });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const bytes = new Promise<Buffer>((resolve, reject) => {
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    stream.once('error', reject);
  });
  bytes.catch(() => undefined);
  const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  return { stream, headers: answered, bytes };
}

function overHttp1({ host, port }: Listener): Promise<{ version: string; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host, port, ca: authority.certificate, agent: false as const };
    httpsRequest(options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject).on('end', () => resolve({ version: incoming.httpVersion, text }));
    })
      .on('error', reject)
      .end();
  });
}

const say = (text: string): Promise<ServerResponse> => Promise.resolve(textResponse(text, { status: 200 }));

/** An answer whose lines are written as they are handed in. */
function streaming(): { response: ServerResponse; write(line: string): void; end(): void } {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const response = { status: 200, headers: {}, warnings: [], body: body.readable };
  const late = (): void => undefined;
  return {
    response,
    write: (line) => void writer.write(Buffer.from(line)).catch(late),
    end: () => void writer.close().catch(late),
  };
}

test('a socket that is full again and again gathers no listeners', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const chunk = Buffer.alloc(1_000_000, 'x');
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 30; i += 1) yield chunk;
  }
  const listener = await serving(() => Promise.resolve({ status: 200, headers: {}, warnings: [], body: body() }), {});
  const response = await fetch(listener.url);
  expect((await response.arrayBuffer()).byteLength).toBe(30 * chunk.byteLength);
  expect(warnings).toEqual([]);
});

describe('C-09: who never reads is let go, with what was kept for it', () => {
  const large = Buffer.alloc(50_000_000, 'x');
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield await Promise.resolve(large.subarray(0, 1_000_000));
  }
  /** A list that is complete, or a watch that continues. */
  const answers: Readonly<Record<string, () => ServerResponse>> = {
    list: () => textResponse(large, { status: 200 }),
    watch: () => ({ status: 200, headers: {}, warnings: [], body: endless() }),
  };

  const abandoned = async (answer: string, options: ListenOptions) => {
    const signals: AbortSignal[] = [];
    const listener = await serving(
      ({ signal }) => {
        signals.push(signal);
        return Promise.resolve((answers[answer] as () => ServerResponse)());
      },
      { ...options, stalledMs: 50 },
    );
    return { listener, signals };
  };

  test.each(Object.keys(answers))('a %s over HTTP/1.1', async (answer) => {
    const { listener, signals } = await abandoned(answer, {});
    const socket = connectTcp(listener.port, listener.host);
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => signals[0]?.aborted, { timeout: 30_000 }).toBe(true);
    await expect.poll(() => listener.connections.open, { timeout: 30_000 }).toBe(0);
  });

  test.each(Object.keys(answers))('a %s over HTTP/2, and the other streams of its connection go on', async (answer) => {
    const { listener, signals } = await abandoned(answer, tls);
    const opened = session(listener);
    const stream = opened.request({ ':path': '/' });
    stream.on('error', () => undefined).pause();
    await expect.poll(() => signals[0]?.aborted, { timeout: 30_000 }).toBe(true);
    const other = opened.request({ ':path': '/' });
    other.on('error', () => undefined);
    expect((await once(other, 'response'))[0]).toMatchObject({ ':status': 200 });
  });

  test('who reads slowly gets all of it', async () => {
    const listener = await serving(() => Promise.resolve((answers['list'] as () => ServerResponse)()), tls);
    const { stream, bytes } = await ask(session(listener));
    stream.on('data', () => {
      stream.pause();
      setImmediate(() => stream.resume());
    });
    expect((await bytes).byteLength).toBe(large.byteLength);
  });
});

describe('API-T1: HTTP/1.1 and HTTP/2 by ALPN', () => {
  test('the same request means the same over both', async () => {
    const seen: ServerRequest[] = [];
    const listener = await serving(async (request) => {
      seen.push(request);
      return say('hello');
    });
    const { headers, bytes } = await ask(session(listener), '/api?x=1', { 'user-agent': 'me' });
    expect([headers[':status'], String(await bytes)]).toEqual([200, 'hello']);
    expect(await overHttp1(listener)).toEqual({ version: '1.1', text: 'hello' });
    expect(seen.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/api?x=1'],
      ['GET', '/'],
    ]);
    const authorityName = `${listener.host}:${listener.port}`;
    expect(seen[0]?.headers).toEqual({ host: authorityName, 'user-agent': 'me' });
    expect(seen[1]?.headers).toMatchObject({ host: authorityName });
  });

  test.each<[readonly Protocol[] | undefined, readonly Protocol[], string | false]>([
    [undefined, ['h2', 'http/1.1'], 'h2'],
    [undefined, ['http/1.1'], 'http/1.1'],
    [undefined, [], false],
    [['http/1.1'], ['h2', 'http/1.1'], 'http/1.1'],
    [['h2'], ['http/1.1', 'h2'], 'h2'],
  ])('serving %s, a client that speaks %s gets %s', async (protocols, spoken, expected) => {
    const { host, port } = await serving(() => say('hello'), { ...tls, protocols });
    const socket = connectTls({ host, port, ca: authority.certificate, ALPNProtocols: [...spoken] });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe(expected);
  });

  test('a hundred streams are carried at a time, or as many as told', async () => {
    const limitOf = async (options: ListenOptions): Promise<number | undefined> => {
      const opened = session(await serving(() => say('x'), options));
      await once(opened, 'remoteSettings');
      return opened.remoteSettings.maxConcurrentStreams;
    };
    expect(await limitOf(tls)).toBe(100);
    expect(await limitOf({ ...tls, maxStreams: 3 })).toBe(3);
  });

  test('a hundred watches fit on one connection, each line arriving as it is written', async () => {
    const watches: ReturnType<typeof streaming>[] = [];
    const listener = await serving(() => {
      const watch = streaming();
      watches.push(watch);
      return Promise.resolve(watch.response);
    });
    const opened = session(listener);
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(opened, '/watch')));
    const last = answers.at(-1)?.stream;
    const line = once(last as ClientHttp2Stream, 'data');
    watches.at(-1)?.write('line\n');
    expect(String((await line)[0])).toBe('line\n');
    for (const watch of watches) watch.end();
    await Promise.all(answers.map(({ bytes }) => bytes));
    expect(listener.connections).toMatchObject({ open: 1, accepted: 1 });
  });

  test('a client certificate names the user, one of somebody else is reported as rejected', async () => {
    const clients = createAuthority({ name: 'clients', now, days: 1 });
    const other = createAuthority({ name: 'clients', now, days: 1 });
    const subject = { name: 'bob', organizations: ['devs'], now, days: 1, usage: 'client' as const };
    const seen: ServerRequest['certificate'][] = [];
    const listener = await serving(
      ({ certificate }) => {
        seen.push(certificate);
        return say('x');
      },
      { ...tls, clientCa: clients.certificate },
    );
    for (const by of [clients, other]) {
      const { certificate, key } = issue(by, subject);
      await (
        await ask(session(listener, { cert: certificate, key }))
      ).bytes;
    }
    await (
      await ask(session(listener))
    ).bytes;
    const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
    expect(seen).toEqual([{ commonName: 'bob', organizations: ['devs'], fingerprint }, 'rejected', undefined]);
  });
});

describe('the end of streams and connections', () => {
  test('a stream the client resets aborts its request, and no other', async () => {
    const signals: AbortSignal[] = [];
    const listener = await serving(({ signal }) => {
      signals.push(signal);
      return Promise.resolve(streaming().response);
    });
    const opened = session(listener);
    const first = await ask(opened);
    await ask(opened);
    const aborted = once(signals[0] as AbortSignal, 'abort');
    first.stream.close(constants.NGHTTP2_CANCEL);
    await aborted;
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  test('a connection that breaks aborts all its requests', async () => {
    const signals: AbortSignal[] = [];
    const listener = await serving(({ signal }) => {
      signals.push(signal);
      return Promise.resolve(streaming().response);
    });
    const opened = session(listener);
    const answers = await Promise.all([ask(opened), ask(opened)]);
    for (const { stream } of answers) stream.on('error', () => undefined);
    const all = signals.map((signal) => once(signal, 'abort'));
    opened.socket.destroy();
    await Promise.all(all);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  test('close ends idle and busy connections of both versions', async () => {
    const listener = await listen(() => Promise.resolve(streaming().response), tls);
    const opened = session(listener);
    const { stream } = await ask(opened);
    const ended = once(opened, 'close');
    stream.on('error', () => undefined);
    const older = overHttp1(listener);
    await expect.poll(() => listener.connections.open).toBe(2);
    const failed = older.catch((error: Error) => error);
    await listener.close();
    await ended;
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    expect(listener.connections.open).toBe(0);
  });

  test('a lost answer resets its stream and leaves the others of the connection alone', async () => {
    const watch = streaming();
    const listener = await serving(({ path }) => {
      if (path === '/lost') throw new ConnectionLost('as asked');
      return Promise.resolve(watch.response);
    });
    const opened = session(listener);
    const kept = await ask(opened, '/watch');
    await expect(ask(opened, '/lost')).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    watch.write('still here');
    watch.end();
    expect(String(await kept.bytes)).toBe('still here');
  });

  test('goAway lets what runs go on, and takes nothing new on that connection', async () => {
    const watch = streaming();
    const listener = await serving(() => Promise.resolve(watch.response));
    const opened = session(listener);
    const kept = await ask(opened, '/watch');
    const told = once(opened, 'goaway');
    listener.goAway();
    expect((await told)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    await expect.poll(() => opened.closed).toBe(true);
    watch.write('still here');
    watch.end();
    expect(String(await kept.bytes)).toBe('still here');
  });
});

describe('API-T5: what every answer carries', () => {
  const path = '/api/v1/namespaces/default/configmaps';

  test('an audit id, fresh or the request’s, the flow it belongs to, and no caching; refusals too', async () => {
    await using api = new ServerUnderTest();
    const ids = new Set<string | undefined>();
    for (const [request, code] of [
      [`GET ${path}`, 200],
      [`GET ${path}/none`, 404],
    ] as const) {
      const reply = await api.send(request);
      ids.add(reply.headers['audit-id']);
      expect(reply.code).toBe(code);
      expect(reply.headers).toMatchObject({
        'audit-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'cache-control': 'no-cache, private',
        'x-kubernetes-pf-flowschema-uid': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-kubernetes-pf-prioritylevel-uid': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    expect(ids.size).toBe(2);
    const own = await api.send(`GET ${path}`, undefined, { headers: { 'audit-id': 'mine' } });
    expect(own.headers['audit-id']).toBe('mine');
  });

  test('gzip above 128 KiB, for those who ask; never below, never unasked', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${path}`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'big' },
      data: { text: 'x'.repeat(128 * 1024) },
    });
    const listener = await api.server.listen(tls);
    const opened = session(listener);
    const get = (name: string, encoding?: string): Promise<Answer> =>
      ask(opened, `${path}${name}`, {
        authorization: 'Bearer admin',
        ...(encoding !== undefined && { 'accept-encoding': encoding }),
      });
    const big = await get('/big', 'deflate, gzip');
    const bytes = await big.bytes;
    expect(big.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(bytes.byteLength).toBeLessThan(10_000);
    expect(JSON.parse(String(gunzipSync(bytes)))).toMatchObject({ metadata: { name: 'big' } });
    const plain = await get('/big');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect((await plain.bytes).byteLength).toBeGreaterThan(128 * 1024);
    const small = await get('/none', 'gzip');
    expect(small.headers['content-encoding']).toBeUndefined();
  });
});
