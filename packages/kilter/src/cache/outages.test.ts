// What people read of an outage.
import { expect, test } from 'vitest';
import { kind } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { testCache, type TestCache } from './cache.test-support.ts';
import { CacheMetrics } from './cache-metrics.ts';
import { resolveDeclaration } from './declaration.ts';
import { Outages } from './outages.ts';
import { WatchReports } from './watch-reports.ts';
import { apiError, Thing } from './model-server.test-support.ts';

const Other = kind({ group: 'example.com', version: 'v1', kind: 'Other', plural: 'others', scope: 'Namespaced' });
const said = ({ lines }: TestCache): string[] =>
  lines.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level}: ${message}`);

/** Two kinds, watched. */
async function watched(): Promise<TestCache> {
  const world = testCache();
  for (const each of [Thing, Other]) world.cache.informer({ kind: each });
  const started = world.cache.start();
  await world.clock.settle();
  await started;
  return world;
}

function fail(world: TestCache, times: number, error: () => unknown): void {
  for (let i = 0; i < times; i += 1) world.server.failNext('watch', error());
  world.server.break(error());
}

test('RF-30: an outage is one line when it begins and one when every kind is watched again, without stacks', async () => {
  const world = await watched();
  fail(world, 6, () => new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens'));
  await world.clock.advance(60_000);
  expect(said(world)).toEqual([
    'warn: watches cannot reach the API server; they are retried until they can',
    'info: the API server is back: every kind is watched again',
  ]);
  const told = world.lines.filter(({ level }) => level !== 'debug');
  expect(told[0]?.fields).toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
  expect(told[1]?.fields).toMatchObject({ kinds: ['Other.example.com', 'Thing.example.com'] });
  expect(JSON.stringify(told)).not.toContain('stack');
  await world.cache.stop();
});

test('RF-30: another reason for the same outage is reported once: what has to be done is no longer the same', () => {
  const { clock } = virtualRuntime();
  const told: unknown[] = [];
  const outages = new Outages(clock, { ...silentLogger, warn: (fields: unknown) => void told.push(fields) });
  const thing = { label: 'Thing' };
  const away = new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens');
  const stranger = new KilterError('TRANSPORT_TLS', 'another authority');
  for (const error of [away, away, stranger, away, stranger]) outages.silent(thing, error);
  expect(told).toMatchObject([{ code: 'TRANSPORT_UNREACHABLE' }, { code: 'TRANSPORT_TLS' }]);
  outages.recovered(thing);
  outages.silent(thing, stranger);
  expect(told).toHaveLength(3);
});

test('an expired version is not a failure to worry about', async () => {
  const world = await watched();
  world.server.compact();
  world.server.break(apiError(410, 'Expired'));
  await world.clock.settle();
  expect(said(world)).toEqual(
    Array.from({ length: 2 }, () => 'info: the version to resume from has expired; the complete state is read again'),
  );
  await world.cache.stop();
});

test('a kind that is refused is reported by itself, and when it is watched again', async () => {
  const world = await watched();
  for (let i = 0; i < 2; i += 1) world.server.failNext('watch', apiError(403, 'Forbidden'));
  world.server.break(new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens'));
  await world.clock.advance(3000);
  world.server.bookmark();
  await world.clock.advance(10_000);
  world.server.version += 1;
  world.server.bookmark();
  await world.clock.settle();
  expect(said(world).filter((line) => line.includes('the kind is watched again'))).toHaveLength(2);
  await world.cache.stop();
});

test('RF-30: what is refused again and again is told when it begins or its code changes, and every ten minutes', async () => {
  const { clock } = virtualRuntime();
  const told: unknown[] = [];
  const warn = (fields: unknown): void => void told.push((fields as { code: unknown }).code);
  const logger: Logger = { ...silentLogger, warn, child: () => logger };
  const metrics = new CacheMetrics(undefined, () => []);
  const declaration = resolveDeclaration({ kind: Thing });
  const outages = new Outages(clock, logger);
  const reports = new WatchReports({ declaration, namespace: undefined, clock, logger, metrics, outages });
  const failing = async (error: unknown, minutes: number): Promise<unknown[]> => {
    for (let i = 0; i < 2 * minutes; i += 1) {
      reports.take({ what: 'failure', error });
      await clock.advance(30_000);
    }
    return told.splice(0);
  };
  const forbidden = apiError(403, 'Forbidden');
  expect(await failing(forbidden, 10)).toEqual(['CACHE_WATCH_FORBIDDEN']);
  expect(await failing(forbidden, 1)).toEqual(['CACHE_WATCH_FORBIDDEN']);
  expect(await failing(apiError(500, 'InternalError'), 2)).toEqual(['CLIENT_UNAVAILABLE']);
  expect(await failing(forbidden, 2)).toEqual(['CACHE_WATCH_FORBIDDEN']);
  reports.take({ what: 'recovered' });
  expect(await failing(forbidden, 2)).toEqual(['CACHE_WATCH_FORBIDDEN']);
});

test('RF-30: wake() reaches every informer', async () => {
  const world = await watched();
  fail(world, 12, () => new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens'));
  await world.clock.advance(45_000);
  expect(world.server.open()).toHaveLength(0);
  for (let i = 0; i < 7; i += 1) {
    world.cache.wake();
    await world.clock.settle();
  }
  expect(world.server.open()).toHaveLength(2);
  await world.cache.stop();
});

const lost = (): KilterError => new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens');

test('RF-30: the first watch that is back shows that the server is there: the others are opened at once', async () => {
  const world = await watched();
  fail(world, 13, lost);
  while (world.server.open().length === 0) await world.clock.advance(100);
  expect(world.server.open()).toHaveLength(2);
  await world.cache.stop();
});

test('RF-30: watches that a server takes and drops again do not wake each other without end', () => {
  let woken = 0;
  const outages = new Outages(virtualRuntime().clock, silentLogger, () => void (woken += 1));
  const [one, two] = [{ label: 'Thing' }, { label: 'Other' }];
  outages.silent(one, lost());
  outages.silent(two, lost());
  for (let i = 0; i < 10; i += 1) {
    outages.recovered(one);
    // Before the other one, which this woke, is open.
    outages.silent(one, lost());
    outages.recovered(two);
    outages.silent(two, lost());
  }
  expect(woken).toBe(1);
  outages.recovered(one);
  outages.recovered(two);
  outages.silent(one, lost());
  outages.recovered(one);
  expect(woken).toBe(2);
});

test('a watch that is stopped in an outage is not waited for', () => {
  const { clock } = virtualRuntime();
  const told: unknown[] = [];
  const logger = { ...silentLogger, info: (fields: unknown) => void told.push(fields) };
  const outages = new Outages(clock, logger);
  const [stays, stops] = [{ label: 'Thing' }, { label: 'Other' }];
  for (const each of [stays, stops]) outages.silent(each, new Error('refused'));
  outages.forget(stops);
  expect([outages.recovered(stops), outages.recovered(stays), told]).toEqual([
    false,
    true,
    [{ kinds: ['Thing'], seconds: 0 }],
  ]);
});
