// The API server out of reach: gone, moved, silent. Real sockets; connections are counted by a proxy in front.
import type { Logger, Manager } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '@kilter/apiserver';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';
import { ServedCluster, servingPair } from './served-cluster.test-support.ts';
import { TcpProxy } from './tcp-proxy.test-support.ts';

const valueOf = async (cluster: ServedCluster, name: string): Promise<string | undefined> =>
  (await cluster.client.find(ConfigMap, name))?.data?.['x'];

async function reconciled(cluster: ServedCluster, name: string, x: string): Promise<void> {
  await cluster.until(async () => (await valueOf(cluster, name)) === x, `${name} to be reconciled`);
}

const change = (cluster: ServedCluster, name: string, x: string): Promise<unknown> =>
  cluster.client.patch(Thing, name, { spec: { values: { x } } });

function endOf(manager: Manager): { readonly ended: boolean } {
  const end = { ended: false };
  const mark = (): void => void (end.ended = true);
  manager.done.then(mark, mark);
  return end;
}

describe('B-01: the server is gone for 30 s, all sockets reset', () => {
  test('one attempt per reflector and backoff step; the cache stays; then everything converges', async () => {
    await using cluster = await ServedCluster.start();
    await using proxy = await TcpProxy.before(await cluster.api.listen(servingPair(cluster.authority)));
    const manager = await cluster.operate(thingOperator(things), proxy.port);
    const end = endOf(manager);
    await cluster.client.create(thing('a', { x: '1' }));
    await reconciled(cluster, 'a', '1');
    await cluster.pass(2000);

    proxy.refuse();
    const before = proxy.attempts;
    await cluster.client.create(thing('b', { x: '2' }));
    await change(cluster, 'a', '3');
    await cluster.client.delete(ConfigMap, 'a');
    await cluster.pass(30_000);
    // Two reflectors; one attempt at once, then waits of 0.8 s, doubled: at most 6 of them fit into 30 s.
    expect(proxy.attempts - before).toBeGreaterThan(0);
    expect(proxy.attempts - before).toBeLessThanOrEqual(2 * 7);
    expect([proxy.open, end.ended]).toEqual([0, false]);
    expect(manager.cache.find(Thing, { namespace: 'default', name: 'a' })?.spec.values).toEqual({ x: '1' });

    proxy.heal();
    await reconciled(cluster, 'a', '3');
    await reconciled(cluster, 'b', '2');
    expect([cluster.lists, cluster.initialReads]).toEqual([[], 2]);
    expect(end.ended).toBe(false);
  });

  test('TR-13: attempts and sockets stay few, however many keys are waiting for the server', async () => {
    await using cluster = await ServedCluster.start();
    await using proxy = await TcpProxy.before(await cluster.api.listen(servingPair(cluster.authority)));
    const names = Array.from({ length: 60 }, (_, i) => `t${i}`);
    let tries = 0;
    const operator = thingOperator((builder) =>
      builder.concurrency(20).reconcile(async (object, ctx) => {
        if (object.spec.values['x'] !== '2') return;
        tries += 1;
        await ctx.live.find(ConfigMap, { namespace: 'default', name: object.metadata.name });
        await ctx.apply(ConfigMap.build({ name: object.metadata.name, data: object.spec.values }));
      }),
    );
    const manager = await cluster.operate(operator, proxy.port);
    for (const name of names) await cluster.client.create(thing(name, { x: '1' }));
    await cluster.until(() => manager.cache.list(Thing).length === names.length, 'the cache to be filled');
    // Requests fail, watches do not: every key learns of its change and finds no server.
    cluster.api.fail({ kind: 'ConfigMap', verb: 'get', fault: { type: 'delay', ms: 2000 } });
    for (const name of names) await change(cluster, name, '2');
    const known = (): boolean => manager.cache.list(Thing).every(({ spec }) => spec.values['x'] === '2');
    await cluster.until(() => tries > 10 && known(), 'runs to begin and every change to be known');
    proxy.refuse();
    const before = proxy.attempts;
    let most = 0;
    let seconds = 0;
    // A busy machine refuses connections slowly, and virtual time does not wait for it.
    for (; seconds < 30 || (tries <= names.length && seconds < 120); seconds += 1) {
      await cluster.pass(1000);
      most = Math.max(most, proxy.open);
    }
    expect(tries).toBeGreaterThan(names.length);
    // Of the requests' connections and of the watches', one attempt at a time, 1 s apart once it has failed for a while.
    expect(proxy.attempts - before).toBeLessThanOrEqual(2 * (seconds + 10));
    expect(most).toBeLessThanOrEqual(2);
    proxy.heal();
    for (const name of names) await reconciled(cluster, name, '2');
  });
});

describe('B-02, TR-3: two API servers, and every 30 s the connections have to be left', () => {
  /** Secrets change all the time; each version is to be seen exactly once, whatever happens to connections. */
  async function scene(disturb: (at: { proxy: TcpProxy; goAway: () => void }) => void) {
    await using cluster = await ServedCluster.start();
    const pair = servingPair(cluster.authority);
    const servers = [await cluster.api.listen(pair), await cluster.api.listen(pair)] as const;
    await using proxy = await TcpProxy.before(servers[0]);
    const lines: string[] = [];
    const note = (fields: object | string): void => void lines.push(JSON.stringify(fields));
    const quiet = (): void => undefined;
    const logger: Logger = { debug: quiet, info: quiet, warn: note, error: note, child: () => logger };
    const seen: string[] = [];
    const operator = thingOperator(
      (builder) =>
        things(
          builder.watches(Secret, () => undefined, {
            when: ({ after }) => {
              if (after?.metadata.name === 'changing') seen.push(after.metadata.resourceVersion ?? '');
              return false;
            },
          }),
        ),
      { logger },
    );
    await cluster.operate(operator, proxy.port);
    const written: string[] = [];
    const write = async (value: number): Promise<void> => {
      const secret = { metadata: { labels: { value: String(value) } } };
      const stored =
        value === 0
          ? await cluster.client.create(Secret.build({ name: 'changing', namespace: 'default' }))
          : await cluster.client.patch(Secret, 'changing', secret);
      written.push(stored.metadata.resourceVersion ?? '');
    };
    let value = 0;
    for (let round = 0; round < 4; round += 1) {
      for (let second = 0; second < 30; second += 1) {
        await write(value);
        value += 1;
        await cluster.pass(1000);
      }
      proxy.target = servers[(round + 1) % 2] as (typeof servers)[number];
      disturb({ proxy, goAway: () => servers.forEach((server) => server.goAway()) });
      await write(value);
      value += 1;
    }
    await cluster.client.create(thing('a', { x: '1' }));
    await reconciled(cluster, 'a', '1');
    await cluster.until(() => seen.length >= written.length, 'all versions to be seen');
    await cluster.pass(15_000);
    const both = servers.map(({ connections }) => connections.accepted > 0);
    const { watches, lists, initialReads } = cluster;
    return { seen, written, lists, initialReads, watches, lines, both, open: proxy.open };
  }

  test('GOAWAY: nothing lost, nothing twice, no list, and not a word of it in the log', async () => {
    const { seen, written, lists, initialReads, watches, lines, both, open } = await scene(({ goAway }) => goAway());
    expect(seen).toEqual(written);
    expect([lists, initialReads, both]).toEqual([[], 3, [true, true]]);
    // Each resumed from a version, never from nothing or from the start.
    const resumed = watches.filter((query) => !query.has('sendInitialEvents'));
    expect(resumed.length).toBeGreaterThanOrEqual(3);
    expect(resumed.every((query) => Number(query.get('resourceVersion')) > 0)).toBe(true);
    expect(lines).toEqual([]);
    // What was left is closed: one connection for watches, one for requests.
    expect(open).toBeLessThanOrEqual(2);
  });

  test('connections closed: the same', async () => {
    const { seen, written, lists, initialReads, both } = await scene(({ proxy }) => proxy.cut());
    expect(seen).toEqual(written);
    expect([lists, initialReads, both]).toEqual([[], 3, [true, true]]);
  });
});

describe('B-07: half-open, the peer gone without a word', () => {
  test.each<[Protocol, number]>([
    ['h2', 0],
    // Only the time-out of the watch tells, after 5 to 10 minutes.
    ['http/1.1', 600_000],
  ])('%s: noticed, resumed without a list, sockets dropped, requests end in time', async (protocol, silence) => {
    await using cluster = await ServedCluster.start();
    const listener = await cluster.api.listen({ ...servingPair(cluster.authority), protocols: [protocol] });
    await using proxy = await TcpProxy.before(listener);
    const manager = await cluster.operate(thingOperator(things), proxy.port);
    await cluster.client.create(thing('a', { x: '1' }));
    await reconciled(cluster, 'a', '1');
    await cluster.pass(2000);
    const stalled = proxy.attempts;
    const before = [cluster.lists.length, cluster.initialReads];

    proxy.stall();
    // A request in flight meets silence: it ends with its deadline, and does not take the next one along.
    const request = manager.client.patch(ConfigMap, { namespace: 'default', name: 'a' }, { data: { y: '1' } });
    const outcome = await request.catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: 'TRANSPORT_OUTCOME_UNKNOWN' });
    proxy.heal();
    cluster.runtime.skip(silence);
    await change(cluster, 'a', '2');
    await reconciled(cluster, 'a', '2');
    expect(proxy.attempts).toBeGreaterThan(stalled);
    expect([cluster.lists.length, cluster.initialReads]).toEqual(before);
    await cluster.until(() => proxy.stalled === 0, 'stalled sockets to be dropped');
  });
});
