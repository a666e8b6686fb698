import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { apiError, ModelServer, ModelStream, thing } from './model-server.test-support.ts';
import { reflected } from './reflector.test-support.ts';
import type { Report } from './watcher-state.ts';

const failures = (reports: readonly Report[]): Report[] => reports.filter(({ what }) => what === 'failure');

test('RF-1, RF-2: one request brings the present state, in one replace, and everything after it', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  server.put(thing('b'));
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.settle();
  server.put(thing('c'));
  await clock.settle();
  expect(log).toEqual(['replace default/a@101 default/b@102 @102', 'ADDED default/c', 'progress 103']);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({ verb: 'watch', sendInitialEvents: true, resourceVersion: undefined });
  await reflector.stop();
});

test('RF-1: changes between the initial events belong to the state the end marker completes', async () => {
  const stream = new ModelStream({}, 0);
  const { reflector, clock, log } = reflected({
    watch: () => stream,
    listPage: () => Promise.reject(new Error('not asked')),
  });
  const version = (name: string, resourceVersion: string): object => ({
    ...thing(name),
    metadata: { ...thing(name).metadata, uid: name, resourceVersion },
  });
  reflector.start();
  stream.push({ type: 'ADDED', object: version('a', '1') });
  stream.push({ type: 'ADDED', object: version('b', '2') });
  stream.push({ type: 'DELETED', object: version('a', '3') });
  stream.push({ type: 'MODIFIED', object: version('b', '4') });
  await clock.settle();
  expect(log).toEqual([]);
  stream.push({ type: 'BOOKMARK', resourceVersion: '4', initialEventsEnd: true });
  await clock.settle();
  expect(log).toEqual(['replace default/b@4 @4']);
  await reflector.stop();
});

test('what changes while a complete state is being put in place comes after it', async () => {
  const stream = new ModelStream({}, 0);
  const replaced = Promise.withResolvers<void>();
  const server = { watch: () => stream, listPage: () => Promise.reject(new Error('not asked')) };
  const { reflector, clock, log } = reflected(server, { replaced: replaced.promise });
  const version = (resourceVersion: string): object => ({
    ...thing('a'),
    metadata: { ...thing('a').metadata, uid: 'a', resourceVersion },
  });
  reflector.start();
  stream.push({ type: 'ADDED', object: version('1') });
  stream.push({ type: 'BOOKMARK', resourceVersion: '1', initialEventsEnd: true });
  stream.push({ type: 'MODIFIED', object: version('2') });
  await clock.settle();
  expect(log).toEqual(['replace default/a@1 @1']);
  replaced.resolve();
  await clock.settle();
  expect(log).toEqual(['replace default/a@1 @1', 'MODIFIED default/a', 'progress 2']);
  await reflector.stop();
});

test('RF-5: within the initial stream an older version does not take the place of a newer one', async () => {
  const stream = new ModelStream({}, 0);
  const { reflector, clock, log } = reflected({
    watch: () => stream,
    listPage: () => Promise.reject(new Error('not asked')),
  });
  const version = (resourceVersion: string): object => ({
    ...thing('a'),
    metadata: { ...thing('a').metadata, uid: 'a', resourceVersion },
  });
  reflector.start();
  stream.push({ type: 'MODIFIED', object: version('7') });
  stream.push({ type: 'ADDED', object: version('5') });
  stream.push({ type: 'BOOKMARK', resourceVersion: '7', initialEventsEnd: true });
  await clock.settle();
  expect(log).toEqual(['replace default/a@7 @7']);
  await reflector.stop();
});

describe('RF-3: a server that ignores sendInitialEvents', () => {
  test('is listed once its stream is silent for 10 s, and the second time for good', async () => {
    const server = new ModelServer();
    server.ignoresInitialEvents = true;
    server.put(thing('a'));
    const { reflector, clock, log } = reflected(server);
    const verbs = () => server.requests.map(({ verb, sendInitialEvents }) => (sendInitialEvents ? 'watch-list' : verb));
    reflector.start();
    await clock.advance(9999);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(log).toEqual(['replace default/a@101 @101']);
    server.put(thing('b'));
    await clock.settle();
    expect(log.at(-2)).toBe('ADDED default/b');
    expect(verbs()).toEqual(['watch-list', 'list', 'watch']);
    for (const wait of [10_000, 0]) {
      server.compact();
      server.break(apiError(410, 'Expired'));
      await clock.advance(wait);
      server.put(thing('c', { size: wait }));
      await clock.settle();
    }
    expect(verbs().slice(3)).toEqual(['watch-list', 'list', 'watch', 'list', 'watch']);
    await reflector.stop();
    expect(clock.pending).toBe(0);
  });

  test('also where changes keep its stream from being silent', async () => {
    const server = new ModelServer();
    server.ignoresInitialEvents = true;
    server.put(thing('a'));
    const { reflector, clock, log } = reflected(server);
    reflector.start();
    for (let second = 0; second < 11; second += 1) {
      server.put(thing('a', { size: second }));
      await clock.advance(1000);
    }
    expect(log[0]).toMatch(/^replace default\/a@/);
    await reflector.stop();
  });

  test('is not confused with one that takes long to send a large state', async () => {
    const stream = new ModelStream({}, 0);
    const { reflector, clock, log } = reflected({
      watch: () => stream,
      listPage: () => Promise.reject(new Error('not asked')),
    });
    reflector.start();
    for (let i = 1; i <= 10; i += 1) {
      const object = {
        ...thing(`t${i}`),
        metadata: { ...thing(`t${i}`).metadata, uid: `${i}`, resourceVersion: `${i}` },
      };
      stream.push({ type: 'ADDED', object });
      await clock.advance(9000);
    }
    expect(log).toEqual([]);
    stream.push({ type: 'BOOKMARK', resourceVersion: '10', initialEventsEnd: true });
    await clock.settle();
    expect(log).toHaveLength(1);
    await reflector.stop();
    expect(clock.pending).toBe(0);
  });
});

describe('RF-30: a server known to be there', () => {
  const lost = (): KilterError => new KilterError('TRANSPORT_UNREACHABLE', 'nobody listens');

  /** Backs off for long: nobody has answered for a while. */
  async function outage(error: () => unknown) {
    const server = new ModelServer();
    server.put(thing('a'));
    const world = reflected(server);
    world.reflector.start();
    await world.clock.settle();
    for (let i = 0; i < 8; i += 1) server.failNext('watch', error());
    server.break(error());
    await world.clock.advance(100_000);
    return { server, ...world };
  }

  test('ends the wait of a watch that nobody answered, and it is told that the kind is watched again', async () => {
    const { server, reflector, clock, reports } = await outage(lost);
    const before = server.requests.length;
    reflector.wake();
    await clock.settle();
    expect(server.requests.length).toBe(before + 1);
    // One try per call, as long as nobody answers.
    for (let i = 0; i < 8 && server.open().length === 0; i += 1) {
      reflector.wake();
      await clock.settle();
    }
    expect(server.open()).toHaveLength(1);
    expect(reports.at(-1)).toEqual({ what: 'recovered' });
    const open = server.requests.length;
    reflector.wake();
    await clock.settle();
    expect(server.requests.length).toBe(open);
    await reflector.stop();
    expect(clock.pending).toBe(0);
  });

  test('ends that of one that was refused once in 30 s, and never one the server asked for', async () => {
    const { server, reflector, clock } = await outage(() => apiError(403, 'Forbidden'));
    const before = server.requests.length;
    for (let second = 0; second < 20; second += 1) {
      reflector.wake();
      await clock.advance(100);
    }
    expect(server.requests.length).toBe(before + 1);
    await reflector.stop();
    const asked = apiError(429, 'TooManyRequests');
    Object.assign(asked.status, { retryAfterSeconds: 60 });
    const other = await outage(() => asked);
    const then = other.server.requests.length;
    other.reflector.wake();
    await other.clock.settle();
    expect(other.server.requests.length).toBe(then);
    await other.reflector.stop();
  });
});

test('RF-3, RF-4, RF-6: where watch-list is refused, pages are listed without a version and the watch goes on from there', async () => {
  const server = new ModelServer();
  for (const name of ['a', 'b', 'c']) server.put(thing(name));
  server.failNext('watch', apiError(422, 'Invalid'), true);
  const { reflector, clock, log } = reflected(server, { pageSize: 2 });
  reflector.start();
  await clock.settle();
  expect(log).toEqual(['replace default/a@101 default/b@102 default/c@103 @103']);
  expect(server.requests.map(({ verb, resourceVersion, continue: token }) => [verb, resourceVersion, token])).toEqual([
    ['watch', undefined, undefined],
    ['list', undefined, undefined],
    ['list', undefined, '2'],
    ['watch', '103', undefined],
  ]);
  await reflector.stop();
});

test('RF-6: nothing of a list whose token expired is used', async () => {
  const server = new ModelServer();
  for (const name of ['a', 'b', 'c']) server.put(thing(name));
  server.failNext('watch', apiError(422, 'Invalid'), true);
  const { reflector, clock, log } = reflected(server, { pageSize: 2 });
  const listPage = server.listPage.bind(server);
  let pages = 0;
  server.listPage = async (options) => {
    pages += 1;
    if (pages !== 2) return listPage(options);
    server.remove('default/a');
    throw apiError(410, 'Expired');
  };
  reflector.start();
  await clock.settle();
  expect(log).toEqual(['replace default/b@102 default/c@103 @104']);
  await reflector.stop();
});

test.each([
  ['on opening', (server: ModelServer) => (server.compact(), server.close())],
  ['as an event', (server: ModelServer) => server.break(apiError(410, 'Expired'))],
])('RF-7: a 410 %s causes exactly one re-sync', async (_, expire) => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.settle();
  server.silent = true;
  server.put(thing('b'));
  server.silent = false;
  expire(server);
  await clock.advance(120_000);
  expect(log.filter((line) => line.startsWith('replace'))).toEqual([
    'replace default/a@101 @101',
    'replace default/a@101 default/b@102 @102',
  ]);
  expect(server.requests.filter(({ sendInitialEvents }) => sendInitialEvents)).toHaveLength(2);
  await reflector.stop();
});

test('RF-8: every watch asks for its own time-out between 300 and 600 s', async () => {
  const server = new ModelServer();
  const { reflector, clock } = reflected(server);
  reflector.start();
  for (let n = 0; n < 40; n += 1) {
    await clock.advance(2000);
    server.close();
  }
  await clock.settle();
  const asked = server.requests.map(({ timeoutSeconds }) => timeoutSeconds ?? 0);
  expect(asked.length).toBeGreaterThan(30);
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...asked)).toBeLessThanOrEqual(600);
  expect(new Set(asked).size).toBeGreaterThan(20);
  await reflector.stop();
});

test('RF-9: a watch the server closes is reopened at once from the last version, without a list or a wait', async () => {
  const server = new ModelServer();
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.advance(2000);
  server.put(thing('a'));
  await clock.settle();
  server.close();
  await clock.settle();
  expect(server.requests.slice(1)).toMatchObject([{ verb: 'watch', resourceVersion: '101' }]);
  expect(server.open()).toHaveLength(1);
  expect(log).toEqual(['replace  @100', 'ADDED default/a', 'progress 101']);
  await reflector.stop();
});

test('RF-10, RF-13: a server that closes every watch at once is asked less and less often', async () => {
  const server = new ModelServer();
  const { reflector, clock } = reflected(server);
  const watch = server.watch.bind(server);
  server.watch = (options) => {
    const stream = watch(options);
    if (options?.resourceVersion !== undefined) stream.push('end');
    return stream;
  };
  server.failNext('watch', apiError(422, 'Invalid'), true);
  reflector.start();
  await clock.advance(10_000);
  const early = server.requests.length;
  expect(early).toBeLessThan(15);
  await clock.advance(10 * 60_000);
  expect(server.requests.length - early).toBeLessThanOrEqual((2 * 10 * 60) / 30);
  await reflector.stop();
});

test('RF-11: while connections are refused only the watch is tried again, from the same version', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.advance(2000);
  for (let n = 0; n < 3; n += 1) server.failNext('watch', new KilterError('TRANSPORT_UNREACHABLE', 'refused'));
  server.close();
  await clock.advance(60_000);
  server.put(thing('b'));
  await clock.settle();
  expect(server.requests.slice(1).map(({ verb, resourceVersion }) => `${verb} ${resourceVersion}`)).toEqual([
    'watch 101',
    'watch 101',
    'watch 101',
    'watch 101',
  ]);
  expect(log).toEqual(['replace default/a@101 @101', 'ADDED default/b', 'progress 102']);
  await reflector.stop();
});

test('RF-13: a wait is between the backoff and twice as long', async () => {
  const server = new ModelServer();
  for (let n = 0; n < 20; n += 1) server.failNext('watch', new KilterError('TRANSPORT_UNREACHABLE', 'refused'));
  const { reflector, clock } = reflected(server);
  const times: number[] = [];
  const watch = server.watch.bind(server);
  server.watch = (options) => {
    times.push(clock.monotonic());
    return watch(options);
  };
  reflector.start();
  await clock.advance(15 * 60_000);
  const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  const steps = [800, 1600, 3200, 6400, 12_800, 25_600, ...Array.from({ length: 14 }, () => 30_000)];
  expect(waits).toHaveLength(20);
  for (const [i, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(steps[i] ?? 0);
    expect(wait).toBeLessThanOrEqual(2 * (steps[i] ?? 0));
  }
  expect(new Set(waits.slice(6)).size).toBeGreaterThan(5);
  await reflector.stop();
});

test('RF-14: after a day of bookmarks alone a watch resumes from the last of them', async () => {
  const server = new ModelServer();
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(200_000);
    server.version += 1000;
    server.bookmark();
  }
  await clock.settle();
  server.compact();
  server.close();
  await clock.settle();
  expect(server.requests.at(-1)).toMatchObject({ verb: 'watch', resourceVersion: `${server.version}` });
  expect(log.filter((line) => !line.startsWith('progress'))).toEqual(['replace  @100']);
  expect(log.at(-1)).toBe(`progress ${server.version}`);
  await reflector.stop();
});

test('RF-16: an event of an unknown type is told and skipped, and the watch goes on', async () => {
  const server = new ModelServer();
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.settle();
  server.send({ type: 'RENAMED', object: thing('a') });
  server.put(thing('b'));
  await clock.settle();
  expect(log.slice(1)).toEqual([
    'skipped undefined: is an event of the unexpected type "RENAMED"',
    'ADDED default/b',
    'progress 101',
  ]);
  expect(server.requests).toHaveLength(1);
  await reflector.stop();
});

describe('RF-20: a stop', () => {
  test.each([
    ['while watching', (server: ModelServer) => void server.put(thing('a'))],
    ['while backing off', (server: ModelServer) => server.failNext('watch', apiError(503, 'ServiceUnavailable'))],
    [
      'while listing',
      (server: ModelServer) => {
        server.failNext('watch', apiError(422, 'Invalid'));
        server.listPage = () => new Promise(() => undefined);
      },
    ],
  ])('%s closes the stream, leaves no timer and reports nothing', async (_, prepare) => {
    const server = new ModelServer();
    prepare(server);
    const { reflector, clock, reports } = reflected(server);
    reflector.start();
    await clock.settle();
    const before = failures(reports).length;
    await reflector.stop();
    await clock.settle();
    expect(server.open()).toEqual([]);
    expect(clock.pending).toBe(0);
    expect(failures(reports)).toHaveLength(before);
  });
});

test('RF-21: a watch still open 5 s after its time-out is closed from this side and resumed', async () => {
  const server = new ModelServer();
  const { reflector, clock, reports } = reflected(server);
  reflector.start();
  await clock.settle();
  const [stream] = server.open();
  const limit = (server.requests[0]?.timeoutSeconds ?? 0) * 1000 + 5000;
  await clock.advance(limit - 1);
  expect(stream?.closed).toBe(false);
  await clock.advance(1);
  expect(stream?.options.signal?.aborted).toBe(true);
  expect(stream?.closed).toBe(true);
  expect(server.requests.slice(1)).toMatchObject([{ verb: 'watch', resourceVersion: '100' }]);
  expect(reports).toContainEqual({ what: 'restart', reason: 'stalled' });
  await reflector.stop();
  expect(clock.pending).toBe(0);
});

test('RF-23: what cannot be used in a first state is told for its key; the rest is complete', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  server.put(thing('b'));
  const bad = server.objects.get('default/a');
  if (bad !== undefined) Object.assign(bad.metadata, { labels: 'none' });
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.settle();
  expect(log).toEqual(['skipped default/a: has labels that are not strings', 'replace default/b@102 @102']);
  await reflector.stop();
});

test('RF-25: a kind that vanished is looked for every 30 s, and read anew when it is back', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.advance(2000);
  for (let n = 0; n < 4; n += 1) server.failNext('watch', apiError(404, 'NotFound'));
  server.close();
  await clock.advance(3 * 30_000);
  expect(server.requests).toHaveLength(5);
  server.remove('default/a');
  await clock.advance(30_000);
  expect(log.at(-1)).toBe('replace  @102');
  await reflector.stop();
});

test('waits leave no listener behind, however many there are', async () => {
  const server = new ModelServer();
  server.failNext('watch', apiError(400, 'Invalid'));
  for (let n = 0; n < 5; n += 1) server.failNext('list', apiError(503, 'ServiceUnavailable'));
  const listeners: number[] = [];
  const { reflector, clock, log } = reflected({
    watch: (options) => server.watch(options),
    listPage: (options) => {
      if (options?.signal !== undefined) listeners.push(getEventListeners(options.signal, 'abort').length);
      return server.listPage(options);
    },
  });
  reflector.start();
  await clock.advance(120_000);
  expect(log).toEqual(['replace  @100']);
  expect(listeners).toEqual([0, 0, 0, 0, 0, 0]);
  await reflector.stop();
});
