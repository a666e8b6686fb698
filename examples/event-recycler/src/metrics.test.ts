import { Node, Pod } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { EventRecycler } from './event-recycler.ts';
import { metrics } from './metrics.ts';
import { Stage } from './stage.test-support.ts';

const groups = ['asg-a', 'asg-b', 'asg-c', 'asg-d'].map((name) => ({ name, nodeGroup: `ng-${name}`, size: 1 }));

/** The value of a series, as the endpoint shows it. */
const valueOf = (stage: Stage, series: string): number | undefined => {
  const text = stage.replicas[0]?.manager?.metrics() ?? '';
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('ER-56: matches, unresolved Events, trips, recycles by result and the breaker are measured, by node group', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  await stage.pass(5000);
  expect(valueOf(stage, 'kaws_matching_events{node_group="ng-asg-a",recycler="sandbox"}')).toBe(0);
  expect(valueOf(stage, 'kaws_breaker_open{recycler="sandbox"}')).toBe(0);
  await stage.sicken('asg-a');
  await stage.pass(5000);
  expect(valueOf(stage, 'kaws_matching_events{node_group="ng-asg-a",recycler="sandbox"}')).toBe(1);
  expect(valueOf(stage, 'kaws_matching_events{node_group="ng-asg-b",recycler="sandbox"}')).toBe(0);
  await stage.history(1);
  expect(valueOf(stage, 'kaws_trips_total{node_group="ng-asg-a"}')).toBe(1);
  expect(valueOf(stage, 'kaws_recycles_total{node_group="ng-asg-a",result="succeeded"}')).toBe(1);
  for (const name of ['asg-b', 'asg-c', 'asg-d']) await stage.sicken(name);
  await stage.pass(5000);
  expect(valueOf(stage, 'kaws_breaker_open{recycler="sandbox"}')).toBe(1);
  expect(valueOf(stage, 'kaws_unresolved_events{recycler="sandbox"}')).toBe(0);
  await stage.client.create(Node.build({ name: 'on-premises', spec: { providerID: 'metal://rack-7' } }));
  const spec = { nodeName: 'on-premises', containers: [{ name: 'c', image: 'i' }] };
  await stage.event(await stage.client.create(Pod.build({ name: 'stray', namespace: 'default', spec })));
  await stage.pass(5000);
  expect(valueOf(stage, 'kaws_unresolved_events{recycler="sandbox"}')).toBe(1);
});

test('ER-56: what one EventRecycler shows is not hidden by the next one', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  for (const { name } of groups) await stage.sicken(name);
  await stage.recycler({ searchTerms: ['something else'] }, 'other');
  await stage.pass(3 * 60_000);
  expect(valueOf(stage, 'kaws_breaker_open{recycler="sandbox"}')).toBe(1);
  expect(valueOf(stage, 'kaws_breaker_open{recycler="other"}')).toBe(0);
  expect(valueOf(stage, 'kaws_matching_events{node_group="ng-asg-a",recycler="sandbox"}')).toBe(1);
  expect(valueOf(stage, 'kaws_matching_events{node_group="ng-asg-a",recycler="other"}')).toBe(0);
});

test('ER-56: what an EventRecycler showed is not shown any more once it is deleted', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  for (const { name } of groups) await stage.sicken(name);
  await stage.pass(3 * 60_000);
  expect(valueOf(stage, 'kaws_breaker_open{recycler="sandbox"}')).toBe(1);
  await stage.client.delete(EventRecycler, 'sandbox');
  await stage.env.gone(EventRecycler, 'sandbox', { within: '1m' });
  expect(valueOf(stage, 'kaws_breaker_open{recycler="sandbox"}')).toBe(0);
});

test('ER-56: a group that trips and is not acted on does not count as a trip, however often it is looked at', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  stage.model.suspend('asg-a', 'Launch');
  await stage.sicken('asg-a');
  await stage.pass(5 * 60_000);
  expect((await stage.condition('Ready'))?.message).toContain('suspended');
  expect(valueOf(stage, 'kaws_trips_total{node_group="ng-asg-a"}')).toBeUndefined();
});

test('ER-56: what Kilter measures of caches, runs and leadership is there, Events included', async () => {
  await using stage = await Stage.open({ groups });
  await stage.start('one');
  await stage.recycler();
  await stage.pass(5000);
  const text = stage.replicas[0]?.manager?.metrics() ?? '';
  expect(text).toMatch(/^controller_runtime_reconcile_time_seconds_count\{.*\} [1-9]/m);
  expect(text).toMatch(/^controller_runtime_reconcile_total\{.*\} [1-9]/m);
  expect(text).toMatch(/^leader_election_master_status\{name="kaws-operator-lock"\} 1/m);
  for (const kind of ['Event.events.k8s.io', 'Pod', 'Node', 'EventRecycler.kaws.kilter.dev'])
    expect(text).toMatch(new RegExp(`^kilter_cache_objects\\{.*kind="${kind}".*\\} \\d`, 'm'));
  expect(text).toMatch(/^kilter_cache_synced\{.*kind="Event.events.k8s.io".*\} 1/m);
});

test("ER-56: no label of the operator's own metrics names an Event or a Pod", () => {
  const labels = metrics.flatMap((metric) => Object.keys((metric as { labels?: object }).labels ?? {}));
  expect(new Set(labels)).toEqual(new Set(['node_group', 'recycler', 'result']));
});
