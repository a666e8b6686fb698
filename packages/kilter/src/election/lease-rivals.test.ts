// What an outage, a refusal, a pause or a second manager of the same name does to a candidacy.
import { describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { campaign, isOpen, pair, perfect, setup } from './lease-world.test-support.ts';

describe('a candidacy', () => {
  test('LE-18: a watch that is refused is tried again, and says when it is back', async () => {
    const { clock, replica } = setup();
    const [a, b] = [replica('a'), replica('b')];
    campaign(a);
    await clock.advance(0);
    b.mayWatch = false;
    const second = campaign(b);
    await clock.advance(1000);
    // As an API server does that has just started: one refusal, then all is well.
    b.mayWatch = true;
    await clock.advance(2000);
    expect(b.lines.map(({ msg }) => msg)).toContain('the Lease is watched again');
    await Promise.all([a.election.release(), clock.advance(0)]);
    expect(second.epoch).toBe(1);
  });

  test('LE-18: a watch that stays refused is tried less and less often, and is told of once', async () => {
    const { clock, replica } = setup();
    const [a, b] = [replica('a'), replica('b')];
    campaign(a);
    b.mayWatch = false;
    campaign(b);
    await clock.advance(600_000);
    // 2, 4, 8, 16, 32, then every 60 s.
    expect(b.watches).toBeGreaterThan(10);
    expect(b.watches).toBeLessThan(18);
    expect(b.lines.filter(({ msg }) => String(msg).includes('it is polled'))).toHaveLength(1);
  });

  test('LE-18: a watch that is refused is tried again after 2, 4 and 8 s', async () => {
    const { clock, replica } = setup();
    campaign(replica('a'));
    const b = replica('b');
    b.mayWatch = false;
    campaign(b);
    const tries: number[] = [];
    for (const ms of [1999, 1, 3999, 1, 7999, 1]) {
      await clock.advance(ms);
      tries.push(b.watches);
    }
    expect(tries).toEqual([1, 2, 2, 3, 3, 4]);
  });

  test('LE-19: two managers with one identity: one leads, the other says so and stands by', async () => {
    const { clock, store, replica } = setup();
    const [a, twin] = [replica('same'), replica('same')];
    const first = campaign(a);
    await clock.advance(0);
    const second = campaign(twin);
    await clock.advance(60_000);
    expect([first.epoch, second.epoch, first.lost]).toEqual([0, undefined, undefined]);
    expect([isOpen(a), isOpen(twin)]).toEqual([true, false]);
    expect(twin.lines).toMatchObject([
      { level: 40, holder: 'same' },
      { level: 50, code: 'ELECTION_IDENTITY_SHARED' },
    ]);
    // The twin that is stopped takes nothing from the other.
    await Promise.all([twin.election.release(), clock.advance(5000)]);
    expect(store.lease?.spec?.holderIdentity).toBe('same');
    expect(isOpen(a)).toBe(true);
  });

  test('LE-16: whoever asks the gate first after a stall finds the loss, before any timer', async () => {
    const { clock, a, first } = await pair();
    a.stall();
    await clock.advance(30_000);
    expect(isOpen(a)).toBe(false);
    await Promise.resolve();
    expect(hasCode(first.lost, 'ELECTION_LOST')).toBe(true);
  });

  test('every write of the Lease that succeeds tells that the server is there', async () => {
    const { clock, replica } = setup();
    let told = 0;
    const a = replica('a', { reached: () => (told += 1) });
    campaign(a);
    await clock.advance(4000);
    expect(told).toBe(3);
    a.network = { ...perfect, fate: () => 'lost' };
    await clock.advance(4000);
    expect([told, a.election.answered]).toEqual([3, false]);
    a.network = perfect;
    await clock.advance(4000);
    expect([told > 3, a.election.answered]).toEqual([true, true]);
    const outage = a.lines.map(({ msg }) => msg).filter((msg) => String(msg).includes('Lease request'));
    expect(outage).toEqual(['a Lease request failed; it is retried', 'Lease requests succeed again']);
  });
});
