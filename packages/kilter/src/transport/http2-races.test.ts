import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { KilterError } from '../errors/index.ts';
import { seededRandom } from '../internal/index.ts';
import { failure, makePki, type SocketWorld, socketWorlds } from './socket-world.test-support.ts';
import type { ApiRequest } from './transport.ts';

const socketWorld = socketWorlds(makePki({ createAuthority, issue }));

const read = { method: 'GET', path: '/api' } as const;
const hold = { method: 'GET', path: '/hold' } as const;
const write = { method: 'POST', path: '/api', body: '{}' } as const;

/** Until the server sees so many requests it does not answer yet. */
async function untilHeld(world: SocketWorld, count: number): Promise<void> {
  while ((await world.server.stats()).held < count) await sleep(5);
}

describe('a place on a connection that is given back unused', () => {
  const narrow = { maxConcurrentStreams: 1, connection: { sessions: { default: 1, guarded: 1 } } } as const;

  test('TR-5: goes to the next in line: by a write the gate stopped', async () => {
    let closed: string | undefined;
    await using world = await socketWorld({ ...narrow, transport: { gate: { closed: () => closed } } });
    const first = world.api.send({ ...write, path: '/hold', guarded: true });
    await untilHeld(world, 1);
    const stopped = failure(world.api.send({ ...write, guarded: true }));
    const next = world.api.send({ ...write, session: 'guarded', deadline: 5000 });
    await sleep(20);
    closed = 'the lease is lost';
    await world.server.do({ type: 'release' });
    expect((await first).text).toBe('{"held":true}');
    expect((await stopped).code).toBe('TRANSPORT_GATE_CLOSED');
    expect((await next).status).toBe(200);
  });

  test('TR-12: goes to the next in line: by a request that was aborted as its turn came', async () => {
    await using world = await socketWorld(narrow);
    const first = world.api.send(hold);
    await untilHeld(world, 1);
    const controller = new AbortController();
    const left = world.api.send({ ...read, signal: controller.signal }).catch((error: unknown) => error);
    const next = world.api.send({ ...read, deadline: 5000 });
    // The place is given in the turn in which the answer before it is complete, which is when this aborts.
    void first.then(() => controller.abort(new Error('left')));
    await world.server.do({ type: 'release' });
    expect((await next).status).toBe(200);
    expect(await left).toSatisfy((seen) => (seen instanceof Error ? seen.message === 'left' : true));
  });
});

interface Outcome {
  readonly answered: number;
  readonly aborted: number;
  /** Codes of what should not have happened. */
  readonly failed: readonly string[];
}

const ours = new Error('aborted by the test');

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'answered';
  } catch (error) {
    return error === ours ? 'aborted' : error instanceof KilterError ? error.code : String(error);
  }
}

/** Requests by several workers, with pauses about as long as an unused connection lives; some leave early. */
async function storm(world: SocketWorld, { workers, times, idle }: Record<string, number>): Promise<Outcome> {
  const random = seededRandom(7);
  const outcomes: string[] = [];
  const one = async (worker: number): Promise<void> => {
    for (let time = 0; time < (times ?? 0); time += 1) {
      const controller = new AbortController();
      const big = random() < 0.1;
      const request: ApiRequest = {
        method: 'GET',
        path: big ? '/list' : '/api',
        ...(big && { query: new URLSearchParams({ size: '400000', zip: 'no' }) }),
        session: worker % 3 === 0 ? 'lease' : 'default',
        deadline: 20_000,
        signal: controller.signal,
      };
      const outcome = outcomeOf(world.api.send(request));
      if (random() < 0.2) {
        await sleep(random() * 4);
        controller.abort(ours);
      }
      outcomes.push(await outcome);
      await sleep(random() < 0.5 ? 0 : (idle ?? 0) * (0.8 + random() * 0.4));
    }
  };
  await Promise.all(Array.from({ length: workers ?? 0 }, (_, worker) => one(worker)));
  const count = (what: string): number => outcomes.filter((outcome) => outcome === what).length;
  const failed = outcomes.filter((outcome) => outcome !== 'answered' && outcome !== 'aborted');
  return { answered: count('answered'), aborted: count('aborted'), failed };
}

describe('connections that come and go under load', () => {
  test('TR-3, TR-5: no request is lost between idle closes, GOAWAYs and aborts', { timeout: 60_000 }, async () => {
    const idle = 15;
    await using world = await socketWorld({ maxConcurrentStreams: 4, connection: { idle } });
    let over = false;
    const leaving = (async () => {
      while (!over) {
        await sleep(30);
        await world.server.do({ type: 'goaway' });
      }
    })();
    const { answered, aborted, failed } = await storm(world, { workers: 12, times: 60, idle });
    over = true;
    await leaving;
    expect(failed).toEqual([]);
    expect(answered + aborted).toBe(720);
    expect(answered).toBeGreaterThan(360);
    expect((await world.server.stats()).connections).toBeGreaterThan(10);
  });

  test('answers left half read take nothing from those that follow on the connection', async () => {
    await using world = await socketWorld();
    // Each fills the window of its stream; together more than the connection's.
    for (let time = 0; time < 20; time += 1) {
      const controller = new AbortController();
      const query = new URLSearchParams({ size: '2000000', zip: 'no' });
      const big = { method: 'GET', path: '/list', query, signal: controller.signal } as const;
      const opened = await world.api.chunks(big);
      await opened[Symbol.asyncIterator]().next();
      await sleep(20);
      controller.abort(ours);
    }
    const { text } = await world.api.send({
      method: 'GET',
      path: '/list',
      query: new URLSearchParams({ size: '5000000', zip: 'no' }),
      deadline: 15_000,
    });
    expect(text.length).toBeGreaterThan(5_000_000);
    expect((await world.server.stats()).connections).toBe(1);
  });
});
