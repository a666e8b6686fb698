import { describe, expect, test } from 'vitest';
import {
  ApiError,
  apiErrorOf,
  hasCode,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  KilterError,
} from '../errors/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import { jsonLogger } from '../telemetry/index.ts';
import {
  type InMemoryRequest,
  type Connection,
  type ExchangeResponse,
  type Gate,
  inMemory,
  transport,
  type Transport,
} from './index.ts';
import {
  type Answer,
  bytes,
  collect,
  get,
  never,
  ok,
  post,
  refusal,
  reset,
  watchOutcome,
  world,
} from './scripted-server.test-support.ts';

describe('a request', () => {
  test('is sent as it was built, with the headers of the transport', async () => {
    const { transport, seen } = world([() => ok('{}')]);
    const query = new URLSearchParams({ labelSelector: 'tier in (a,b)' });
    await transport.send({ ...post, query, contentType: 'application/merge-patch+json', body: '{"ü":1}' });
    expect(seen[0]?.request.path).toBe('/api/v1/pods?labelSelector=tier+in+%28a%2Cb%29');
    expect(seen[0]?.request.headers).toEqual({
      accept: 'application/json',
      'user-agent': 'test/1',
      'content-type': 'application/merge-patch+json',
      authorization: 'Bearer canary-token',
    });
    expect(new TextDecoder().decode(seen[0]?.request.body)).toBe('{"ü":1}');
  });

  test('gives status and text, a character split across chunks whole', async () => {
    const whole = bytes('{"a":"ü"}');
    const { transport, clock } = world([() => ok(whole.subarray(0, 7), whole.subarray(7))]);
    expect(await transport.send(get)).toMatchObject({ status: 200, text: '{"a":"ü"}' });
    expect(clock.pending).toBe(0);
  });

  test('counts every attempt by code, method and host', async () => {
    const { transport, clock, metric } = world([
      () => Promise.reject(reset()),
      () => refusal(429, { 'retry-after': '1' }),
      () => ok('{}'),
    ]);
    const done = transport.send(get);
    await clock.advance(10_000);
    await done;
    for (const code of ['<error>', '429', '200']) {
      expect(metric(`rest_client_requests_total{code="${code}",host="in-memory",method="GET"}`)).toMatch(/ 1$/);
    }
  });

  test('a warning of the server is logged once, however often it comes', async () => {
    const warning = '299 - "v1beta1 is deprecated", 299 - "unknown field \\"spec.x\\""';
    const warned = (): ExchangeResponse => ({ ...ok('{}'), headers: { warning } });
    const { transport, logged } = world([warned]);
    await transport.send(get);
    await transport.send(get);
    expect(logged.map((line) => (JSON.parse(line) as { warning: string }).warning)).toEqual([
      'v1beta1 is deprecated',
      'unknown field "spec.x"',
    ]);
  });
});

describe('deadlines', () => {
  test('TR-5: a request without an answer ends after 30 s and leaves nothing behind', async () => {
    const { transport, clock, seen } = world([() => never]);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(29_999);
    expect(outcome.settled).toBe(false);
    await clock.advance(1);
    expect(hasCode(outcome.error, 'TRANSPORT_DEADLINE')).toBe(true);
    expect(isTimeout(outcome.error)).toBe(true);
    expect(seen[0]?.request.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('TR-5: the deadline holds over all attempts and waits', async () => {
    const { transport, clock, seen } = world(
      [() => Promise.reject(reset()), () => refusal(503, { 'retry-after': '2' }), () => never],
      {
        deadline: 5000,
      },
    );
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(4999);
    expect(seen).toHaveLength(3);
    expect(outcome.settled).toBe(false);
    await clock.advance(1);
    expect(hasCode(outcome.error, 'TRANSPORT_DEADLINE')).toBe(true);
  });

  test('TR-5: a body that does not end counts too', async () => {
    const endless: Answer = () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield bytes('{');
        await never;
      })(),
    });
    const { transport, clock } = world([endless]);
    const outcome = watchOutcome(transport.send({ ...get, deadline: 1000 }));
    await clock.advance(1000);
    expect(hasCode(outcome.error, 'TRANSPORT_DEADLINE')).toBe(true);
  });

  test('a write that ran into it may have happened, and the error says both', async () => {
    const { transport, clock } = world([() => never]);
    const outcome = watchOutcome(transport.send({ ...post, deadline: 1000 }));
    await clock.advance(1000);
    expect(hasCode(outcome.error, 'TRANSPORT_OUTCOME_UNKNOWN')).toBe(true);
    expect(isTimeout(outcome.error)).toBe(true);
  });

  test('an open stream has none', async () => {
    const { transport, clock } = world([
      () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield bytes('{"a":1}\n');
          await never;
        })(),
      }),
    ]);
    const lines: string[] = [];
    const outcome = watchOutcome(collect(await transport.stream(get), lines));
    await clock.advance(3_600_000);
    expect(lines).toEqual(['{"a":1}']);
    expect(outcome.settled).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test('opening a stream has one', async () => {
    const { transport, clock } = world([() => never]);
    const outcome = watchOutcome(transport.stream(get));
    await clock.advance(30_000);
    expect(hasCode(outcome.error, 'TRANSPORT_DEADLINE')).toBe(true);
  });
});

describe('told to come back later', () => {
  test('TR-6: waits at least as long as asked, for reads and writes', async () => {
    for (const request of [get, post]) {
      const { transport, clock, seen } = world([() => refusal(429, { 'retry-after': '7' }), () => ok('{}')]);
      const outcome = watchOutcome(transport.send(request));
      await clock.advance(6999);
      expect(seen).toHaveLength(1);
      await clock.advance(8000);
      expect(outcome.value?.status).toBe(200);
      expect(seen[1]?.at).toBeGreaterThanOrEqual(7000);
      expect(seen[1]?.at).toBeLessThanOrEqual(7700);
    }
  });

  test('TR-6: at most 10 retries, then the answer goes to the caller', async () => {
    const { transport, clock, seen } = world([() => refusal(503, { 'retry-after': '1' })]);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(29_000);
    expect(seen).toHaveLength(11);
    expect(apiErrorOf(outcome.error)?.status).toMatchObject({ code: 503, retryAfterSeconds: 1 });
  });

  test.each([429, 500, 503])('TR-6: %d without the header goes to the caller at once', async (status) => {
    const { transport, seen } = world([() => refusal(status)]);
    await expect(transport.send(get)).rejects.toThrow(`said ${status}`);
    expect(seen).toHaveLength(1);
  });

  test('TR-6: other requests are not delayed meanwhile', async () => {
    const { transport, clock, seen } = world([() => refusal(429, { 'retry-after': '20' }), () => ok('{}')]);
    const first = watchOutcome(transport.send(get));
    await clock.settle();
    expect((await transport.send({ ...get, session: 'lease' })).status).toBe(200);
    expect(seen).toHaveLength(2);
    expect(first.settled).toBe(false);
  });

  test('B-14: no request of that flow comes before 7 s, and other keys and the lease go on', async () => {
    const answers = (request: InMemoryRequest): ExchangeResponse =>
      request.path === '/busy' ? refusal(429, { 'retry-after': '7' }) : ok('{}');
    const { transport, clock, seen } = world([answers]);
    const busy = watchOutcome(transport.send({ ...post, path: '/busy' }));
    for (let second = 0; second < 20; second += 1) {
      await transport.send(get);
      await transport.send({ ...get, session: 'lease' });
      await clock.advance(1000);
    }
    const times = seen.filter(({ request }) => request.path === '/busy').map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(7000);
    expect(seen.length - times.length).toBe(40);
    expect(busy.settled).toBe(false);
  });

  test('TR-6: a POST that was answered 500, 503 or 504 is not sent again by itself', async () => {
    for (const status of [500, 503, 504]) {
      const { transport, clock, seen } = world([() => refusal(status)]);
      const outcome = watchOutcome(transport.send(post));
      await clock.advance(29_000);
      expect(apiErrorOf(outcome.error)?.status.code).toBe(status);
      expect(seen).toHaveLength(1);
    }
  });

  test('a time beyond the deadline is not waited for: the caller learns it now', async () => {
    const { transport, clock } = world([() => refusal(429, { 'retry-after': '60' }, 'TooManyRequests')]);
    const outcome = watchOutcome(transport.send(get));
    await clock.settle();
    expect(isTooManyRequests(outcome.error)).toBe(true);
    expect(apiErrorOf(outcome.error)?.status.retryAfterSeconds).toBe(60);
    expect(clock.pending).toBe(0);
  });
});

describe('a broken connection', () => {
  test('TR-7: a GET is sent again after 1 s, also when the answer broke off', async () => {
    const { transport, clock, seen } = world([
      () => Promise.reject(reset()),
      () => ok('{"a"', reset()),
      () => ok('{}'),
    ]);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(999);
    expect(seen).toHaveLength(1);
    await clock.advance(1);
    expect(seen).toHaveLength(2);
    await clock.advance(1000);
    expect(outcome.value?.text).toBe('{}');
  });

  test('TR-7: counted among the 10', async () => {
    const { transport, clock, seen } = world([() => Promise.reject(reset())]);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(29_000);
    expect(seen).toHaveLength(11);
    expect(hasCode(outcome.error, 'TRANSPORT_CONNECTION_LOST')).toBe(true);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'TR-7: a %s is never sent again: its outcome is unknown',
    async (method) => {
      for (const answer of [
        (): Promise<never> => Promise.reject(reset()),
        (): ExchangeResponse => ok('{"a"', reset()),
      ]) {
        const { transport, clock, seen } = world([answer, () => ok('{}')]);
        const outcome = watchOutcome(transport.send({ ...post, method }));
        await clock.advance(29_000);
        expect(seen).toHaveLength(1);
        expect(hasCode(outcome.error, 'TRANSPORT_OUTCOME_UNKNOWN')).toBe(true);
      }
    },
  );

  test('a connection that was never made is not an unknown outcome', async () => {
    const refused = new KilterError('TRANSPORT_UNREACHABLE', 'h:1 cannot be reached: ECONNREFUSED');
    const { transport, seen } = world([() => Promise.reject(refused)]);
    await expect(transport.send(post)).rejects.toBe(refused);
    expect(seen).toHaveLength(1);
  });
});

describe('refused credentials', () => {
  test.each([get, post])('TR-9: they are read again and the request is tried once more: $method', async (request) => {
    let renewals = 0;
    const renew = (): Promise<boolean> => {
      renewals += 1;
      return Promise.resolve(true);
    };
    const good = world([() => refusal(401), () => ok('{}')], { renew });
    expect((await good.transport.send(request)).status).toBe(200);
    expect([renewals, good.seen.length]).toEqual([1, 2]);

    const bad = world([() => refusal(401, {}, 'Unauthorized')], { renew });
    const outcome = watchOutcome(bad.transport.send(request));
    await bad.clock.settle();
    expect(isUnauthorized(outcome.error)).toBe(true);
    expect([renewals, bad.seen.length]).toEqual([2, 2]);
  });

  test('TR-9: with nothing to read again, the answer goes to the caller', async () => {
    for (const renew of [undefined, (): Promise<boolean> => Promise.resolve(false)]) {
      const { transport, seen } = world([() => refusal(401, {}, 'Unauthorized')], renew === undefined ? {} : { renew });
      await expect(transport.send(get)).rejects.toThrow('401 Unauthorized');
      expect(seen).toHaveLength(1);
    }
  });

  test('credentials that cannot be read are logged, and the 401 goes to the caller', async () => {
    const { transport, logged } = world([() => refusal(401, {}, 'Unauthorized')], {
      renew: () => Promise.reject(new Error('no file')),
    });
    await expect(transport.send(get)).rejects.toThrow('401 Unauthorized');
    expect(logged.join('\n')).toContain('no file');
  });
});

describe('the gate', () => {
  test('is asked before each attempt of a guarded request: a retry is refused when it has closed', async () => {
    let closed: string | undefined;
    let asked = 0;
    const gate: Gate = {
      closed: () => {
        asked += 1;
        return closed;
      },
    };
    const { transport, clock, seen, metric } = world([() => refusal(429, { 'retry-after': '2' }), () => ok('{}')], {
      gate,
    });
    const outcome = watchOutcome(transport.send({ ...post, guarded: true }));
    await clock.advance(1000);
    closed = 'the lease was renewed 11 s ago';
    await clock.advance(5000);
    expect(hasCode(outcome.error, 'TRANSPORT_GATE_CLOSED')).toBe(true);
    expect(String(outcome.error)).toContain('renewed 11 s ago');
    expect([asked, seen.length]).toEqual([2, 1]);
    expect(metric('kilter_guarded_writes_refused_total')).toMatch(/ 1$/);
    expect(clock.pending).toBe(0);
  });

  test('is not asked for other requests', async () => {
    const { transport, seen } = world([() => ok('{}')], { gate: { closed: () => 'closed' } });
    await transport.send(post);
    await expect(transport.send({ ...post, guarded: true })).rejects.toThrow('not sent: closed');
    expect(seen).toHaveLength(1);
  });

  test('refuses also the attempt after a 401', async () => {
    let closed: string | undefined;
    const { transport, seen } = world([() => refusal(401), () => ok('{}')], {
      gate: { closed: () => closed },
      renew: () => {
        closed = 'lost';
        return Promise.resolve(true);
      },
    });
    await expect(transport.send({ ...post, guarded: true })).rejects.toThrow('not sent: lost');
    expect(seen).toHaveLength(1);
  });
});

describe('a connection that has to wait before it sends', () => {
  /** What a request meets: a wait of so long, then an answer. */
  function slow(ms: number, gate?: Gate): { send: Transport['send']; clock: VirtualClock; sent: () => number } {
    const runtime = virtualRuntime();
    let sent = 0;
    const connection: Connection = {
      namespace: 'default',
      host: 'slow',
      exchange: async ({ departure, signal }) => {
        departure?.pending('a connection');
        await runtime.clock.sleep(ms, signal);
        departure?.now();
        sent += 1;
        return ok('{}');
      },
      close: () => Promise.resolve(),
    };
    const logger = jsonLogger({ write: () => undefined, now: () => 0 });
    const api = transport(connection, { runtime, logger, gate, userAgent: 'x' });
    return { send: (request) => api.send(request), clock: runtime.clock, sent: () => sent };
  }

  test('WG-1: the gate is asked again when it does: closed meanwhile, nothing leaves', async () => {
    let closed: string | undefined;
    const { send, clock, sent } = slow(5000, { closed: () => closed });
    const outcome = watchOutcome(send({ ...post, guarded: true }));
    await clock.advance(4000);
    closed = 'the lease was lost';
    await clock.advance(1000);
    expect(hasCode(outcome.error, 'TRANSPORT_GATE_CLOSED')).toBe(true);
    expect(sent()).toBe(0);
  });

  test('TR-5: a write that runs into its deadline before it left did not happen, and the error says so', async () => {
    const { send, clock, sent } = slow(40_000);
    const outcome = watchOutcome(send(post));
    await clock.advance(30_000);
    expect(outcome.error).toMatchObject({ code: 'TRANSPORT_DEADLINE' });
    expect(sent()).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

describe('a request the server did not take', () => {
  const notTaken = (): Promise<never> => Promise.reject(new KilterError('TRANSPORT_NOT_TAKEN', 'refused'));

  test('TR-3: is sent again, a write too, and the gate is asked each time', async () => {
    let asked = 0;
    const gate: Gate = { closed: () => void (asked += 1) };
    const { transport, clock, seen, metric } = world([notTaken, notTaken, () => ok('{}')], { gate });
    const outcome = watchOutcome(transport.send({ ...post, guarded: true }));
    await clock.advance(2000);
    expect(outcome.value?.status).toBe(200);
    expect([seen.length, asked]).toEqual([3, 3]);
    expect(metric('rest_client_requests_total{code="<error>"')).toBeUndefined();
  });

  test('TR-3: at most 10 times', async () => {
    const { transport, clock, seen } = world([notTaken]);
    const outcome = watchOutcome(transport.send(post));
    await clock.advance(29_000);
    expect(hasCode(outcome.error, 'TRANSPORT_NOT_TAKEN')).toBe(true);
    expect(seen).toHaveLength(11);
  });
});

describe('chunks', () => {
  test('are handed on as they come; the answer has no deadline, and leaving early hangs up', async () => {
    const { transport, clock, seen } = world([
      () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield bytes('a');
          yield bytes('b\n');
          await never;
        })(),
      }),
    ]);
    const body = (await transport.chunks(get))[Symbol.asyncIterator]();
    const texts = [await body.next(), await body.next()].map(({ value }) =>
      Buffer.from(value as Uint8Array).toString(),
    );
    expect(texts).toEqual(['a', 'b\n']);
    await clock.advance(3_600_000);
    await body.return?.();
    expect(seen[0]?.request.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('a break is a coded error', async () => {
    const { transport } = world([() => ok('a', reset())]);
    const body = (await transport.chunks(get))[Symbol.asyncIterator]();
    await body.next();
    await expect(body.next()).rejects.toMatchObject({ code: 'TRANSPORT_CONNECTION_LOST' });
  });

  test('a refusal is thrown', async () => {
    const { transport } = world([() => refusal(403, {}, 'Forbidden')]);
    await expect(transport.chunks(get)).rejects.toThrow('403 Forbidden');
  });
});

describe('errors', () => {
  test('TR-11: carry method and path, and never headers or tokens', async () => {
    const leaky = (): ExchangeResponse =>
      refusal(403, { 'set-cookie': 'canary-cookie', authorization: 'canary-echo' }, 'Forbidden');
    const { transport, logged } = world([leaky, () => Promise.reject(reset())]);
    const refused: unknown = await transport
      .send({ ...post, query: new URLSearchParams({ dryRun: 'All' }) })
      .catch((error: unknown) => error);
    const lost: unknown = await transport.send(post).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ method: 'POST', path: '/api/v1/pods', status: { code: 403, reason: 'Forbidden' } });
    for (const error of [refused, lost] as Error[]) {
      expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toContain('canary');
    }
    expect(logged.join('\n')).not.toContain('canary');
  });

  test('an answer larger than the transport reads is a coded error', async () => {
    const runtime = virtualRuntime();
    const connection = inMemory(() => Promise.resolve(ok('12345', '67890')));
    const small = transport(connection, {
      runtime,
      logger: jsonLogger({ write: () => undefined, now: () => 0 }),
      userAgent: 'x',
      bodyLimit: 9,
    });
    await expect(small.send(get)).rejects.toMatchObject({ code: 'TRANSPORT_BODY_TOO_LARGE' });
    expect(runtime.clock.pending).toBe(0);
  });
});
