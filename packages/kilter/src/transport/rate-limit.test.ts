import { describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { get, ok, post, refusal, watchOutcome, world } from './scripted-server.test-support.ts';
import { fullBucket, returnToken, takeToken } from './token-bucket.ts';

const limit = { qps: 10, burst: 2 };

describe('a bucket of tokens', () => {
  test('gives its burst at once, then one by one, and fills up again', () => {
    let bucket = fullBucket(limit, 0);
    const waits = [0, 0, 0, 0, 1000, 1000, 1000, 1050].map((now) => {
      const taken = takeToken(bucket, limit, now);
      bucket = taken.bucket;
      return taken.wait;
    });
    expect(waits).toEqual([0, 0, 100, 200, 0, 0, 100, 150]);
    expect(takeToken(returnToken(bucket), limit, 1050).wait).toBe(150);
  });
});

describe('a limit on our own requests', () => {
  test('TR-8: there is none by default', async () => {
    const { transport, seen } = world([() => ok('{}')]);
    await Promise.all(Array.from({ length: 500 }, () => transport.send(get)));
    expect(new Set(seen.map(({ at }) => at))).toEqual(new Set([0]));
  });

  test('TR-8: with one, requests and retries wait their turn', async () => {
    const { transport, clock, seen } = world([() => refusal(429, { 'retry-after': '0' }), () => ok('{}')], {
      rateLimit: limit,
    });
    const all = Array.from({ length: 4 }, () => watchOutcome(transport.send(get)));
    await clock.advance(5000);
    expect(all.every(({ value }) => value?.status === 200)).toBe(true);
    expect(seen.map(({ at }) => Math.floor(at))).toEqual([0, 0, 100, 200, 300]);
  });

  test('TR-8, G-1: Lease requests never do', async () => {
    const { transport, clock, seen } = world([() => ok('{}')], { rateLimit: { qps: 1, burst: 1 } });
    const others = Array.from({ length: 10 }, () => watchOutcome(transport.send(get)));
    await Promise.all([1, 2, 3].map(() => transport.send({ ...get, session: 'lease', path: '/lease' })));
    expect(seen.filter(({ request }) => request.path === '/lease').map(({ at }) => at)).toEqual([0, 0, 0]);
    await clock.advance(10_000);
    expect(others.every(({ value }) => value?.status === 200)).toBe(true);
  });

  test('TR-8, WG-1: the gate is asked after the wait, just before the request leaves', async () => {
    let closed: string | undefined;
    const { transport, clock, seen } = world([() => ok('{}')], {
      rateLimit: { qps: 1, burst: 1 },
      gate: { closed: () => closed },
    });
    await transport.send(post);
    const outcome = watchOutcome(transport.send({ ...post, guarded: true }));
    closed = 'lost';
    await clock.advance(1000);
    expect(hasCode(outcome.error, 'TRANSPORT_GATE_CLOSED')).toBe(true);
    expect(seen).toHaveLength(1);
  });

  test('a turn that would come after the deadline is not waited for, and one that is left goes to the next', async () => {
    const { transport, clock } = world([() => ok('{}')], { rateLimit: { qps: 1, burst: 1 } });
    await transport.send(get);
    const controller = new AbortController();
    const left = watchOutcome(transport.send({ ...get, signal: controller.signal }));
    const late = watchOutcome(transport.send({ ...get, deadline: 1500 }));
    await clock.settle();
    expect(hasCode(late.error, 'TRANSPORT_RATE_LIMITED')).toBe(true);
    controller.abort(new Error('enough'));
    await clock.settle();
    expect(left.error).toEqual(new Error('enough'));
    const next = watchOutcome(transport.send({ ...get, deadline: 1500 }));
    await clock.advance(1000);
    expect(next.value?.status).toBe(200);
    expect(clock.pending).toBe(0);
  });
});
