import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KilterError } from '../errors/index.ts';
import { seededRandom } from '../internal/index.ts';
import type { Lease } from '../k8s/coordination/v1.ts';
import {
  campaign,
  forEver,
  isOpen,
  type Network,
  pair,
  perfect,
  type Replica,
  setup,
} from './lease-world.test-support.ts';

describe('one replica', () => {
  test('LE-4: creates the Lease, leads as number 0, and renews it every retry period', async () => {
    const { clock, store, replica } = setup();
    const a = replica('a');
    expect([isOpen(a), a.election.answered]).toEqual([false, true]);
    expect(() => a.election.leadership).toThrow(expect.objectContaining({ code: 'ELECTION_NOT_LEADING' }));
    const outcome = campaign(a);
    await clock.advance(0);
    expect([outcome.epoch, isOpen(a), a.election.leading]).toEqual([0, true, true]);
    expect(a.election.leadership).toEqual({ epoch: 0, identity: 'a' });
    await expect(a.election.campaign(forEver)).rejects.toMatchObject({ code: 'ELECTION_OVER' });
    await clock.advance(20_000);
    expect([store.writers.length, store.listeners.size]).toEqual([11, 0]);
    expect(store.lease?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 0 });
  });

  test('LE-17: winning and losing are Events on the Lease; the status gauge follows', async () => {
    const { clock, replica } = setup();
    const a = replica('a');
    const status = (): string | undefined => /_master_status\{name="op"\} (\d)$/m.exec(a.metrics.text())?.[1];
    expect(status()).toBe('0');
    campaign(a);
    await clock.advance(0);
    expect(status()).toBe('1');
    a.network = { ...perfect, fate: () => 'lost' };
    await clock.advance(10_000);
    expect(status()).toBe('0');
    expect(a.events).toMatchObject([
      { reason: 'LeaderElection', type: 'Normal', message: 'a became leader', regarding: { kind: 'Lease' } },
      { reason: 'LeaderElection', type: 'Normal', message: 'a stopped leading', regarding: { kind: 'Lease' } },
    ]);
    expect(a.events.map(({ action }) => action)).toEqual(['LeaderElection', 'LeaderElection']);
    expect(a.metrics.text()).toContain('kilter_leader_transitions_total{name="op"} 1');
  });

  test('LE-14: a request that is never answered is given up after 5 s, and another is tried', async () => {
    const { clock, replica } = setup();
    const a = replica('a');
    a.network = { ...perfect, fate: () => 'held' };
    const outcome = campaign(a);
    await clock.advance(4999);
    a.network = perfect;
    expect(a.lines).toEqual([]);
    await clock.advance(1);
    expect(a.lines).toMatchObject([{ code: 'TRANSPORT_DEADLINE' }]);
    await clock.advance(4400);
    expect(outcome.epoch).toBe(0);
  });
});

test('one failed request is reported, and so is that requests succeed again', async () => {
  const { clock, replica } = setup();
  const a = replica('a');
  campaign(a);
  await clock.advance(0);
  a.lines.length = 0;
  a.network = { ...perfect, fate: () => 'lost' };
  await clock.advance(2000);
  a.network = perfect;
  await clock.advance(6000);
  expect(a.lines).toMatchObject([
    { level: 40, msg: 'a Lease request failed; it is retried' },
    { level: 30, msg: 'Lease requests succeed again', failures: 1 },
  ]);
});

describe('two replicas', () => {
  test('LE-10, LE-18: a release is taken over at once, as the next term', async () => {
    const { clock, store, a, b, second } = await pair();
    await clock.advance(7000);
    await Promise.all([a.election.release(), clock.advance(0)]);
    expect([isOpen(a), second.epoch, isOpen(b)]).toEqual([false, 1, true]);
    expect(store.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  test('LE-10: a release leaves the Lease without holder, and nothing of the replica runs on', async () => {
    const { clock, store, replica } = setup();
    const a = replica('a');
    campaign(a);
    await clock.advance(3000);
    await Promise.all([a.election.release(), clock.advance(0)]);
    expect(store.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    const writes = store.writers.length;
    await clock.advance(60_000);
    expect([store.writers.length, clock.pending]).toEqual([writes, 0]);
  });

  test('LE-10: the gate closes when the release begins, and a renewal under way cannot follow it', async () => {
    const { clock, store, replica } = setup();
    const a = replica('a');
    campaign(a);
    await clock.advance(0);
    a.network = { ...perfect, latency: () => 300 };
    await clock.advance(2100);
    const release = a.election.release();
    expect(isOpen(a)).toBe(false);
    await clock.advance(3000);
    await release;
    expect(store.lease?.spec?.holderIdentity).toBe('');
    await clock.advance(10_000);
    expect(store.lease?.spec?.holderIdentity).toBe('');
  });

  test('LE-1, LE-7: a silent leader loses after the renew deadline; it is followed 1.05 lease durations after its last sign', async () => {
    const { clock, store, a, b, first, second } = await pair();
    await clock.advance(5900);
    // The last renewal was sent and seen at 6000.
    a.network = { ...perfect, fate: () => 'lost' };
    await clock.advance(9999);
    expect([isOpen(a), first.lost]).toEqual([true, undefined]);
    await clock.advance(1);
    expect([isOpen(a), (first.lost as KilterError).code]).toEqual([false, 'ELECTION_LOST']);
    expect(store.lease?.spec?.holderIdentity).toBe('a');
    await clock.advance(5749);
    expect(second.epoch).toBeUndefined();
    await clock.advance(1);
    expect([second.epoch, isOpen(b)]).toEqual([1, true]);
    expect(second.lost).toBeUndefined();
  });

  test('LE-7: a lost leader releases nothing', async () => {
    const { clock, store, a } = await pair();
    a.network = { ...perfect, fate: () => 'lost' };
    await clock.advance(10_000);
    a.network = perfect;
    const writes = store.writers.length;
    await a.election.release();
    await clock.advance(1000);
    expect(store.writers).toHaveLength(writes);
    expect(a.lines.filter(({ level }) => level === 50)).toHaveLength(1);
  });

  test('LE-5, LE-6: a conflict costs the leader one round, not the Lease, while the record still names it', async () => {
    const { clock, store, a, first } = await pair();
    const touched = store.lease as Lease;
    store.update({ ...touched, metadata: { ...touched.metadata, labels: { by: 'admin' } } }, 'admin');
    await clock.advance(10_000);
    expect([first.lost, isOpen(a)]).toEqual([undefined, true]);
    expect(store.lease?.metadata.labels).toEqual({ by: 'admin' });
    expect(store.writers.at(-1)).toBe('a');
  });

  test('a leader that finds another holder is lost at once', async () => {
    const { clock, store, a, first } = await pair();
    const taken = store.lease as Lease;
    store.update({ ...taken, spec: { ...taken.spec, holderIdentity: 'x' } }, 'admin');
    await clock.advance(5000);
    expect([(first.lost as KilterError).message, isOpen(a)]).toEqual([expect.stringContaining('x holds it'), false]);
  });

  test('LE-16: a stalled leader finds its gate closed before any of its timers fires, and writes nothing more', async () => {
    const { clock, store, a, second, first } = await pair();
    a.stall();
    await clock.advance(30_000);
    expect(second.epoch).toBe(1);
    const written = store.writers.filter((by) => by === 'a').length;
    expect(isOpen(a)).toBe(false);
    a.resume();
    expect(isOpen(a)).toBe(false);
    await clock.advance(5000);
    expect((first.lost as KilterError).code).toBe('ELECTION_LOST');
    expect(store.writers.filter((by) => by === 'a')).toHaveLength(written);
  });

  test('WG-5: a jump of the wall clock moves no Lease; forward it costs the time to the next renewal', async () => {
    const { clock, a, b, first, second } = await pair();
    for (const jump of [3_600_000, -7_200_000]) {
      a.jumped += jump;
      b.jumped -= jump;
      expect(isOpen(a)).toBe(jump < 0);
      await clock.advance(2000);
      expect(isOpen(a)).toBe(true);
      await clock.advance(20_000);
    }
    expect([first.lost, second.epoch]).toEqual([undefined, undefined]);
  });

  test('LE-18: where watching is refused the Lease is polled after P x [1, 2.2), and the log says so', async () => {
    const { clock, replica } = setup();
    const [a, b] = [replica('a'), replica('b')];
    campaign(a);
    await clock.advance(0);
    b.mayWatch = false;
    const second = campaign(b);
    await clock.advance(6000);
    expect(b.lines.filter(({ msg }) => String(msg).includes('it is polled'))).toHaveLength(1);
    await Promise.all([a.election.release(), clock.advance(0)]);
    expect(second.epoch).toBeUndefined();
    await clock.advance(4400);
    expect(second.epoch).toBe(1);
  });

  test('LE-18: a watch that fell silent is made up for by polls', async () => {
    const { clock, store, a, second } = await pair();
    store.listeners.clear();
    await clock.advance(20_000);
    await Promise.all([a.election.release(), clock.advance(0)]);
    await clock.advance(6800);
    expect(second.epoch).toBe(1);
  });

  test('LE-12: a candidate that is stopped reports no loss, only the reason it was stopped with', async () => {
    const { clock, a, replica } = await pair();
    const stop = new AbortController();
    const c = replica('c');
    const third = campaign(c, stop.signal);
    await clock.advance(5000);
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    await c.election.release();
    expect([third.error, third.lost]).toEqual([new Error('stopped'), undefined]);
    expect(c.events).toEqual([]);
    await Promise.all([a.election.release(), clock.advance(60_000)]);
    expect([third.epoch, isOpen(c)]).toEqual([undefined, false]);
  });

  test('LE-12: nothing of a candidate that is stopped runs on, released or not', async () => {
    const { clock, store, replica } = setup();
    campaign(replica('a'));
    await clock.advance(100);
    const [timers, listeners] = [clock.pending, store.listeners.size];
    const stop = new AbortController();
    campaign(replica('c'), stop.signal);
    await clock.advance(100);
    expect(store.listeners.size).toBe(listeners + 1);
    expect(clock.pending).toBeGreaterThan(timers);
    stop.abort(new Error('stopped'));
    await clock.advance(0);
    expect([clock.pending, store.listeners.size]).toEqual([timers, listeners]);
  });

  test('a candidate stopped while its winning write is under way does not lead, and gives the Lease back', async () => {
    const { clock, store, replica } = setup();
    const a = replica('a');
    a.network = { ...perfect, latency: () => 1200 };
    const stop = new AbortController();
    const ended = a.election.campaign(stop.signal).catch(() => a.election.release());
    await clock.advance(4000);
    expect([store.lease?.spec?.holderIdentity, store.reads]).toEqual(['a', 1]);
    stop.abort(new Error('stopped'));
    await clock.advance(2300);
    expect(store.reads).toBe(2);
    await clock.advance(3000);
    await ended;
    expect([a.events, isOpen(a)]).toEqual([[], false]);
    expect([store.lease?.spec?.holderIdentity, clock.pending]).toEqual(['', 0]);
  });
});

describe('whatever goes wrong', () => {
  // Times with little room between them, so that a second too many anywhere shows.
  const tight = { leaseDuration: 3000, renewDeadline: 2500, retryPeriod: 400 };
  const trouble = fc.record({
    seed: fc.nat(),
    slowness: fc.constantFrom(5, 100, 600, 1200),
    loss: fc.constantFrom(0, 0.1, 0.4),
    stalls: fc.array(fc.record({ who: fc.nat(1), at: fc.nat(25_000), for: fc.nat(8000) }), { maxLength: 4 }),
    outages: fc.array(fc.record({ who: fc.nat(1), at: fc.nat(25_000), for: fc.nat(8000) }), { maxLength: 4 }),
    jumps: fc.array(fc.record({ who: fc.nat(1), at: fc.nat(25_000), by: fc.integer({ min: -9000, max: 9000 }) }), {
      maxLength: 3,
    }),
    releases: fc.array(fc.record({ who: fc.nat(1), at: fc.nat(25_000) }), { maxLength: 2 }),
  });

  test('LE-1, WG-2: never are two gates open at once, and when the trouble is over one replica leads', async () => {
    await fc.assert(
      fc.asyncProperty(trouble, async ({ seed, slowness, loss, stalls, outages, jumps, releases }) => {
        const { clock, store, replica } = setup();
        const random = seededRandom(seed);
        let calm = false;
        const down = new Set<number>();
        const network = (who: number): Network => ({
          latency: () => (calm ? 1 : random() * slowness),
          fate: () => {
            if (calm) return 'ok';
            if (down.has(who)) return random() < 0.5 ? 'held' : 'lost';
            const luck = random();
            return luck < loss / 2 ? 'lost' : luck < loss ? 'answer lost' : 'ok';
          },
        });
        let born = 0;
        const all: Replica[] = [];
        /** A process that ends is started again, as a new candidate. */
        const start = (who: number): Replica => {
          const fresh = replica(`${who}-${(born += 1)}`, tight);
          fresh.network = network(who);
          all.push(fresh);
          fresh.election.campaign(forEver).catch(() => undefined);
          fresh.election.lost.catch(() => void (present[who] = start(who)));
          return fresh;
        };
        const present: Replica[] = [];
        present.push(start(0));
        present.push(start(1));
        const releaseOf = async (who: number): Promise<void> => {
          await present[who]?.election.release();
          present[who] = start(who);
        };
        for (const { who, at, for: length } of stalls) {
          clock.timer(at, () => {
            const stalled = present[who];
            stalled?.stall();
            clock.timer(length, () => stalled?.resume());
          });
        }
        for (const { who, at, for: length } of outages) {
          clock.timer(at, () => void down.add(who));
          clock.timer(at + length, () => void down.delete(who));
        }
        for (const { who, at, by } of jumps) clock.timer(at, () => void ((present[who] as Replica).jumped += by));
        for (const { who, at } of releases) clock.timer(at, () => void releaseOf(who));
        for (let t = 0; t < 34_000; t += 40) {
          await clock.advance(40);
          expect(all.filter(isOpen).map(({ identity }) => identity).length).toBeLessThanOrEqual(1);
        }
        calm = true;
        down.clear();
        await clock.advance(15_000);
        expect(all.filter(isOpen).map(({ identity }) => identity)).toEqual([store.lease?.spec?.holderIdentity]);
      }),
      { numRuns: 25 },
    );
  });
});
