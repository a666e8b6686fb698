import { expect, test } from 'vitest';
import { AppliedStates, type ReconcileEnvironment, type Run } from '../reconcile/index.ts';
import { OneRun } from './one-run.ts';
import type { ControllerSpec } from './spec.ts';

const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u' } };
const run = { ref: { name: 'x' }, key: 'x', causes: [] as never } as unknown as Run;

test('RW-9, RC-13: the object is taken only after the writes of earlier runs have arrived, and is the run’s own', async () => {
  const order: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const objects = {
    settled: () => arrived.promise.then(() => void order.push('settled')),
    get: () => (order.push('taken'), object),
    managedFieldsOf: () => [],
  };
  const given: unknown[] = [];
  const spec = {
    cleanups: [],
    owns: [],
    reconcile: async (own: typeof object) => {
      given.push(own);
      own.metadata.name = 'changed';
    },
  } as unknown as ControllerSpec;
  const leadership = () => ({ epoch: 0, identity: 'one' });
  const environment = { states: new AppliedStates(), leadership } as unknown as ReconcileEnvironment;
  const ended = new OneRun(spec, environment, objects).run(run);
  await Promise.resolve();
  expect(order).toEqual([]);
  arrived.resolve();
  expect(await ended).toEqual({ type: 'returned', value: undefined });
  expect(order).toEqual(['settled', 'taken']);
  expect(given).toHaveLength(1);
  expect(object.metadata.name).toBe('x');
});
