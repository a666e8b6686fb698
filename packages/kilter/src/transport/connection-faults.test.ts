import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { hasCode } from '../errors/index.ts';
import { relayTo } from './relay.test-support.ts';
import { base64, failure, makePki, socketWorlds } from './socket-world.test-support.ts';

const socketWorld = socketWorlds(makePki({ createAuthority, issue }));

const read = { method: 'GET', path: '/api' } as const;
const write = { method: 'POST', path: '/api', body: '{"a":1}' } as const;
const watch = { method: 'GET', path: '/watch', session: 'watch' } as const;

const lines = async (opened: Promise<AsyncIterable<string>>): Promise<AsyncIterator<string>> =>
  (await opened)[Symbol.asyncIterator]();
const soon = { ping: { idle: 200, answer: 500 } } as const;

describe.each(['h2', 'http/1.1'] as const)('reset, over %s', (protocol) => {
  const options = protocol === 'h2' ? {} : { protocols: protocol };

  test('TR-7: a GET is sent again after 1 s on a new connection', async () => {
    await using world = await socketWorld(options);
    const held = world.api.send({ ...read, path: '/hold' });
    await expect.poll(async () => (await world.server.stats()).held).toBe(1);
    const reset = performance.now();
    await world.server.do({ type: 'reset' });
    await expect.poll(async () => (await world.server.stats()).held, { timeout: 5000 }).toBe(2);
    expect(performance.now() - reset).toBeGreaterThan(990);
    await world.server.do({ type: 'release' });
    expect((await held).text).toBe('{"held":true}');
    const { connections, requests } = await world.server.stats();
    expect([connections, requests.map(({ protocol: spoken }) => spoken)]).toEqual([2, [protocol, protocol]]);
  });

  test('TR-7: a write is not: its outcome is unknown', async () => {
    await using world = await socketWorld(options);
    const error = await failure(world.api.send({ ...write, path: '/reset' }));
    expect(error.code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
    expect(hasCode(error, 'TRANSPORT_CONNECTION_LOST')).toBe(true);
    expect((await world.server.stats()).requests).toHaveLength(1);
  });

  test('an open stream breaks with a code, and not as if the server had ended it', async () => {
    await using world = await socketWorld(options);
    const stream = await lines(world.api.stream({ ...watch, path: `/watch?text=${base64('{"a":1}\n')}` }));
    expect((await stream.next()).value).toBe('{"a":1}');
    await world.server.do({ type: 'reset' });
    expect((await failure(stream.next())).code).toBe('TRANSPORT_CONNECTION_LOST');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});

describe('a stream the server ends in the middle', () => {
  // 2 is INTERNAL_ERROR, 8 is CANCEL.
  test.each([{ resetInBody: 2 }, { resetInBody: 8 }, 'close in body'] as const)(
    'TR-7: is not an answer: a GET is repeated, a write is not: %j',
    async (fault) => {
      await using world = await socketWorld({ script: [fault, 'answer'] });
      expect((await world.api.send(read)).text).toBe('{"raw":true}');
      await using other = await socketWorld({ script: [fault, 'answer'] });
      expect((await failure(other.api.send(write))).code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
      expect((await other.server.stats()).requests).toHaveLength(1);
    },
  );
});

describe('GOAWAY', () => {
  test('TR-3: running streams finish, new ones use a new connection', async () => {
    await using world = await socketWorld();
    const held = world.api.send({ ...write, path: '/hold' });
    await expect.poll(async () => (await world.server.stats()).held).toBe(1);
    await world.server.do({ type: 'goaway' });
    await expect
      .poll(async () => {
        await world.api.send(read);
        return (await world.server.stats()).connections;
      })
      .toBe(2);
    await world.server.do({ type: 'release' });
    expect((await held).text).toBe('{"held":true}');
    await expect.poll(async () => (await world.server.stats()).open).toBe(1);
  });

  test.each([0, 11])('TR-3: what the server never took is sent again, a write too: code %d', async (code) => {
    let asked = 0;
    const gate = { closed: () => void (asked += 1) };
    await using world = await socketWorld({ script: [{ goaway: code }, 'answer'], transport: { gate } });
    expect((await world.api.send({ ...write, guarded: true })).text).toBe('{"raw":true}');
    const { connections, requests } = await world.server.stats();
    expect([connections, requests.length]).toEqual([2, 2]);
    // WG-1: before each attempt, again when a connection is there, and when the bytes leave.
    expect(asked).toBeGreaterThanOrEqual(6);
  });

  test('TR-3: a refused stream is sent again as well, but not for ever', async () => {
    await using world = await socketWorld({ script: [{ reset: 7 }, { reset: 7 }, 'answer'] });
    expect((await world.api.send(write)).text).toBe('{"raw":true}');
    await using never = await socketWorld({ script: [{ reset: 7 }] });
    expect((await failure(never.api.send({ ...write, deadline: 1000 }))).code).toBe('TRANSPORT_NOT_TAKEN');
    const { connections, requests } = await never.server.stats();
    expect(connections).toBe(1);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.length).toBeLessThan(10);
  });

  test('TR-3: a watch goes on, and then ends between two lines, without an error', async () => {
    await using world = await socketWorld({ connection: { drain: 400 } });
    const stream = await lines(world.api.stream(watch));
    await world.server.do({ type: 'goaway' });
    await world.server.emit('{"a":1}\n{"b":');
    expect((await stream.next()).value).toBe('{"a":1}');
    const next = stream.next();
    const early = await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 800, 'open'))]);
    expect(early).toBe('open');
    await world.server.emit('2}\n');
    expect((await next).value).toBe('{"b":2}');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await lines(world.api.stream(watch));
    expect((await world.server.stats()).watches).toBe(1);
    expect(world.logged.join('\n')).not.toContain('stream broke');
  });

  test('the connection that was told to leave is closed when it is empty', async () => {
    await using world = await socketWorld({ script: ['leave'] });
    for (let n = 0; n < 5; n += 1) await world.api.send(read);
    expect((await world.server.stats()).connections).toBe(5);
    await expect.poll(async () => (await world.server.stats()).open).toBe(0);
  });
});

describe('a silent server', () => {
  test('TR-2: is asked by PING, and keeps its connection when it answers', async () => {
    await using world = await socketWorld({ connection: { ping: { idle: 100, answer: 800 } } });
    const stream = await lines(world.api.stream(watch));
    const next = stream.next();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await world.server.emit('{"a":1}\n');
    expect((await next).value).toBe('{"a":1}');
    expect((await world.server.stats()).connections).toBe(1);
  });

  test('TR-2: frozen, it is noticed by the PING; its streams fail, a GET waits for it to come back', async () => {
    await using world = await socketWorld({ connection: soon });
    const stream = await lines(world.api.stream(watch));
    await world.api.send(read);
    world.server.freeze();
    const began = performance.now();
    const pending = world.api.send(read);
    const error = await failure(stream.next());
    expect(error.code).toBe('TRANSPORT_CONNECTION_LOST');
    expect(error.message).toContain('did not answer a PING');
    const noticed = performance.now() - began;
    expect(noticed).toBeGreaterThan(250);
    world.server.thaw();
    expect((await pending).status).toBe(200);
    await world.api.stream(watch);
    expect((await world.server.stats()).watches).toBe(1);
  });

  test('B-07: a half-open connection: every stream of the session fails, and the next request has a new one', async () => {
    await using world = await socketWorld();
    await using relay = await relayTo(world.server.port);
    const config = { server: `https://localhost:${relay.port}` };
    await using through = await socketWorld({ config, connection: soon });
    const streams = await Promise.all([1, 2, 3].map(() => lines(through.api.stream(watch))));
    relay.swallow();
    const errors = await Promise.all(streams.map((stream) => failure(stream.next())));
    expect(errors.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'TRANSPORT_CONNECTION_LOST'));
    await lines(through.api.stream(watch));
    expect(relay.connections).toBe(2);
  });

  test('B-07: a request that waited in vain is not followed by others on the same connection', async () => {
    await using world = await socketWorld();
    await using relay = await relayTo(world.server.port);
    await using through = await socketWorld({ config: { server: `https://localhost:${relay.port}` } });
    await through.api.send({ ...read, session: 'lease' });
    relay.swallow();
    const error = await failure(through.api.send({ ...write, session: 'lease', deadline: 1200 }));
    expect(error.code).toBe('TRANSPORT_OUTCOME_UNKNOWN');
    expect((await through.api.send({ ...read, session: 'lease', deadline: 5000 })).status).toBe(200);
    expect(relay.connections).toBe(2);
  });

  test('B-07: over HTTP/1.1 the request ends at its deadline and its socket with it', async () => {
    await using world = await socketWorld({ protocols: 'http/1.1' });
    await world.api.send(read);
    world.server.freeze();
    const error = await failure(world.api.send({ ...read, deadline: 300 }));
    expect(error.code).toBe('TRANSPORT_DEADLINE');
    world.server.thaw();
    expect((await world.api.send(read)).status).toBe(200);
    const { connections, open } = await world.server.stats();
    expect([connections, open]).toEqual([2, 1]);
  });
});

describe('an outage', () => {
  test('TR-13: however many ask, few connections are tried, and it ends by itself', async () => {
    await using world = await socketWorld();
    await world.api.send(read);
    await world.server.do({ type: 'outage', on: true });
    const until = performance.now() + 2000;
    let failures = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < until) {
        const error = await failure(world.api.send(write));
        expect(error.code).toBe('TRANSPORT_UNREACHABLE');
        failures += 1;
      }
    };
    await Promise.all(Array.from({ length: 100 }, worker));
    const { connections } = await world.server.stats();
    expect(connections - 1).toBeGreaterThan(2);
    expect(connections - 1).toBeLessThan(10);
    expect(failures).toBeGreaterThanOrEqual(100);
    await world.server.do({ type: 'outage', on: false });
    expect((await world.api.send(write)).status).toBe(200);
  });

  test('TR-13: over HTTP/1.1 as well', async () => {
    await using world = await socketWorld({ protocols: 'http/1.1' });
    await world.api.send(read);
    await world.server.do({ type: 'outage', on: true });
    const before = (await world.server.stats()).connections;
    for (let n = 0; n < 3; n += 1) {
      const errors = await Promise.all(Array.from({ length: 100 }, () => failure(world.api.stream(watch))));
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['TRANSPORT_UNREACHABLE']));
    }
    expect((await world.server.stats()).connections - before).toBeLessThan(20);
    await world.server.do({ type: 'outage', on: false });
    await lines(world.api.stream(watch));
  });

  test('TR-5: a write that found no connection before its deadline was not sent, and the error says so', async () => {
    await using world = await socketWorld();
    world.server.freeze();
    const error = await failure(world.api.send({ ...write, deadline: 300 }));
    expect(error.code).toBe('TRANSPORT_DEADLINE');
    world.server.thaw();
  });
});

describe('bodies and lines', () => {
  test('TR-5: an answer that trickles is given up at the deadline', async () => {
    await using world = await socketWorld();
    const error = await failure(world.api.send({ ...read, path: '/slow-body', deadline: 300 }));
    expect(error.code).toBe('TRANSPORT_DEADLINE');
    await expect.poll(async () => (await world.server.stats()).resets).toEqual([8]);
  });

  test('TR-10: characters and lines split over packets arrive whole', async () => {
    await using world = await socketWorld();
    const stream = await lines(world.api.stream(watch));
    for (const byte of Buffer.from('{"a":"ü𝄞"}\n{"b":2}\n')) await world.server.emit(Buffer.of(byte));
    expect([(await stream.next()).value, (await stream.next()).value]).toEqual(['{"a":"ü𝄞"}', '{"b":2}']);
  });

  test.each([
    ['ends inside a line', '{"a":1}\n{"b":', 'TRANSPORT_STREAM_MALFORMED'],
    ['holds a NUL', '{"a":1}\n{"b\0":1}\n', 'TRANSPORT_STREAM_MALFORMED'],
    [
      'is not UTF-8',
      Buffer.concat([Buffer.from('{"a":1}\n"'), Buffer.of(0xc3, 0x28), Buffer.from('"\n')]),
      'TRANSPORT_STREAM_MALFORMED',
    ],
    ['has a line beyond the limit', `{"a":1}\n${'x'.repeat(70_000)}\n`, 'TRANSPORT_LINE_TOO_LONG'],
  ])('TR-10: a stream that %s fails after its good lines, and is reset', async (_, text, code) => {
    await using world = await socketWorld({ transport: { lineLimit: 65_536 } });
    const stream = await lines(world.api.stream(watch));
    await world.server.emit(text, true);
    expect((await stream.next()).value).toBe('{"a":1}');
    expect((await failure(stream.next())).code).toBe(code);
    await expect.poll(async () => (await world.server.stats()).watches).toBe(0);
  });

  test('chunks come as they are, and a break is a coded error', async () => {
    await using world = await socketWorld();
    const log = (await world.api.chunks(watch))[Symbol.asyncIterator]();
    await world.server.emit('no line');
    expect(Buffer.from((await log.next()).value as Uint8Array).toString()).toBe('no line');
    await world.server.do({ type: 'reset' });
    expect((await failure(log.next())).code).toBe('TRANSPORT_CONNECTION_LOST');
  });
});
