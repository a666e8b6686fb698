import { expect, test } from 'vitest';
import { AppliedStates, type ReconcileEnvironment, type Run } from '../reconcile/index.ts';
import { KeyReconciler } from './key-reconciler.ts';
import type { ControllerSpec } from './spec.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u' } };
const run = { ref: { name: 'x' }, key: 'x', causes: [] as never } as unknown as Run;

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
