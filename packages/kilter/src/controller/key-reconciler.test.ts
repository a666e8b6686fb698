import { expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { AppliedStates, type ReconcileEnvironment, type Run } from '../reconcile/index.ts';
import { KeyReconciler } from './key-reconciler.ts';
import type { ControllerSpec } from './spec.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u' } };
const run = { ref: { name: 'x' }, key: 'x', causes: [] as never } as unknown as Run;

test('RW-9: also where the time of that wait is measured, which then is what it took', async () => {
  const clock = virtualClock();
  const timing = { settle: 0 };
  const objects = { unsettled: () => clock.sleep(300), stored: () => undefined, managedFieldsOf: () => [] };
  const environment = { states: new AppliedStates(), clock } as unknown as ReconcileEnvironment;
  const reconciler = new KeyReconciler({ cleanups: [], owns: [] } as unknown as ControllerSpec, environment, objects);
  let ended: unknown;
  void reconciler.run({ ...run, timing } as unknown as Run).then((end) => (ended = end));
  await clock.advance(299);
  expect(ended).toBeUndefined();
  await clock.advance(1);
  expect([ended, timing.settle]).toEqual([{ type: 'absent' }, 300]);
});

test('RW-9, RC-13: the object is taken only after the writes of earlier runs have arrived, and is the run’s own', async () => {
  const order: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const objects = {
    unsettled: () => arrived.promise.then(() => void order.push('settled')),
    stored: () => (order.push('taken'), { decode: () => structuredClone(object) }),
    managedFieldsOf: () => [],
  };
  const given: unknown[] = [];
  const spec = {
    cleanups: [],
    owns: [],
    reconcile: async (own: typeof object, ctx: { event: (...line: string[]) => void }) => {
      given.push(own);
      own.metadata.name = 'changed';
      ctx.event('Normal', 'Seen', 'seen');
    },
  } as unknown as ControllerSpec;
  const leadership = () => ({ epoch: 0, identity: 'one' });
  const regarding: unknown[] = [];
  const recorder = { record: (event: { regarding: unknown }) => regarding.push(event.regarding) };
  const environment = { states: new AppliedStates(), leadership, recorder } as unknown as ReconcileEnvironment;
  const ended = new KeyReconciler(spec, environment, objects).run(run);
  await Promise.resolve();
  expect(order).toEqual([]);
  arrived.resolve();
  expect(await ended).toEqual({ type: 'returned', value: undefined });
  expect(order).toEqual(['settled', 'taken']);
  expect(given).toHaveLength(1);
  // What the framework goes by is not what the run was given.
  expect(regarding).toEqual([object]);
});
