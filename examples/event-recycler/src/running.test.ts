// Three replicas on the embedded server: who acts, how often, and what happens when a server is away.
import { formatTime } from 'kilter/api';
import { Lease } from 'kilter/k8s/coordination/v1';
import { Event } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { phases } from './event-recycler.ts';
import { type FateOf, Stage } from './stage.test-support.ts';

const groups = ['asg-a', 'b', 'c', 'd'].map((name) => ({ name, size: 1 }));
const writes = (stage: Stage) =>
  stage.env.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));

test('ER-51, ER-71: at rest nothing is written for an hour, with one run per watchInterval', async () => {
  await using stage = await Stage.open({ groups });
  const one = await stage.start('one');
  await stage.recycler({ threshold: 50 });
  await stage.sicken('asg-a', 3);
  await stage.pass(61_000);
  const { lastCheckTime = '' } = await stage.status();
  const before = { writes: writes(stage).length, runs: one.manager?.runs.recent().length ?? 0 };
  await stage.pass(50 * 60_000);
  expect(writes(stage).slice(before.writes)).toEqual([]);
  const runs = one.manager?.runs.recent().slice(before.runs) ?? [];
  const gaps = runs.slice(1).map(({ startedAt }, n) => startedAt - (runs[n]?.startedAt ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
  expect(runs.length).toBeGreaterThanOrEqual(49);
  // Five times the safety resync shows every object again: one look, and one of what came after it began.
  expect(runs.length).toBeLessThanOrEqual(51 + 2 * 5);
  // The time of the last look moves with what it found, and with nothing else.
  expect(lastCheckTime).not.toBe('');
  expect((await stage.status()).lastCheckTime).toBe(lastCheckTime);
  await stage.sicken('asg-a', 1);
  await stage.pass(2000);
  expect((await stage.status()).lastCheckTime).toBe(formatTime(stage.clock.now()));
});

test('ER-21, ER-50, ER-73: followers are warm and do nothing; after a crash another one goes on with the counts within 17.75 s', async () => {
  await using stage = await Stage.open({ groups });
  const one = await stage.start('one');
  await stage.pass(1000);
  const two = await stage.start('two');
  const three = await stage.start('three');
  await stage.recycler({ dryRun: true });
  await stage.sicken('asg-a', 2);
  await stage.pass(5000);
  expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 2 });
  for (const follower of [two, three]) {
    await follower.manager?.ready;
    expect(follower.manager?.leading).toBe(false);
    expect(follower.manager?.runs.recent()).toEqual([]);
  }
  expect(new Set(stage.model.calls.map(({ leader }) => leader?.identity))).toEqual(new Set(['one']));
  // Events expire: what they were counted as is in the status, and nowhere else.
  for (const { metadata } of await stage.client.list(Event, { namespace: 'default' }))
    await stage.client.delete(Event, metadata);
  one.kill();
  await stage.pass(17_750);
  const next = [two, three].filter(({ manager }) => manager?.leading);
  expect(next).toHaveLength(1);
  expect(next[0]?.manager?.runs.recent().length).toBeGreaterThan(0);
  expect((await stage.status()).eventCounts).toEqual({ 'asg-a': 2 });
  await stage.sicken('asg-a', 1);
  expect(await stage.history(1)).toMatchObject([{ eventCount: 3, status: 'DryRun' }]);
});

test('ER-50: in a rolling update the next one acts within 2 s of the release, on the same Lease, and ends the recycle as if nothing had been', async () => {
  await using stage = await Stage.open({ groups });
  const all = [await stage.start('one')];
  await stage.pass(1000);
  all.push(await stage.start('two'), await stage.start('three'));
  await stage.recycler({ pollInterval: '5s', watchInterval: '20s' });
  await stage.sicken('asg-a');
  const lock = { namespace: 'kube-system', name: 'kaws-operator-lock' };
  const epochs: number[] = [];
  for (const phase of ['Draining', 'ScalingDown', 'ScalingUp'] as const) {
    await stage.until(async () => {
      const [active] = (await stage.status()).activeRecycles ?? [];
      return active !== undefined && phases.indexOf(active.phase) >= phases.indexOf(phase);
    });
    const leader = all.find(({ manager }) => manager?.leading);
    const before = leader?.manager?.leading;
    const stopped = leader?.manager?.stop();
    await stage.pass(2000);
    await stopped;
    const { spec } = await stage.client.get(Lease, lock);
    const next = all.filter(({ manager }) => manager?.leading);
    expect([before, next.length, spec?.holderIdentity]).toEqual([true, 1, next[0]?.identity]);
    expect(spec).toMatchObject({ leaseDurationSeconds: 15 });
    expect(next[0]?.manager?.runs.recent().length).toBeGreaterThan(0);
    epochs.push(spec?.leaseTransitions ?? -1);
    all.push(await stage.start(`after-${phase}`));
  }
  expect(new Set(epochs).size).toBe(3);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  expect(stage.model.groupNow('asg-a')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
  expect(stage.model.instancesNow().filter(({ group }) => group === 'asg-a')).toHaveLength(2);
  expect((await stage.status()).recycleHistory).toHaveLength(1);
  expect(await stage.cordoned()).toEqual([]);
});

test('ER-53: an outage of the API server in mid-recycle: nothing is listed again, and the recycle goes on afterwards', async () => {
  await using stage = await Stage.open({ groups });
  const one = await stage.start('one');
  await stage.recycler({ pollInterval: '5s' });
  await stage.sicken('asg-a');
  await stage.until(async () => (await stage.status()).activeRecycles?.[0]?.phase === 'ScalingDown');
  const lists = () =>
    stage.env.requests.filter(
      ({ method, path }) => method === 'GET' && /\/(events|pods|nodes)\?/.test(path) && !path.includes('watch='),
    ).length;
  const [listed, changes] = [lists(), stage.model.changes.length];
  // Nodes and Pods are left alone: the fleet itself is kept through the same server.
  const heals = ['Event', 'EventRecycler'].map((kind) =>
    stage.env.server.fail({ kind, fault: { type: 'status', code: 503 } }),
  );
  await stage.pass(4 * 60_000);
  expect(stage.model.changes.length).toBe(changes);
  expect(one.manager?.metrics()).toMatch(/^kilter_cache_synced\{.*kind="Event.events.k8s.io".*\} 1/m);
  for (const heal of heals) heal();
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  expect(stage.model.groupNow('asg-a')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
  // Every ten minutes a LIST is compared with the cache (ER-52); the outage adds none.
  expect(lists() - listed).toBeLessThanOrEqual(3);
});

test('ER-53: without the API server nothing starts; it starts when it is back', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  await stage.sicken('asg-a');
  await stage.pass(5000);
  const heal = stage.env.server.fail({ kind: 'EventRecycler', fault: { type: 'status', code: 503 } });
  await stage.pass(3 * 60_000);
  expect(stage.model.changes).toEqual([]);
  heal();
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
});

test('ER-53, ER-30: an intent that was stored, but cannot be read back from the server, is not acted on', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  const heal = stage.env.server.fail({ kind: 'EventRecycler', verb: 'get', fault: { type: 'status', code: 503 } });
  await stage.sicken('asg-a');
  await stage.pass(3 * 60_000);
  heal();
  expect((await stage.status()).activeRecycles).toMatchObject([{ phase: 'Planned' }]);
  expect(stage.model.changes).toEqual([]);
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
});

test('ER-81: under pauses and clock jumps no two replicas change one group in one epoch', async () => {
  await using stage = await Stage.open({ groups });
  const all = [await stage.start('one')];
  await stage.pass(1000);
  all.push(await stage.start('two'), await stage.start('three'));
  await stage.recycler({ strategy: 'ScaleToZero', pollInterval: '5s', watchInterval: '20s' });
  await stage.sicken('asg-a');
  for (let round = 0; round < 8; round += 1) {
    const leader = all.find(({ manager, dead }) => manager?.leading && !dead);
    await stage.pass(12_000);
    if (round % 2 === 0) leader?.pause();
    else stage.clock.jump(round % 4 === 1 ? 30_000 : -30_000);
    await stage.pass(22_000);
    leader?.resume();
  }
  await stage.history(1);
  const byEpoch = new Map<number, Set<string>>();
  for (const { leader } of stage.model.changes) {
    const who = byEpoch.get(leader?.epoch ?? -1) ?? new Set();
    byEpoch.set(leader?.epoch ?? -1, who.add(leader?.identity ?? ''));
  }
  expect(byEpoch.has(-1)).toBe(false);
  // And none changes anything after the one that followed it.
  const epochs = stage.model.changes.map(({ leader }) => leader?.epoch ?? -1);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  // Leadership did change hands in mid-recycle.
  expect(byEpoch.size).toBeGreaterThan(1);
  for (const [, who] of byEpoch) expect(who.size).toBe(1);
  expect(stage.model.groupNow('asg-a')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
});

test('ER-81: a leader that pauses with a call to AWS in its hands does not send it when it goes on', async () => {
  const held: string[] = [];
  const fateOf: FateOf = (what, replica) => {
    if (!/^aws (tag|resize|untag)$/.test(what) || held.includes(what)) return undefined;
    held.push(what);
    replica.pause();
    stage.clock.timer(40_000, () => replica.resume());
    return undefined;
  };
  await using stage: Stage = await Stage.open({ groups, fateOf });
  await stage.start('one');
  await stage.pass(1000);
  for (const name of ['two', 'three', 'four']) await stage.start(name);
  await stage.recycler({ strategy: 'ScaleToZero', pollInterval: '5s', watchInterval: '20s' });
  await stage.sicken('asg-a');
  expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
  await stage.pass(60_000);
  expect(held).toEqual(['aws tag', 'aws resize', 'aws untag']);
  const epochs = stage.model.changes.map(({ leader }) => leader?.epoch ?? -1);
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  expect(new Set(epochs).size).toBe(3);
  expect(stage.model.groupNow('asg-a')).toMatchObject({ min: 1, max: 3, desired: 1, original: undefined });
  expect(stage.model.instancesNow().filter(({ group }) => group === 'asg-a')).toHaveLength(2);
});
