// Somebody deletes the Lease while it is held.
import { expect, test } from 'vitest';
import { campaign, isOpen, pair, perfect, setup } from './lease-world.test-support.ts';

test('LE-20: its holder makes it again with its next renewal and leads on; nobody else does meanwhile', async () => {
  const { clock, store, a, b, first, second } = await pair({ labels: { of: 'us' } });
  const term = store.lease?.spec;
  store.remove();
  const open: boolean[][] = [];
  for (let n = 0; n < 300; n += 1) {
    await clock.advance(100);
    open.push([isOpen(a), isOpen(b)]);
  }
  expect(open.filter(([ours, theirs]) => !ours || theirs)).toEqual([]);
  expect([first.lost, second.epoch]).toEqual([undefined, undefined]);
  const { holderIdentity, leaseTransitions, acquireTime } = store.lease?.spec ?? {};
  expect([holderIdentity, leaseTransitions, acquireTime]).toEqual(['a', term?.leaseTransitions, term?.acquireTime]);
  expect(store.lease?.metadata.labels).toEqual({ of: 'us' });
  expect(a.lines.filter(({ msg }) => String(msg).includes('was deleted; it is created again'))).toHaveLength(1);
  expect(b.lines.filter(({ msg }) => String(msg).includes('was deleted while it was held'))).toHaveLength(1);
});

test('LE-20: a holder that does not make it again is waited for as for any silent one; terms are counted on', async () => {
  const { clock, store, a, b, second } = await pair();
  a.network = { ...perfect, fate: () => 'lost' };
  store.remove();
  await clock.advance(15_600);
  expect([second.epoch, isOpen(a)]).toEqual([undefined, false]);
  await clock.advance(2000);
  expect([second.epoch, isOpen(b), store.lease?.spec?.holderIdentity]).toEqual([1, true, 'b']);
});

test('LE-20: one that was free is taken at once', async () => {
  const { clock, store, replica } = setup();
  const [a, b] = [replica('a'), replica('b')];
  campaign(a);
  await clock.advance(0);
  await Promise.all([a.election.release(), clock.advance(0)]);
  const second = campaign(b);
  store.remove();
  await clock.advance(100);
  expect([second.epoch, isOpen(b)]).toEqual([1, true]);
});

test('LE-20: whoever made it meanwhile leads: its former holder has lost', async () => {
  const { clock, store, a, first, replica } = await pair();
  store.remove();
  // It has just started, and knows of no holder.
  const fresh = replica('fresh');
  const third = campaign(fresh);
  await clock.advance(100);
  expect(third.epoch).toBe(0);
  await clock.advance(5000);
  expect([isOpen(a), first.lost]).toEqual([false, expect.objectContaining({ code: 'ELECTION_LOST' })]);
  expect(isOpen(fresh)).toBe(true);
});

test('LE-20: deleting a record that nobody renews frees it, however long it says that its holder may be silent', async () => {
  const { clock, store, replica } = setup();
  const a = replica('a');
  store.lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'op', namespace: 'ns', resourceVersion: '1' },
    spec: { holderIdentity: 'rubbish', leaseDurationSeconds: 2 ** 31 - 1 },
  };
  const outcome = campaign(a);
  await clock.advance(3_600_000);
  expect(outcome.epoch).toBeUndefined();
  expect(a.lines).toContainEqual(
    expect.objectContaining({ level: 40, msg: expect.stringContaining('to be silent for 2147483647 s') }),
  );
  store.remove();
  await clock.advance(17_000);
  expect([outcome.epoch, store.lease?.spec?.holderIdentity]).toEqual([1, 'a']);
});
