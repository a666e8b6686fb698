import { describe, expect, test } from 'vitest';
import type { Kind, KubeObject, ObjectMeta } from '../api/index.ts';
import { quiescence, systemClock } from '../internal/index.ts';
import { declarationOf, predicatesOf } from './options.ts';
import { connectOwned } from './owned.ts';
import { generationChanged, labelsChanged } from './predicate.ts';
import { primariesOf } from './primaries.ts';
import { connectPrimary } from './primary.ts';
import { connectReferences } from './references.ts';
import { broken, ConfigMap, Fleet, named, setup, WebApp } from './trigger.test-support.ts';
import { connectWatched } from './watched.ts';

describe('primary objects', () => {
  test('PQ-4: initial adds and resyncs enter at -100, all else at 0', async () => {
    const { context, queue, primaries } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true });
    const app = named('default/a', { resourceVersion: '1' });
    primaries.emit({ type: 'add', key: 'default/a', after: app, initial: true });
    primaries.emit({ type: 'update', key: 'default/b', before: app, after: app, resync: true });
    primaries.emit({ type: 'add', key: 'default/c', after: app });
    const works = [await queue.take(), await queue.take(), await queue.take()];
    expect(works.map((work) => [work?.key, work?.priority, work?.causes[0]?.change])).toEqual([
      ['default/c', 0, 'add'],
      ['default/a', -100, 'add'],
      ['default/b', -100, 'resync'],
    ]);
  });

  test('CS-1: the cause names source, change, kind, reference and version', async () => {
    const { context, queue, primaries } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.emit({ type: 'delete', key: 'default/a', before: named('default/a'), resourceVersion: '12' });
    expect((await queue.take())?.causes).toMatchObject([
      {
        source: 'primary',
        change: 'delete',
        kind: 'WebApp.example.com',
        ref: { namespace: 'default', name: 'a' },
        resourceVersion: '12',
      },
    ]);
  });

  test('IN-3: a delete without an object still triggers, by its key, past every predicate', async () => {
    const { context, primaries, woken } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true, predicates: [() => false] });
    primaries.emit({ type: 'delete', key: 'default/a', finalStateUnknown: true });
    expect(await woken()).toEqual(['default/a']);
  });

  test('PH-1: predicates are ANDed in their order', async () => {
    const { context, primaries, woken } = setup();
    const asked: string[] = [];
    const say = (name: string, answer: boolean) => () => asked.push(name) > 0 && answer;
    const predicates = [say('first', true), say('second', false), say('third', true)];
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual([]);
    expect(asked).toEqual(['first', 'second']);
  });

  test('PH-9: status updates are left out only when asked for', async () => {
    const { context, primaries, woken } = setup();
    const disconnect = connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true });
    const before = named('default/a', { resourceVersion: '1' }, { status: { ready: 0 } });
    const after = named('default/a', { resourceVersion: '2' }, { status: { ready: 1 } });
    primaries.update(before, after);
    expect(await woken()).toEqual([]);
    disconnect();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.update(before, after);
    expect(await woken()).toEqual(['default/a']);
  });

  test('PH-6: a throwing predicate is counted and logged with the key, and the change is not lost', async () => {
    const { context, primaries, woken, lines, metrics } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [broken] });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toMatchObject([{ key: 'default/a', err: { message: 'broken' } }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="primary"} 1');
  });

  test.each([undefined, null])('PH-6: a predicate that throws %s is told all the same', async (nothing) => {
    const { context, primaries, woken, lines } = setup();
    const throwing = (): never => {
      throw nothing;
    };
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [throwing] });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toMatchObject([{ key: 'default/a', err: expect.stringContaining(`: ${nothing}`) }]);
  });

  test('PH-6: a predicate that answers with a promise is refused with a code, and the change is not lost', async () => {
    const { context, primaries, woken, lines } = setup();
    const later = (async () => false) as unknown as () => boolean;
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [later] });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toMatchObject([{ key: 'default/a', err: { code: 'TRIGGER_PREDICATE_INVALID' } }]);
  });

  test('IN-3: the delete of an object that cannot be decoded counts as one without an object', async () => {
    const { context, primaries, woken, lines } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [() => false] });
    for (const handler of primaries.handlers) {
      handler({
        type: 'delete',
        key: 'default/a',
        number: -1,
        ref: { namespace: 'default', name: 'a' },
        resourceVersion: '7',
        initial: false,
        resync: false,
        finalStateUnknown: false,
        after: undefined,
        get before() {
          return broken();
        },
      });
    }
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toEqual([]);
  });

  test('errors of a trigger are counted from 0, so that the first one is seen as an increase', () => {
    const { context, primaries, metrics } = setup(Fleet);
    connectPrimary({ ...context, controller: 'fleet', informer: primaries, skipStatusUpdates: false });
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="fleet",source="primary"} 0');
  });

  test('a disconnected trigger wakes nobody', async () => {
    const { context, primaries, woken } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false })();
    primaries.add(named('default/a'));
    expect(await woken()).toEqual([]);
  });

  test('triggers are counted by source and change', () => {
    const { context, primaries, metrics } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.add(named('default/a'));
    expect(metrics.text()).toContain('kilter_triggers_total{change="add",controller="webapp",source="primary"} 1');
  });
});

describe('PH-5: owned objects', () => {
  const owner = { apiVersion: 'example.com/v1', kind: 'WebApp', name: 'shop', uid: 'u1', controller: true };
  const child = (...ownerReferences: NonNullable<ObjectMeta['ownerReferences']>): KubeObject =>
    named('default/child', { ownerReferences });

  test('PH-6: a predicate that changes what it is shown misleads nobody', async () => {
    const { context, primaries, other, woken } = setup();
    const spoil = (change: object): boolean => {
      const { metadata } = (change as { after: KubeObject }).after;
      Object.assign(metadata, { name: 'x', namespace: 'y', ownerReferences: [] });
      return Reflect.set(change, 'key', 'y/x') || true;
    };
    connectOwned({ ...context, informer: other, primaries, predicates: [spoil] });
    other.add(child(owner));
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [spoil] });
    primaries.emit({ type: 'add', key: 'default/b', after: named('default/b') });
    expect(await woken()).toEqual(['default/shop', 'default/b']);
  });

  test.each<[string, Kind, { object: KubeObject; wakes: string[] }]>([
    ['the controlling owner', WebApp, { object: child(owner), wakes: ['default/shop'] }],
    [
      'another version of the owner kind',
      WebApp,
      { object: child({ ...owner, apiVersion: 'example.com/v1alpha1' }), wakes: ['default/shop'] },
    ],
    ['another UID', WebApp, { object: child({ ...owner, uid: 'u2' }), wakes: ['default/shop'] }],
    ['another group', WebApp, { object: child({ ...owner, apiVersion: 'other.com/v1' }), wakes: [] }],
    ['another kind', WebApp, { object: child({ ...owner, kind: 'Other' }), wakes: [] }],
    ['an owner that does not control', WebApp, { object: child({ ...owner, controller: false }), wakes: [] }],
    ['no owner', WebApp, { object: child(), wakes: [] }],
    ['a cluster-scoped owner', Fleet, { object: child({ ...owner, kind: 'Fleet' }), wakes: ['shop'] }],
    [
      'a namespaced owner of an object without namespace',
      WebApp,
      { object: named('child', { ownerReferences: [owner] }), wakes: [] },
    ],
  ])('PH-5: %s', async (_, primary, { object, wakes }) => {
    const { context, primaries, other, woken } = setup(primary);
    connectOwned({ ...context, informer: other, primaries });
    other.add(object);
    expect(await woken()).toEqual(wakes);
  });

  test('PH-5: old and new owner are woken when a child changes hands, one that stays only once', async () => {
    const { context, primaries, other, woken, metrics } = setup();
    connectOwned({ ...context, informer: other, primaries });
    other.update(child(owner), child({ ...owner, name: 'bar' }));
    expect(metrics.text()).toContain('kilter_triggers_total{change="update",controller="webapp",source="owned"} 2');
    expect(await woken()).toEqual(['default/shop', 'default/bar']);
    other.update(child(owner), child(owner));
    expect(await woken()).toEqual(['default/shop']);
    other.emit({ type: 'delete', key: 'default/child', before: child(owner) });
    expect(await woken()).toEqual(['default/shop']);
  });

  test('IN-3: whose child a delete without an object was is unknown, so all owners of its namespace are woken', async () => {
    const { context, primaries, other, woken } = setup();
    for (const key of ['default/a', 'default/b', 'other/c']) primaries.objects.set(key, named(key));
    connectOwned({ ...context, informer: other, primaries });
    other.emit({ type: 'delete', key: 'default/child' });
    expect(await woken()).toEqual(['default/a', 'default/b']);
  });
});

describe('watched objects', () => {
  test('PH-4: the mapper runs for old and new object, keys de-duplicated', async () => {
    const { context, primaries, other, view, woken, metrics } = setup();
    const map = (config: KubeObject): string[] => (config.metadata.labels?.users ?? '').split('.').filter(Boolean);
    connectWatched({ ...context, informer: other, primaries, view, map });
    other.update(named('default/c', { labels: { users: 'a.b' } }), named('default/c', { labels: { users: 'b.c' } }));
    expect(await woken()).toEqual(['default/a', 'default/b', 'default/c']);
    expect(metrics.text()).toContain('kilter_triggers_total{change="update",controller="webapp",source="watched"} 3');
  });

  test('PH-12: with `settle` an object is woken once, so long after the first of the changes that concern it', async () => {
    const { context, primaries, other, view, queue, clock } = setup();
    connectWatched({ ...context, informer: other, primaries, view, map: () => ['a'], settle: 2000 });
    other.add(named('default/x'));
    await clock.advance(1500);
    other.add(named('default/y'));
    expect(queue.takeReady()).toBeUndefined();
    await clock.advance(500);
    const work = queue.takeReady();
    expect(work?.key).toBe('default/a');
    if (work !== undefined) queue.done(work, { type: 'forget' });
    await clock.advance(60_000);
    expect(queue.takeReady()).toBeUndefined();
  });

  test('PH-4: a mapper finds the objects it concerns by what is in them', async () => {
    const { context, primaries, other, view, woken } = setup();
    for (const [key, word] of [
      ['default/a', 'red'],
      ['default/b', 'blue'],
    ] as const) {
      primaries.objects.set(key, named(key, { labels: { word } }));
    }
    const text = (config: KubeObject): string => config.metadata.annotations?.['text'] ?? '';
    connectWatched({
      ...context,
      informer: other,
      primaries,
      view,
      map: (config, at) =>
        at.primaries.where(({ metadata }) => text(config).includes(metadata.labels?.['word'] ?? '?')),
    });
    other.add(named('default/c', { annotations: { text: 'a blue moon' } }));
    expect(await woken()).toEqual(['default/b']);
  });

  test('PH-6: a throwing mapper is counted and logged with the key; later changes are not lost', async () => {
    const { context, primaries, other, view, woken, lines, metrics } = setup();
    const map = (config: KubeObject): string => (config.metadata.name === 'bad' ? broken() : 'shop');
    connectWatched({ ...context, informer: other, primaries, view, map });
    other.add(named('default/bad'));
    other.add(named('default/good'));
    expect(await woken()).toEqual(['default/shop']);
    expect(lines).toMatchObject([{ key: 'default/bad', err: { message: 'broken' } }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="watched"} 1');
  });

  test('PH-6: a mapper that throws for every object is reported once a minute, with how many there were since', async () => {
    const { context, primaries, other, view, clock, lines, metrics } = setup();
    connectWatched({ ...context, informer: other, primaries, view, map: broken });
    for (const key of ['default/a', 'default/b', 'default/c']) other.add(named(key));
    expect(lines).toMatchObject([{ key: 'default/a' }]);
    await clock.advance(60_000);
    other.add(named('default/d'));
    expect(lines).toMatchObject([{ key: 'default/a' }, { key: 'default/d', suppressed: 2 }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="watched"} 4');
  });

  test('PH-6: a mapper whose test is async is reported, and wakes nobody in its place', async () => {
    const { context, primaries, other, view, woken, lines } = setup();
    primaries.objects.set('default/a', named('default/a'));
    const later = (async () => Promise.reject(new Error('unheard'))) as never;
    connectWatched({ ...context, informer: other, primaries, view, map: (_, at) => at.primaries.where(later) });
    other.add(named('default/c'));
    expect(await woken()).toEqual([]);
    expect(lines).toMatchObject([{ key: 'default/c', err: { code: 'TRIGGER_PREDICATE_INVALID' } }]);
  });

  test('PH-6: a mapper that changes what it is given still means its namespace', async () => {
    const { context, primaries, other, view, woken } = setup();
    const map = ({ metadata }: KubeObject): string => (Object.assign(metadata, { namespace: 'y' }), 'shop');
    connectWatched({ ...context, informer: other, primaries, view, map });
    other.add(named('default/c'));
    expect(await woken()).toEqual(['default/shop']);
  });

  test('PH-6: a wrong answer among several is told and takes nothing from the others', async () => {
    const { context, primaries, other, view, woken, lines } = setup();
    connectWatched({ ...context, informer: other, primaries, view, map: () => ['a', '', 'b'] });
    other.add(named('default/c'));
    expect(await woken()).toEqual(['default/a', 'default/b']);
    expect(lines).toMatchObject([{ key: 'default/c', err: { code: 'TRIGGER_TARGET_INVALID' } }]);
  });

  test('a mapper finds primaries by an index of its controller', async () => {
    const { context, primaries, other, woken, lines } = setup();
    const key = (app: KubeObject): string | undefined => app.metadata.labels?.node;
    const indexes = [{ name: 'node', key }];
    const view = primariesOf({ ...context, informer: primaries, indexes });
    primaries.objects.set('default/a', named('default/a', { labels: { node: 'n1' } }));
    primaries.objects.set('default/b', named('default/b'));
    connectWatched({
      ...context,
      informer: other,
      primaries,
      view,
      map: (node, at) => at.primaries.by('node', node.metadata.name),
    });
    other.add(named('n1'));
    expect(await woken()).toEqual(['default/a']);
    expect(view.by('node', undefined)).toEqual([]);
    expect(view.all()).toHaveLength(2);
    expect(() => view.by('zone', 'z')).toThrow(expect.objectContaining({ code: 'CONTROLLER_INDEX_UNKNOWN' }));
    expect(() => view.by('zone', 'z')).toThrow('it has: node');
    expect(lines).toEqual([]);
  });

  test('PH-6: an index of the controller that fails is reported as one of its primary objects', () => {
    const { context, primaries, lines, metrics, view } = setup();
    const failing = primariesOf({ ...context, informer: primaries, indexes: [{ name: 'node', key: broken }] });
    primaries.objects.set('default/a', named('default/a'));
    expect(failing.by('node', 'n1')).toEqual([]);
    expect(lines).toMatchObject([{ key: 'default/a', source: 'primary', err: { message: 'broken' } }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="primary"} 1');
    expect(() => view.by('node', 'n1')).toThrow(/it has: none\b/);
  });
});

describe('references', () => {
  const references = (...names: string[]): KubeObject => named('default/app', {}, { names });
  const of = (app: KubeObject): string[] => [...(app as unknown as { names: string[] }).names];

  test('a change of an object wakes whoever refers to it, also when only its key is left', async () => {
    const { context, primaries, other, woken, metrics } = setup();
    connectReferences({ ...context, informer: other, primaries, of, index: '0' });
    primaries.objects.set('default/app', references('tls', 'db'));
    other.add(named('default/tls'));
    expect(metrics.text()).toContain('kilter_triggers_total{change="add",controller="webapp",source="referenced"} 1');
    expect(await woken()).toEqual(['default/app']);
    other.add(named('elsewhere/tls'));
    expect(await woken()).toEqual([]);
    other.emit({ type: 'delete', key: 'default/db' });
    expect(await woken()).toEqual(['default/app']);
  });

  test('PH-6: a function that throws on one object is reported and does not disturb the others', async () => {
    const { context, primaries, other, woken, lines, metrics } = setup();
    connectReferences({ ...context, informer: other, primaries, of, index: '0' });
    primaries.objects.set('default/bad', named('default/bad', {}, { names: null }));
    primaries.objects.set('default/app', references('tls', ''));
    other.add(named('default/tls'));
    expect(await woken()).toEqual(['default/app']);
    expect(lines).toMatchObject([
      { key: 'default/bad', source: 'referenced', err: { type: 'TypeError' } },
      { key: 'default/app', source: 'referenced', err: { code: 'TRIGGER_TARGET_INVALID' } },
    ]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="referenced"} 2');
  });
});

test('a mapper that answers with 100,000 keys does not keep the event loop from its turn', async () => {
  const { context, primaries, other, view, queue } = setup();
  const turns = { count: 0 };
  const clock = { ...systemClock, pause: () => ((turns.count += 1) % 100 === 0 ? quiescence() : undefined) };
  const many = Array.from({ length: 100_000 }, (_, i) => ({ namespace: 'default', name: `k${i}` }));
  connectWatched({ ...context, clock, informer: other, primaries, view, map: () => many });
  other.add(named('default/settings'));
  expect(queue.depth).toBeLessThan(10_000);
  while (queue.depth < many.length) await quiescence();
  expect(queue.depth).toBe(many.length);
});

test('PH-7: predicates have no part in what is watched and cached; selectors have', () => {
  const options = { labels: { app: 'db' }, namespaces: ['a'], metadataOnly: true, when: generationChanged };
  expect(declarationOf(ConfigMap, options)).toEqual({
    kind: ConfigMap,
    labels: { app: 'db' },
    fields: undefined,
    namespaces: ['a'],
    metadataOnly: true,
  });
  expect(predicatesOf(options)).toEqual([generationChanged]);
  expect(predicatesOf({ when: [generationChanged, labelsChanged] })).toHaveLength(2);
  expect(predicatesOf({})).toEqual([]);
});
