import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import type { Informer } from '../cache/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { MetricsRegistry } from '../telemetry/index.ts';
import { environmentOf } from './environment.ts';
import type { ControllerSpec } from './spec.ts';

const named = (name: string) =>
  kind<KubeObject>({ group: '', version: 'v1', kind: name, plural: `${name.toLowerCase()}s`, scope: 'Namespaced' });
const [App, Part, Note] = [named('App'), named('Part'), named('Note')] as const;
const object = (name: string, uid: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Part',
  metadata: { name, namespace: 'n', uid },
});
const entry = (manager: string) => ({ manager, operation: 'Apply', fieldsV1: { [`f:${manager}`]: {} } });

/** Two declarations of one kind, each its own informer. */
function setUp(informers: readonly Partial<Informer>[] = []) {
  const settled: unknown[][] = [];
  const arrived = Promise.withResolvers<void>();
  const metrics = new MetricsRegistry();
  const cache = {
    filterOf: (of: unknown, { name }: { name?: string }) => (of === Part && name === 'hidden' ? 'a=b' : undefined),
    settled: (...args: unknown[]) => (settled.push(args), arrived.promise),
    viewFor: (options: unknown) => options,
  };
  const spec = { name: 'c', kind: App, owns: [{ kind: Part, options: {} }], writes: [{ kind: Note, options: {} }] };
  const dependencies = { cache, metrics, manager: 'me', runtime: virtualRuntime() };
  const environment = environmentOf(spec as unknown as ControllerSpec, dependencies as never, {
    primaries: {} as never,
    children: new Map([['Part', informers.map((informer, i) => ({ informer: informer as Informer, prune: i > 0 }))]]),
  });
  return { environment, settled, arrived, metrics };
}

test('children are declared as owned or as only written', () => {
  const { environment } = setUp();
  expect([...environment.children]).toEqual([
    ['v1/Note', { kind: Note, owned: false }],
    ['v1/Part', { kind: Part, owned: true }],
  ]);
  expect(environment.cache).toEqual({ indexUser: 'c' });
});

test('RW-9: children are taken after the writes for the key have arrived, each once', async () => {
  const asked: string[] = [];
  const owned = (...objects: KubeObject[]) => ({ ownedBy: (uid: string) => (asked.push(uid), objects) }) as never;
  const { environment, settled, arrived } = setUp([
    owned(object('a', '1'), object('b', '2')),
    owned(object('b', '2'), object('c', '3')),
  ]);
  const children = environment.childrenOf(Part, { key: 'n/x', uid: 'u' });
  await Promise.resolve();
  expect([settled, asked]).toEqual([[[App, 'n/x']], []]);
  arrived.resolve();
  expect((await children).map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual(['u', 'u']);
  const pruned = await environment.childrenOf(Part, { key: 'n/x', uid: 'u' }, 'pruned');
  expect(pruned.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  expect(await environment.childrenOf(Note, { key: 'n/x', uid: 'u' })).toEqual([]);
});

test('what the controller owns of a child is asked of the informer that has it', () => {
  const fields = (...managers: string[]) => ({ managedFieldsOf: () => managers.map(entry) }) as never;
  const ref = { name: 'a', namespace: 'n' };
  expect(setUp([fields(), fields('me')]).environment.ownedFieldsOf(Part, ref)).toEqual({ 'f:me': {} });
  expect(setUp([fields(), fields('you')]).environment.ownedFieldsOf(Part, ref)).toBeUndefined();
  expect(setUp([]).environment.ownedFieldsOf(Part, ref)).toBeUndefined();
  const keys: string[] = [];
  setUp([{ managedFieldsOf: (key: string) => (keys.push(key), []) }]).environment.ownedFieldsOf(Part, ref);
  expect(keys).toEqual(['n/a']);
});

test('whether a selector may hide an object is asked of the cache', () => {
  const { environment } = setUp();
  expect(environment.hides(Part, { name: 'hidden' })).toBe(true);
  expect(environment.hides(Part, { name: 'a' })).toBe(false);
});

test('writes that were not needed are counted', () => {
  const { environment, metrics } = setUp();
  environment.skipped();
  expect(metrics.text()).toContain('kilter_skipped_writes_total{controller="c"} 1');
});
