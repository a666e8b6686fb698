import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import type { Next, Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'update' };
const ref = (i: number): { name: string; namespace: string } => ({ name: `k${i}`, namespace: `n${i % 3}` });

const next: fc.Arbitrary<Next> = fc.oneof(
  fc.constantFrom<Next>({ type: 'forget' }, { type: 'drop' }),
  fc.constantFrom<Next>({ type: 'requeue', reason: 'r' }, { type: 'retry', reason: 'r' }),
  fc.nat(2000).map((ms): Next => ({ type: 'after', ms, reason: 'r' })),
  fc.nat(2000).map((ms): Next => ({ type: 'wait', ms, reason: 'r' })),
);

type Step =
  | { readonly act: 'add'; readonly key: number; readonly priority: number }
  | { readonly act: 'addAfter'; readonly key: number; readonly ms: number }
  | { readonly act: 'take' }
  | { readonly act: 'done'; readonly which: number; readonly next: Next }
  | { readonly act: 'advance'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('add' as const), key: fc.nat(6), priority: fc.constantFrom(-100, 0, 10) }),
  fc.record({ act: fc.constant('addAfter' as const), key: fc.nat(6), ms: fc.integer({ min: -5, max: 3000 }) }),
  fc.record({ act: fc.constant('take' as const) }),
  fc.record({ act: fc.constant('done' as const), which: fc.nat(10), next }),
  fc.record({ act: fc.constant('advance' as const), ms: fc.nat(1500) }),
);

describe('whatever happens', () => {
  test('WQ-2, WQ-3: no key is taken twice without a done, and no add is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 80 }), fc.nat(), async (steps, seed) => {
        const runtime = virtualRuntime(seed);
        const { clock } = runtime;
        const queue = workQueue({ name: 'q', runtime });
        const running = new Map<string, Work>();
        /** Keys that were added and have not been taken since. */
        const owed = new Set<string>();
        const wrong: string[] = [];
        const onTaken = (work: Work | undefined): void => {
          if (work === undefined) return;
          if (running.has(work.key)) wrong.push(`${work.key} runs twice`);
          if (work.causes.length === 0) wrong.push(`${work.key} runs without a cause`);
          running.set(work.key, work);
          owed.delete(work.key);
        };
        const finish = (work: Work, outcome: Next): void => {
          running.delete(work.key);
          queue.done(work, outcome);
        };
        for (const one of steps) {
          if (one.act === 'add') {
            queue.add(ref(one.key), cause, { priority: one.priority });
            owed.add(`n${one.key % 3}/k${one.key}`);
          } else if (one.act === 'addAfter') {
            queue.addAfter(ref(one.key), one.ms, cause);
          } else if (one.act === 'take') {
            void queue.take().then(onTaken);
          } else if (one.act === 'advance') {
            await clock.advance(one.ms);
          } else {
            const work = [...running.values()][one.which % Math.max(1, running.size)];
            if (work !== undefined) finish(work, one.next);
          }
          await clock.settle();
          expect(queue.processing).toBe(running.size);
        }
        while (running.size > 0 || queue.depth > 0) {
          if (queue.depth > running.size || running.size === 0) void queue.take().then(onTaken);
          await clock.settle();
          for (const work of running.values()) finish(work, { type: 'forget' });
          await clock.settle();
        }
        expect([...owed]).toEqual([]);
        expect(wrong).toEqual([]);
        await clock.advance(3_600_000);
        queue.shutdown();
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  test('PQ-11: under a stream at 0 above throughput a key at -100 is handed out after a bounded number of takes', async () => {
    const load = fc.record({
      perTake: fc.integer({ min: 1, max: 4 }),
      work: fc.integer({ min: 10, max: 400 }),
      namespaces: fc.integer({ min: 1, max: 8 }),
      fairness: fc.constantFrom('namespace' as const, 'off' as const),
    });
    await fc.assert(
      fc.asyncProperty(load, async ({ perTake, work, namespaces, fairness }) => {
        const runtime = virtualRuntime();
        const queue = workQueue({ name: 'q', runtime, fairness, ageing: 3000 });
        queue.add({ name: 'patient', namespace: 'n0' }, cause, { priority: -100 });
        let added = 0;
        const flood = (): void => {
          for (let i = 0; i < perTake; i += 1, added += 1) {
            queue.add({ name: `k${added}`, namespace: `n${added % namespaces}` }, cause);
          }
        };
        flood();
        const bound = Math.ceil(3000 / work) + namespaces + 2;
        for (let takes = 1; ; takes += 1) {
          flood();
          const taken = await queue.take();
          if (taken?.key === 'n0/patient') return;
          expect(takes).toBeLessThan(bound);
          await runtime.clock.advance(work);
          if (taken !== undefined) queue.done(taken, { type: 'forget' });
        }
      }),
      { numRuns: 40 },
    );
  });

  test('PQ-14: however often keys are added, delayed and retried, one timer and its safety net are armed and one run is due per key', async () => {
    const runtime = virtualRuntime(7);
    const { clock } = runtime;
    const queue = workQueue({ name: 'q', runtime });
    for (let i = 0; i < 2000; i += 1) {
      queue.addAfter(ref(i % 20), 1 + Math.floor(runtime.random() * 10_000), cause);
      if (i % 3 === 0) queue.add(ref(i % 20), cause);
    }
    expect(clock.pending).toBe(2);
    expect(queue.depth).toBeLessThanOrEqual(20);
    await clock.advance(20_000);
    expect(queue.depth).toBe(20);
    expect(clock.pending).toBe(0);
  });

  test('PQ-14: nothing is kept of a key that neither wants to run nor waits', async () => {
    const runtime = virtualRuntime();
    const met: string[] = [];
    // The fairness function is asked once for every key the queue does not know.
    const queue = workQueue({ name: 'q', runtime, fairness: ({ name }) => (met.push(name), '') });
    const run = async (outcome: Next): Promise<void> => queue.done((await queue.take()) as Work, outcome);
    queue.add({ name: 'x' }, cause);
    await run({ type: 'retry', reason: 'r' });
    queue.add({ name: 'x' }, cause);
    expect(met).toEqual(['x']);
    await run({ type: 'forget' });
    queue.add({ name: 'x' }, cause);
    expect(met).toEqual(['x', 'x']);
  });
});
