import { describe, expect, test } from 'vitest';
import { connectEvery } from './every.ts';
import { connectPrimary } from './primary.ts';
import { StartGate } from './start-gate.ts';
import { named, setup } from './trigger.test-support.ts';

describe('every', () => {
  test('all primaries are woken once in a period until it is disconnected', async () => {
    const { context, primaries, clock, queue, woken, metrics } = setup();
    primaries.objects.set('default/a', named('default/a'));
    primaries.objects.set('default/b', named('default/b'));
    const disconnect = connectEvery({ ...context, primaries, period: 60_000 });
    await clock.advance(59_999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(metrics.text()).toContain('kilter_triggers_total{change="timer",controller="webapp",source="timer"} 2');
    expect(await woken()).toEqual(['default/a', 'default/b']);
    await clock.advance(60_000);
    expect((await queue.take())?.causes).toMatchObject([{ source: 'timer', change: 'timer', reason: 'every 60s' }]);
    disconnect();
    expect(clock.pending).toBe(0);
  });

  test('PQ-4: what only a period wakes stands behind what changed', async () => {
    const { context, primaries, clock, woken } = setup();
    for (let i = 0; i < 300; i += 1) primaries.objects.set(`default/k${i}`, named(`default/k${i}`));
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    connectEvery({ ...context, primaries, period: 60_000 });
    await clock.advance(60_000);
    primaries.add(named('default/new'));
    expect((await woken())[0]).toBe('default/new');
  });
});

describe('PQ-16: before the start', () => {
  test('nobody is woken, and at the start everybody is told of what is there then', async () => {
    const { context, primaries, clock, queue } = setup();
    const gate = new StartGate();
    const disconnect = connectPrimary({ ...context, gate, informer: primaries, skipStatusUpdates: false });
    connectEvery({ ...context, gate, primaries, period: 1000 });
    for (let i = 0; i < 100; i += 1) {
      primaries.add(named(`default/k${i}`));
      primaries.objects.delete(`default/k${i}`);
    }
    await clock.advance(10_000);
    expect([queue.depth, primaries.handlers.size, clock.pending]).toEqual([0, 0, 0]);
    gate.open();
    expect([primaries.handlers.size, clock.pending]).toEqual([1, 1]);
    disconnect();
    expect(primaries.handlers.size).toBe(0);
  });

  test('what is disconnected before the start is not connected by it', () => {
    const { context, primaries } = setup();
    const gate = new StartGate();
    connectPrimary({ ...context, gate, informer: primaries, skipStatusUpdates: false })();
    gate.open();
    expect(primaries.handlers.size).toBe(0);
  });
});
