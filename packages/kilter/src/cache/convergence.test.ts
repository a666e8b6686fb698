import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareResourceVersions, type KubeObject } from '../api/index.ts';
import { hasCode, KilterError } from '../errors/index.ts';
import { startedCache, testCache } from './cache.test-support.ts';
import { apiError, ModelServer, Thing, thing } from './model-server.test-support.ts';
import type { Informer, ObjectChange } from './view.ts';

const names = ['a', 'b', 'c', 'd'];
const namespaces = ['default', 'shop'];
const name = fc.constantFrom(...names);
const namespace = fc.constantFrom(...namespaces);

const errors = [
  apiError(410, 'Expired'),
  apiError(429, 'TooManyRequests'),
  apiError(500, 'InternalError'),
  apiError(404, 'NotFound'),
  new KilterError('TRANSPORT_CONNECTION_LOST', 'lost'),
  new KilterError('TRANSPORT_UNREACHABLE', 'refused'),
  new KilterError('TRANSPORT_STREAM_MALFORMED', 'no JSON'),
];
const error = fc.constantFrom(...errors);

type Deed = (given: { server: ModelServer; advance: (ms: number) => Promise<void> }) => unknown;

/** What can happen to objects, to connections, and time. Each prints as what it does. */
const change = fc
  .record({ name, namespace, size: fc.nat(9), what: fc.constantFrom('put', 'put', 'remove', 'recreate') })
  .map(({ name: of, namespace: within, size, what }): Deed & { toString?(): string } => {
    const deed: Deed = ({ server }) => {
      if (what !== 'put') server.remove(`${within}/${of}`);
      if (what !== 'remove') server.put(thing(of, { namespace: within, size }));
    };
    return Object.assign(deed, { toString: () => `${what} ${within}/${of} ${size}` });
  });
const named = (label: string, deed: Deed): Deed => Object.assign(deed, { toString: () => label });
const fault = fc.oneof(
  error.map((planted) => named(`break ${planted.message}`, ({ server }) => server.break(planted))),
  error.map((planted) => named(`fail a watch: ${planted.message}`, ({ server }) => server.failNext('watch', planted))),
  error.map((planted) => named(`fail a list: ${planted.message}`, ({ server }) => server.failNext('list', planted))),
  fc.constantFrom(
    named('refuse a watch-list', ({ server }) => server.failNext('watch', apiError(422, 'Invalid'), true)),
    named('close', ({ server }) => server.close()),
    named('compact', ({ server }) => server.compact()),
    named('bookmark', ({ server }) => !server.silent && server.bookmark()),
    named('silent', ({ server }) => void (server.silent = true)),
    named('speak', ({ server }) => server.speak()),
  ),
);
const time = fc
  .constantFrom(0, 0, 1, 500, 2000, 40_000, 700_000)
  .map((ms) => named(`advance ${ms}`, ({ advance }) => advance(ms)));
const script = fc.array(
  fc.oneof({ weight: 4, arbitrary: change }, { weight: 2, arbitrary: fault }, { weight: 3, arbitrary: time }),
  {
    maxLength: 60,
  },
);

/** A copy of the world built from changes alone. Fails at a change that does not follow from the ones before. */
function replica(informer: Informer): Map<string, KubeObject> {
  const held = new Map<string, KubeObject>();
  const apply = (seen: ObjectChange): void => {
    const before = held.get(seen.key);
    expect(seen.before === undefined, `${seen.type} ${seen.key} follows what was seen`).toBe(before === undefined);
    if (seen.type === 'delete') {
      expect(seen.before?.metadata.uid).toBe(before?.metadata.uid);
      held.delete(seen.key);
      return;
    }
    const { after } = seen;
    if (after === undefined) throw new Error('an add or update without an object');
    expect(seen.before?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    const order = compareResourceVersions(
      after.metadata.resourceVersion ?? '',
      before?.metadata.resourceVersion ?? '0',
    );
    expect(order).toBe(seen.resync ? 0 : 1);
    held.set(seen.key, after);
  };
  const failures: unknown[] = [];
  informer.handle((seen) => {
    try {
      apply(seen);
    } catch (failure) {
      failures.push(failure);
    }
    // What a handler throws would only be logged.
    if (failures.length > 0) held.set('failed', failures[0] as KubeObject);
  });
  return held;
}

const sorted = (objects: Iterable<readonly [string, KubeObject]>): [string, unknown][] =>
  [...objects]
    .map(([key, object]): [string, unknown] => [key, object instanceof Error ? object.message : object])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

test.each([
  ['over all namespaces', undefined],
  ['over two namespaces', namespaces],
])(
  'IN-2, IN-7, IN-10: %s, whatever breaks, stores and handlers end where the server is, and no change is lost or out of order',
  async (_, watched) => {
    await fc.assert(
      fc.asyncProperty(script, fc.nat(60), async (deeds, joins) => {
        const server = new ModelServer();
        server.put(thing('a'));
        const { cache, clock } = testCache({ namespaces: watched, resync: '5m' }, server);
        const informer = cache.informer({ kind: Thing });
        const early = replica(informer);
        let late = new Map<string, KubeObject>();
        cache.start().catch(() => undefined);
        const advance = (ms: number): Promise<void> => clock.advance(ms);
        for (const [i, deed] of deeds.entries()) {
          if (i === joins) late = replica(informer);
          await deed({ server, advance });
        }
        if (joins >= deeds.length) late = replica(informer);
        server.speak();
        // Long enough for every failure that was planted to be met, with the longest backoff between two of them.
        for (let n = 0; n < 80; n += 1) {
          await clock.advance(60_000);
          if (n % 10 === 9) server.bookmark();
        }
        const truth = sorted(server.objects);
        expect(
          sorted(
            cache.view
              .list(Thing)
              .map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object] as const),
          ),
        ).toEqual(truth);
        expect(sorted(early)).toEqual(truth);
        expect(sorted(late)).toEqual(truth);
        await cache.stop();
        await clock.settle();
        expect([clock.pending, server.open().length]).toEqual([0, 0]);
      }),
      { numRuns: 150 },
    );
  },
);

type Written = { readonly version: string } | { readonly gone: string };

test('CA-11, RW-6: whatever the watch does, a read after a write shows it or fails; it never shows what was before', async () => {
  const act = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), name }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'list' as const), name }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign' as const), name }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('world' as const), deed: fc.oneof(fault, time) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 50 }), async (acts) => {
      const server = new ModelServer();
      const { cache, client, clock } = await startedCache(server);
      /** By name: the last own write that was answered; a deletion holds the UID it deleted. */
      const written = new Map<string, Written>();
      const reads: Promise<void>[] = [];
      const check = (of: string, found: Thing | undefined, after: Written | undefined): void => {
        if (after === undefined) return;
        const version = found?.metadata.resourceVersion;
        if ('gone' in after) expect(found?.metadata.uid).not.toBe(after.gone);
        else if (version !== undefined)
          expect(compareResourceVersions(version, after.version)).toBeGreaterThanOrEqual(0);
        else expect(server.deletions.get(`default/${of}`)).toBeGreaterThan(Number(after.version));
      };
      const tolerate = (failure: unknown): void => {
        if (!hasCode(failure, 'CACHE_WAIT_EXPIRED') && !hasCode(failure, 'CACHE_STOPPED')) throw failure;
      };
      for (const one of acts) {
        if (one.do === 'world') await one.deed({ server, advance: (ms) => clock.advance(ms) });
        else if (one.do === 'foreign') server.remove(`default/${one.name}`);
        else if (one.do === 'write') {
          const { metadata } = await client.update(thing(one.name));
          written.set(one.name, { version: metadata.resourceVersion ?? '' });
        } else if (one.do === 'delete') {
          const held = server.objects.get(`default/${one.name}`);
          if (held === undefined) continue;
          await client.delete(held);
          // What the cache has never heard of, and was not written here, is not covered.
          if (written.has(one.name)) written.set(one.name, { gone: held.metadata.uid ?? '' });
        } else {
          const after = new Map(written);
          const read =
            one.do === 'read'
              ? client
                  .find(Thing, { namespace: 'default', name: one.name })
                  .then((found) => check(one.name, found, after.get(one.name)))
              : client.list(Thing).then((all) => {
                  for (const [of, state] of after)
                    check(
                      of,
                      all.find(({ metadata }) => metadata.name === of),
                      state,
                    );
                });
          const outcome = read.catch(tolerate);
          // Looked at in the end; until then a failure is nobody's fault.
          outcome.catch(() => undefined);
          reads.push(outcome);
        }
      }
      await clock.advance(10_000);
      await Promise.all(reads);
      await cache.stop();
      await clock.settle();
      expect(clock.pending).toBe(0);
    }),
    { numRuns: 300 },
  );
});
