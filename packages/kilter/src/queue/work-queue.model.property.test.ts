import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import type { Next, Work } from './work.ts';
import { workQueue } from './work-queue.ts';

interface Due {
  readonly at: number;
  readonly priority: number;
}

/** What the model knows of a key: no lines, no heaps, no alarms. */
interface Key {
  readonly name: string;
  /** Set while it wants to run; an order only while it can be handed out. */
  wants: { priority: number; order: number | undefined } | undefined;
  running: boolean;
  timer: Due | undefined;
  retry: Due | undefined;
  failures: number;
  heldUntil: number;
}

const base = 5;
const delay = (n: number): number => Math.min(base * 2 ** (n - 1), 1_000_000);

function dueAt({ timer, retry, running, heldUntil }: Key): number {
  const at = timer?.at ?? Infinity;
  return running ? at : Math.min(at, retry?.at ?? Infinity, heldUntil > 0 ? heldUntil : Infinity);
}

/** The queue as its contract says it, each question answered by looking at everything. */
class Model {
  readonly #keys = new Map<string, Key>();
  #orders = 0;

  keyOf(name: string): Key {
    const fresh = { wants: undefined, running: false, timer: undefined, retry: undefined, failures: 0, heldUntil: 0 };
    const key = this.#keys.get(name) ?? { name, ...fresh };
    this.#keys.set(name, key);
    return key;
  }

  get depth(): number {
    return [...this.#keys.values()].filter(({ wants }) => wants !== undefined).length;
  }

  want(key: Key, priority: number): void {
    const { wants } = key;
    if (wants === undefined) key.wants = { priority, order: this.#orderFor(key) };
    else if (priority > wants.priority) {
      const order = wants.order === undefined ? undefined : this.#nextOrder();
      key.wants = { priority, order };
    }
  }

  /** Everything that was due by now, each in its moment. */
  pass(now: number): void {
    for (let key = this.#firstDue(now); key !== undefined; key = this.#firstDue(now)) {
      const { timer, retry } = key;
      const moment = dueAt(key);
      if (timer !== undefined && timer.at <= moment) {
        key.timer = undefined;
        this.want(key, timer.priority);
      }
      if (retry !== undefined && retry.at <= moment && !key.running) {
        key.retry = undefined;
        this.want(key, retry.priority);
      }
      if (key.heldUntil > 0 && key.heldUntil <= moment && !key.running) this.#release(key);
    }
  }

  /** The one of the highest priority that has waited longest. */
  take(): Key | undefined {
    const ready = [...this.#keys.values()].filter(({ wants }) => wants?.order !== undefined);
    const [first] = ready.toSorted(
      (a, b) => (b.wants?.priority ?? 0) - (a.wants?.priority ?? 0) || (a.wants?.order ?? 0) - (b.wants?.order ?? 0),
    );
    return first;
  }

  done(key: Key, next: Next, { now, priority, hold }: { now: number; priority: number; hold: number }): void {
    key.running = false;
    key.heldUntil = hold > 0 ? now + hold : 0;
    const isFirst = key.retry === undefined;
    if (next.type === 'forget' || next.type === 'drop' || next.type === 'after') {
      key.failures = 0;
      key.retry = undefined;
    }
    if (next.type === 'drop') key.timer = undefined;
    const waits = next.type === 'wait' || (next.type === 'after' && next.ms > 0);
    if (waits && !((key.timer?.at ?? Infinity) <= now + next.ms)) key.timer = { at: now + next.ms, priority };
    if (next.type === 'requeue' && isFirst) {
      key.retry = { at: now + (key.failures === 0 ? 0 : delay(key.failures)), priority };
      key.failures += 1;
    }
    if (next.type === 'retry') {
      const earliest = now + (next.atLeast ?? 0);
      if (isFirst) key.failures += 1;
      const own = key.retry ?? { at: now + delay(key.failures), priority };
      key.retry = { at: Math.max(own.at, earliest), priority: own.priority };
    }
    if (key.wants !== undefined) key.wants = { ...key.wants, order: this.#orderFor(key) };
    this.pass(now);
  }

  #firstDue(now: number): Key | undefined {
    const [first] = [...this.#keys.values()].filter((key) => dueAt(key) <= now).toSorted((a, b) => dueAt(a) - dueAt(b));
    return first;
  }

  #release(key: Key): void {
    key.heldUntil = 0;
    if (key.wants !== undefined) key.wants = { ...key.wants, order: this.#nextOrder() };
  }

  #orderFor({ running, heldUntil }: Key): number | undefined {
    return running || heldUntil > 0 ? undefined : this.#nextOrder();
  }

  #nextOrder(): number {
    this.#orders += 1;
    return this.#orders;
  }
}

const time = (max: number): fc.Arbitrary<number> => fc.double({ min: 0.001, max, noNaN: true });
const next: fc.Arbitrary<Next> = fc.oneof(
  fc.constantFrom<Next>({ type: 'forget' }, { type: 'drop' }, { type: 'requeue', reason: 'r' }),
  fc.record({ type: fc.constant('retry' as const), reason: fc.constant('r'), atLeast: fc.option(time(500), { nil: undefined }) }), // prettier-ignore
  fc.record({ type: fc.constantFrom('after' as const, 'wait' as const), ms: time(2000), reason: fc.constant('r') }),
);
const key = fc.nat(5).map((i) => `n${i % 2}/k${i}`);
const step = fc.oneof(
  fc.record({
    act: fc.constant('add' as const),
    key,
    // Numbers pass from key to key: a queue that believed one would take one key for another.
    number: fc.option(fc.integer({ min: -1, max: 2 })),
    priority: fc.constantFrom(-100, 0, 10),
  }),
  fc.record({ act: fc.constant('addAfter' as const), key, ms: time(3000) }),
  fc.record({ act: fc.constant('take' as const) }),
  fc.record({ act: fc.constant('take' as const) }),
  fc.record({ act: fc.constant('done' as const), which: fc.nat(5), next, hold: fc.option(time(800), { nil: 0 }) }),
  fc.record({ act: fc.constant('advance' as const), ms: time(1500) }),
);

const cause: Cause = { source: 'primary', change: 'update' };
const refOf = (name: string): { namespace: string; name: string } => {
  const [namespace = '', own = ''] = name.split('/');
  return { namespace, name: own };
};

test('PQ-1 to PQ-14: whatever happens, a queue hands out what the simplest one that keeps the contract would', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 80, maxLength: 200, size: 'max' }), async (steps) => {
      const runtime = virtualRuntime();
      const { clock } = runtime;
      const queue = workQueue({ name: 'q', runtime, jitter: 0, fairness: 'off', ageing: 1e12, backoff: { base } });
      const model = new Model();
      const running: Work[] = [];
      for (const [i, one] of steps.entries()) {
        // No two things fall due at the same moment: which comes first then is nobody's promise.
        await clock.advance(1e-3 + i * 1e-5);
        model.pass(clock.monotonic());
        const now = clock.monotonic();
        if (one.act === 'add') {
          const target = one.number === null ? one.key : { key: one.key, number: one.number };
          queue.add(target, cause, { priority: one.priority });
          model.want(model.keyOf(one.key), one.priority);
        } else if (one.act === 'addAfter') {
          queue.addAfter(refOf(one.key), one.ms, cause);
          const held = model.keyOf(one.key);
          if (!((held.timer?.at ?? Infinity) <= now + one.ms)) held.timer = { at: now + one.ms, priority: 0 };
        } else if (one.act === 'advance') {
          await clock.advance(one.ms);
          model.pass(clock.monotonic());
        } else if (one.act === 'take') {
          const work = queue.takeReady();
          const expected = model.take();
          const { wants, failures } = expected ?? {};
          expect(work && [work.key, work.priority, work.failures]).toEqual(
            expected && [expected.name, wants?.priority, failures],
          );
          if (work === undefined || expected === undefined) continue;
          running.push(work);
          expected.running = true;
          expected.wants = undefined;
        } else {
          const [work] = running.splice(one.which % Math.max(1, running.length), 1);
          if (work === undefined) continue;
          queue.done(work, one.next, { hold: one.hold });
          model.done(model.keyOf(work.key), one.next, { now, priority: work.priority, hold: one.hold });
        }
        expect([queue.depth, queue.processing]).toEqual([model.depth, running.length]);
      }
      queue.shutdown();
    }),
    { numRuns: 200 },
  );
});
