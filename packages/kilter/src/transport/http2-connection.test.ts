import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { failure, makePki, socketWorlds } from './socket-world.test-support.ts';

const pki = makePki({ createAuthority, issue });
const socketWorld = socketWorlds(pki);

const read = { method: 'GET', path: '/api' } as const;
const write = { method: 'POST', path: '/api', body: '{"a":1}' } as const;
const watch = { method: 'GET', path: '/watch', session: 'watch' } as const;

const lines = async (opened: Promise<AsyncIterable<string>>): Promise<AsyncIterator<string>> =>
  (await opened)[Symbol.asyncIterator]();

describe('the protocol', () => {
  test('TR-1: is HTTP/2 where the server offers it; requests arrive whole', async () => {
    await using world = await socketWorld({
      ca: pki.ca,
      config: { token: 'abc', clientCertificate: pki.client.certificate, clientKey: pki.client.key },
    });
    const { text } = await world.api.send({ ...write, query: new URLSearchParams({ dryRun: 'All' }) });
    expect(JSON.parse(text)).toMatchObject({
      method: 'POST',
      path: '/api?dryRun=All',
      protocol: 'h2',
      headers: { authorization: 'Bearer abc', 'user-agent': 'test/1', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
  });

  test('answers that are read as a whole may be compressed, watches and writes may not, in whatever order', async () => {
    await using world = await socketWorld();
    for (let n = 0; n < 2; n += 1) {
      await world.api.send(read);
      await lines(world.api.stream(watch));
      await world.api.send({ method: 'DELETE', path: '/api' });
    }
    const { requests } = await world.server.stats();
    expect(requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip',
      undefined,
      undefined,
      'gzip',
      undefined,
      undefined,
    ]);
  });

  test('TR-1: is HTTP/1.1 where it does not, found out by the same handshake', async () => {
    await using world = await socketWorld({ protocols: 'http/1.1' });
    for (let n = 0; n < 20; n += 1)
      expect(JSON.parse((await world.api.send(write)).text)).toMatchObject({ protocol: 'http/1.1' });
    expect((await world.server.stats()).connections).toBe(1);
  });

  test('TR-1: a stream refused for HTTP/2 goes over HTTP/1.1, a write too', async () => {
    await using world = await socketWorld({ script: [{ reset: 13 }, 'answer'] });
    expect((await world.api.send(write)).text).toBe('{"raw":true}');
    const { requests } = await world.server.stats();
    expect(requests.map(({ protocol }) => protocol)).toEqual(['h2', 'http/1.1']);
  });
});

describe('connections', () => {
  test('1,000 requests one after the other use one', async () => {
    await using world = await socketWorld();
    for (let n = 0; n < 1000; n += 1) await world.api.send(read);
    const { connections, requests } = await world.server.stats();
    expect([connections, requests.length]).toEqual([1, 1000]);
  });

  test('TR-13: 200 watches, requests and a lease need four, at 100 streams each', async () => {
    await using world = await socketWorld({ maxConcurrentStreams: 100 });
    const watches = await Promise.all(Array.from({ length: 200 }, () => lines(world.api.stream(watch))));
    await Promise.all(Array.from({ length: 50 }, () => world.api.send(read)));
    await world.api.send({ ...read, session: 'lease' });
    const { connections, watches: open, requests } = await world.server.stats();
    expect([connections, open]).toEqual([4, 200]);
    expect(world.metrics.text()).toContain(
      `kilter_connections{host="${world.connection.host}",protocol="h2",session="watch"} 2`,
    );
    await world.server.emit('{"a":1}\n');
    for (const each of watches) expect((await each.next()).value).toBe('{"a":1}');

    const of = (path: string, count: number): Set<number> =>
      new Set(
        requests
          .filter((request) => request.path === path)
          .slice(0, count)
          .map(({ connection }) => connection),
      );
    const lease = requests.at(-1)?.connection;
    expect([of('/watch', 200).size, of('/api', 50).size]).toEqual([2, 1]);
    expect([...of('/watch', 200), ...of('/api', 50)]).not.toContain(lease);
  });

  test('TR-4, G-1: a lease request does not wait for requests that fill their connections', async () => {
    await using world = await socketWorld({ maxConcurrentStreams: 2, connection: { sessions: { default: 1 } } });
    const stuck = Array.from({ length: 5 }, () => world.api.send({ ...read, path: '/hold' }));
    await expect.poll(async () => (await world.server.stats()).held).toBe(2);
    expect((await world.api.send({ ...read, session: 'lease' })).status).toBe(200);
    expect((await world.server.stats()).held).toBe(2);
    const release = setInterval(() => void world.server.do({ type: 'release' }), 20);
    await Promise.all(stuck);
    clearInterval(release);
    expect((await world.server.stats()).connections).toBe(2);
  });

  test('TR-13: watches beyond what the server takes are refused with a code, and one that ends makes room', async () => {
    await using world = await socketWorld({ maxConcurrentStreams: 2, connection: { sessions: { watch: 2 } } });
    const open = await Promise.all(Array.from({ length: 4 }, () => lines(world.api.stream(watch))));
    expect((await failure(world.api.stream(watch))).code).toBe('TRANSPORT_TOO_MANY_WATCHES');
    await open[0]?.return?.();
    await expect
      .poll(() =>
        world.api.stream(watch).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
    expect((await world.server.stats()).connections).toBe(2);
  });

  test('an unused one is closed', async () => {
    await using world = await socketWorld({ connection: { idle: 50 } });
    await world.api.send(read);
    await expect.poll(async () => (await world.server.stats()).open).toBe(0);
    await world.api.send(read);
    expect((await world.server.stats()).connections).toBe(2);
  });

  test('one that was silent while it was used is closed when it is not any more', async () => {
    await using world = await socketWorld({ connection: { idle: 20 } });
    const held = world.api.send({ ...read, path: '/hold' });
    await expect.poll(async () => (await world.server.stats()).held).toBe(1);
    await sleep(60);
    await world.server.do({ type: 'release' });
    await held;
    await expect.poll(async () => (await world.server.stats()).open).toBe(0);
  });

  test('TR-12: aborting resets the stream at once and keeps the connection', async () => {
    await using world = await socketWorld();
    const controller = new AbortController();
    const pending = world.api.send({ ...read, path: '/silent', signal: controller.signal });
    const stream = await lines(world.api.stream({ ...watch, session: 'default', signal: controller.signal }));
    const next = stream.next();
    await expect.poll(async () => (await world.server.stats()).requests.length).toBe(2);
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await expect(next).rejects.toThrow('enough');
    // 8 is CANCEL.
    await expect.poll(async () => (await world.server.stats()).resets).toEqual([8, 8]);
    await world.api.send(read);
    expect((await world.server.stats()).connections).toBe(1);
  });

  test('TR-12: leaving a stream early resets it too', async () => {
    await using world = await socketWorld();
    const stream = await lines(world.api.stream(watch));
    await stream.return?.();
    await expect.poll(async () => (await world.server.stats()).resets).toEqual([8]);
  });

  test.each([undefined, 'http/1.1'] as const)(
    'what HTTP does not allow is refused with a code, unseen: %s',
    async (protocols) => {
      await using world = await socketWorld({ protocols });
      await world.api.send(read);
      for (const bad of [{ accept: 'a\r\ncanary: b' }, { path: '/a canary' }, { path: '/ü' }, { contentType: '\0' }]) {
        const error = await failure(world.api.send({ ...write, ...bad }));
        expect(error.code).toBe('TRANSPORT_REQUEST_MALFORMED');
        expect(JSON.stringify([error.message, error.stack])).not.toContain('canary');
      }
      await world.api.send(read);
      const { connections, requests } = await world.server.stats();
      expect([connections, requests.length]).toEqual([1, 2]);
    },
  );

  test('closing ends what is open and refuses what comes', async () => {
    await using world = await socketWorld();
    const silent = { path: '/silent' } as const;
    const pending = [failure(world.api.send({ ...write, ...silent })), failure(world.api.send({ ...read, ...silent }))];
    await expect.poll(async () => (await world.server.stats()).requests.length).toBe(2);
    await world.connection.close();
    const codes = (await Promise.all(pending)).map(({ code }) => code);
    expect(codes).toEqual(['TRANSPORT_OUTCOME_UNKNOWN', 'TRANSPORT_CLOSED']);
    expect((await failure(world.api.send(read))).code).toBe('TRANSPORT_CLOSED');
    await expect.poll(async () => (await world.server.stats()).open).toBe(0);
  });
});
