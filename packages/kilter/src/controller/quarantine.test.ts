import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { virtualClock } from '../internal/index.ts';
import type { ReconcileEnvironment, Run } from '../reconcile/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { CrashWatch } from './crash-watch.ts';
import { Quarantine } from './quarantine.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const annotation = 'quarantine.kilter.dev/boxes';
const box = (mark?: object, generation = 1): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Box',
  metadata: {
    name: 'x',
    namespace: 'n',
    generation,
    resourceVersion: '1',
    ...(mark !== undefined && { annotations: { [annotation]: JSON.stringify(mark) } }),
  },
});
const marked = { reason: 'it ends the process', generation: 1 };

function setUp(strikes = 0) {
  const patches: unknown[] = [];
  const ends: string[] = [];
  const client = { patch: async (...[, , body]: unknown[]) => (patches.push(body), box()) };
  const crashes = {
    strikesOf: () => strikes,
    enter: async (id: string) => () => void ends.push(id),
    clear: () => undefined,
  } as unknown as CrashWatch;
  const events: unknown[] = [];
  const recorder = { record: (event: object) => void events.push(event) };
  const environment = { kind: Box, clock: virtualClock(), recorder };
  const metrics = new MetricsRegistry();
  const quarantine = new Quarantine({
    controller: 'boxes',
    environment: environment as unknown as ReconcileEnvironment,
    metrics,
    crashes,
  });
  const run = { ref: { name: 'x', namespace: 'n' }, key: 'n/x', log: silentLogger, client } as unknown as Run;
  const count = () => /^kilter_quarantined_objects\{.*\} (\S+)$/m.exec(metrics.text())?.[1];
  return {
    quarantine,
    before: async (object: KubeObject) => quarantine.before(run, object),
    patches,
    ends,
    count,
    events,
  };
}

test('B-30: a marked object is left out and held; without its mark it runs again and is not held any more', async () => {
  const { quarantine, before, ends, count } = setUp();
  expect(await before(box(marked))).toBeUndefined();
  expect([quarantine.holds('n/x'), count()]).toEqual([true, '1']);
  const leave = await before(box());
  expect([quarantine.holds('n/x'), count()]).toEqual([false, '0']);
  leave?.();
  expect(ends).toEqual(['boxes/n/x']);
});

test('B-30: an object that has changed loses its mark, and every change of it is looked at until it runs', async () => {
  const { quarantine, before, patches } = setUp();
  expect(await before(box(marked, 2))).toBeUndefined();
  expect(patches).toEqual([{ metadata: { resourceVersion: '1', annotations: { [annotation]: null } } }]);
  expect(quarantine.holds('n/x')).toBe(true);
  expect(await before(box(undefined, 2))).toBeTypeOf('function');
  expect(quarantine.holds('n/x')).toBe(false);
});

test('B-30: an object that ended the process three times is marked with the reason, and an Event says so', async () => {
  const { quarantine, before, patches, events, count } = setUp(3);
  expect(await before(box())).toBeUndefined();
  const [{ metadata }] = patches as [{ metadata: { annotations: Record<string, string> } }];
  const reason = 'the process ended 3 times while boxes reconciled this object';
  expect(JSON.parse(metadata.annotations[annotation] ?? '')).toMatchObject({ reason, generation: 1 });
  expect(events).toMatchObject([{ type: 'Warning', reason: 'Quarantined', message: expect.stringContaining(reason) }]);
  expect([quarantine.holds('n/x'), count()]).toEqual([true, '1']);
});

test('B-30: of one that is gone nothing is kept', async () => {
  const { quarantine, before, count } = setUp();
  await before(box(marked));
  quarantine.forget('n/x');
  expect([quarantine.holds('n/x'), count()]).toEqual([false, '0']);
});
