// What people and dashboards read of a cache.
import { expect, test } from 'vitest';
import { kind } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { jsonLogger } from '../telemetry/index.ts';
import { startedCache, testCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import { Outages } from './outages.ts';

const Box = kind({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Cluster' });
const of = (metric: string): string => `${metric}{kind="Thing.example.com"}`;

test('whether a kind is synced is told as 0 until it is', async () => {
  const server = new ModelServer();
  server.failNext('watch', apiError(503, 'ServiceUnavailable'));
  const { cache, clock, metrics } = testCache({}, server);
  cache.informer({ kind: Thing });
  const started = cache.start();
  await clock.settle();
  expect(metrics.text()).toContain(`${of('kilter_cache_synced')} 0`);
  await clock.advance(5000);
  await started;
  expect(metrics.text()).toContain(`${of('kilter_cache_synced')} 1`);
  await cache.stop();
});

test('RF-21: a watch that outlived its time-out is counted and reported', async () => {
  const server = new ModelServer();
  const { cache, clock, metrics, lines } = await startedCache(server);
  await clock.advance((server.requests[0]?.timeoutSeconds ?? 0) * 1000 + 5000);
  expect(metrics.text()).toContain(`${of('kilter_watch_stalled_total')} 1`);
  expect(lines.map(({ message }) => message)).toContain('a watch exceeded its timeout; it is reopened');
  await cache.stop();
});

test('RF-5: events older than what is held are counted, others are not', async () => {
  const server = new ModelServer();
  const old = server.put(thing('a', { size: 1 }));
  server.put(thing('a', { size: 2 }));
  const { cache, clock, metrics } = await startedCache(server);
  const stale = of('kilter_cache_stale_events_total');
  server.put(thing('b'));
  await clock.settle();
  expect(metrics.text()).not.toContain(stale);
  server.send({ type: 'MODIFIED', object: old });
  await clock.settle();
  expect(metrics.text()).toContain(`${stale} 1`);
  server.send({ type: 'DELETED', object: old });
  await clock.settle();
  expect(metrics.text()).toContain(`${stale} 2`);
  await cache.stop();
});

test('RF-23: a delete whose object cannot be used is counted and reported with its key', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { cache, clock, metrics, lines } = await startedCache(server);
  server.send({ type: 'DELETED', object: { metadata: { name: 'a', namespace: 'default' } } });
  await clock.settle();
  expect(metrics.text()).toContain(`${of('kilter_cache_skipped_total')} 1`);
  expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { key: 'default/a' } }]);
  await cache.stop();
});

test('RW-6: reads that wait for an own write are counted', async () => {
  const server = new ModelServer();
  const { cache, client, clock, metrics } = await startedCache(server);
  const waits = of('kilter_read_your_writes_waits_total');
  await client.list(Thing);
  expect(metrics.text()).not.toContain(waits);
  server.silent = true;
  await client.create(thing('a'));
  const read = client.list(Thing);
  await clock.settle();
  server.speak();
  await read;
  expect(metrics.text()).toContain(`${waits} 1`);
  await cache.stop();
});

test('RF-26: a 403 of a cluster-scoped kind names the cluster and the core group', async () => {
  const server = new ModelServer();
  for (let n = 0; n < 9; n += 1) server.failNext('watch', apiError(403, 'Forbidden'));
  const { cache, clock } = testCache({ syncTimeout: '5s' }, server);
  const informer = cache.informer({ kind: Box });
  const started = cache.start().catch(() => undefined);
  await clock.advance(5000);
  await started;
  const error = informer.lastError?.error as KilterError;
  expect(error.message).toContain('may not list and watch boxes of v1 in the cluster');
  expect(error.cure).toBe(
    'grant this rule to the user in a ClusterRole: - {apiGroups: [""], resources: ["boxes"], verbs: ["list", "watch"]}',
  );
  await cache.stop();
});

test('RF-30: each outage is reported with its own kinds and length', async () => {
  const { clock } = virtualRuntime();
  const lines: Record<string, unknown>[] = [];
  const outages = new Outages(clock, jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 }));
  const [a, b] = [{ label: 'A' }, { label: 'B' }];
  const error = new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens');
  const told = (): unknown[] => lines.splice(0).map(({ kinds, seconds }) => [kinds, seconds]);
  expect(outages.recovered(a)).toBe(false);
  outages.silent(b, error);
  outages.silent(a, error);
  await clock.advance(12_340);
  expect([outages.recovered(b), lines.length, outages.recovered(a)]).toEqual([true, 1, true]);
  expect(told()).toEqual([
    [undefined, undefined],
    [['A', 'B'], 12.3],
  ]);
  outages.silent(b, error);
  await clock.advance(500);
  outages.recovered(b);
  expect(told()).toEqual([
    [undefined, undefined],
    [['B'], 0.5],
  ]);
});
