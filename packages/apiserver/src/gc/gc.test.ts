import type { JsonObject } from 'kilter/api';
import { seededRandom, virtualClock } from 'kilter/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Call } from '../calls/index.ts';
import { builtinResources } from '../kinds/index.ts';
import { createRegistry } from '../registry/index.ts';
import { garbageCollector } from './garbage-collector.ts';
import { namespaceDefaults } from './namespace-defaults.ts';
import { namespaceEmptier } from './namespace-emptier.ts';
import { runStages } from './run-stages.ts';

interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly finalizers?: string[];
  readonly ownerReferences?: JsonObject[];
  readonly deletionTimestamp?: string;
}
type Stored = JsonObject & { readonly metadata: Meta & JsonObject };

/** A registry with garbage collection and namespaces, called as a client would. */
function server() {
  const clock = virtualClock();
  const registry = createRegistry({ clock, random: seededRandom(7), resources: builtinResources() });
  const stages = [garbageCollector(registry), namespaceEmptier(registry)];
  const errors: unknown[] = [];
  const running = runStages(registry, stages, { onError: (error) => errors.push(error) });
  onTestFinished(() => {
    running.close();
    registry.close();
    expect(errors).toEqual([]);
    expect(clock.pending).toBe(0);
  });
  const call = async (kind: string, details: Partial<Call> & Pick<Call, 'verb'>): Promise<Stored> => {
    const resource = registry.findKind('', kind);
    if (resource === undefined) throw new Error(kind);
    const answer = await registry.execute({
      resource,
      namespace: resource.namespaced ? 'default' : undefined,
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(),
      body: undefined,
      patchType: undefined,
      user: { name: 'admin', groups: ['system:masters'] },
      userAgent: 'test',
      signal: new AbortController().signal,
      ...details,
    });
    return (answer.type === 'object' ? answer.object : {}) as Stored;
  };
  const create = (kind: string, metadata: JsonObject, namespace = 'default'): Promise<Stored> =>
    call(kind, { verb: 'create', namespace, body: { apiVersion: 'v1', kind, metadata } });
  const remove = async (kind: string, name: string, propagationPolicy = 'Background'): Promise<void> => {
    await call(kind, { verb: 'delete', name, body: { kind: 'DeleteOptions', propagationPolicy } });
    await running.idle();
  };
  const find = (kind: string, name: string, namespace?: string): Stored | undefined => {
    const resource = registry.findKind('', kind);
    const all = resource === undefined ? [] : (registry.peek(resource, namespace) as Stored[]);
    return all.find(({ metadata }) => metadata.name === name);
  };
  const patch = async (kind: string, name: string, body: JsonObject): Promise<void> => {
    await call(kind, { verb: 'patch', patchType: 'merge', name, body });
    await running.idle();
  };
  return { registry, running, clock, call, create, remove, find, patch };
}

const ownedBy = ({ kind, metadata }: Stored, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: kind ?? '',
  name: metadata.name,
  uid: metadata.uid,
  ...more,
});

describe('API-X6: the garbage collector', () => {
  test('background: when the owner is gone its dependents go, and theirs', async () => {
    const { create, remove, find } = server();
    const owner = await create('ConfigMap', { name: 'owner' });
    const child = await create('ConfigMap', { name: 'child', ownerReferences: [ownedBy(owner)] });
    await create('Secret', { name: 'grandchild', ownerReferences: [ownedBy(child)] });
    await create('ConfigMap', { name: 'stranger' });
    await remove('ConfigMap', 'owner');
    expect(find('ConfigMap', 'child')).toBeUndefined();
    expect(find('Secret', 'grandchild')).toBeUndefined();
    expect(find('ConfigMap', 'stranger')).toBeDefined();
  });

  test('an object created for an owner that does not exist goes at once; the same name is not enough', async () => {
    const { create, find, running } = server();
    const owner = await create('ConfigMap', { name: 'owner' });
    await create('ConfigMap', { name: 'late', ownerReferences: [ownedBy(owner, { uid: 'of-another' })] });
    await running.idle();
    expect(find('ConfigMap', 'late')).toBeUndefined();
  });

  test('foreground: dependents that block go first, then the owner', async () => {
    const { create, remove, find, patch } = server();
    const owner = await create('ConfigMap', { name: 'owner' });
    const blocks = { blockOwnerDeletion: true };
    const held = { finalizers: ['example.com/hold'] };
    await create('ConfigMap', { name: 'child', ...held, ownerReferences: [ownedBy(owner, blocks)] });
    await create('ConfigMap', { name: 'free', ...held, ownerReferences: [ownedBy(owner)] });
    await remove('ConfigMap', 'owner', 'Foreground');
    expect(find('ConfigMap', 'owner')?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect(find('ConfigMap', 'child')?.metadata.deletionTimestamp).toBeDefined();
    expect(find('ConfigMap', 'free')?.metadata.deletionTimestamp).toBeDefined();
    await patch('ConfigMap', 'child', { metadata: { finalizers: null } });
    expect(find('ConfigMap', 'child')).toBeUndefined();
    expect(find('ConfigMap', 'owner')).toBeUndefined();
    expect(find('ConfigMap', 'free')).toBeDefined();
  });

  test('orphan: references are removed, dependents stay, the owner goes', async () => {
    const { create, remove, find } = server();
    const owner = await create('ConfigMap', { name: 'owner' });
    const other = await create('ConfigMap', { name: 'other' });
    await create('ConfigMap', { name: 'child', ownerReferences: [ownedBy(owner), ownedBy(other)] });
    await create('Secret', { name: 'child', ownerReferences: [ownedBy(owner)] });
    await remove('ConfigMap', 'owner', 'Orphan');
    expect(find('ConfigMap', 'owner')).toBeUndefined();
    expect(find('ConfigMap', 'child')?.metadata.ownerReferences).toEqual([ownedBy(other)]);
    expect(find('Secret', 'child')?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('a living owner beside one deleted in the foreground: only that reference goes', async () => {
    const { create, remove, find } = server();
    const going = await create('ConfigMap', { name: 'going' });
    const staying = await create('ConfigMap', { name: 'staying' });
    const references = [ownedBy(going, { blockOwnerDeletion: true }), ownedBy(staying)];
    await create('ConfigMap', { name: 'child', ownerReferences: references });
    await remove('ConfigMap', 'going', 'Foreground');
    expect(find('ConfigMap', 'going')).toBeUndefined();
    expect(find('ConfigMap', 'child')?.metadata.ownerReferences).toEqual([ownedBy(staying)]);
  });

  test.each(['Background', 'Foreground'])('a circle does not block a deletion in the %s', async (policy) => {
    const { create, remove, find, patch } = server();
    const blocks = { blockOwnerDeletion: true };
    const first = await create('ConfigMap', { name: 'first' });
    const second = await create('ConfigMap', { name: 'second', ownerReferences: [ownedBy(first, blocks)] });
    await patch('ConfigMap', 'first', { metadata: { ownerReferences: [ownedBy(second, blocks)] } });
    await remove('ConfigMap', 'first', policy);
    expect(find('ConfigMap', 'first')).toBeUndefined();
    expect(find('ConfigMap', 'second')).toBeUndefined();
  });

  test('an owner in another namespace is absent, and a warning says so', async () => {
    const { create, find, registry, running } = server();
    await create('Namespace', { name: 'elsewhere' });
    const owner = await create('ConfigMap', { name: 'owner' }, 'elsewhere');
    const child = await create('ConfigMap', { name: 'child', ownerReferences: [ownedBy(owner)] });
    await running.idle();
    expect(find('ConfigMap', 'child', 'default')).toBeUndefined();
    const events = registry.findKind('', 'Event');
    const said = events === undefined ? [] : registry.peek(events);
    expect(said).toMatchObject([
      { type: 'Warning', reason: 'OwnerRefInvalidNamespace', involvedObject: { uid: child.metadata.uid } },
    ]);
  });

  test('objects from before the collector started are looked at as well', async () => {
    const clock = virtualClock();
    const registry = createRegistry({ clock, random: seededRandom(7), resources: builtinResources() });
    const resource = registry.findKind('', 'ConfigMap');
    if (resource === undefined) throw new Error('no ConfigMap');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' }];
    await registry.execute({
      verb: 'create',
      resource,
      namespace: 'default',
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(),
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'left', ownerReferences } },
      patchType: undefined,
      user: { name: 'admin', groups: [] },
      userAgent: 'test',
      signal: new AbortController().signal,
    });
    const running = runStages(registry, [garbageCollector(registry)], {
      onError: (error) => expect.unreachable(String(error)),
    });
    await running.idle();
    expect(registry.peek(resource, 'default')).toEqual([]);
    running.close();
    registry.close();
  });
});

describe('API-X7: namespaces that are deleted', () => {
  test('their contents go, then they go', async () => {
    const { create, remove, find } = server();
    await create('Namespace', { name: 'shop' });
    await create('ConfigMap', { name: 'c' }, 'shop');
    await create('Secret', { name: 's' }, 'shop');
    await create('ConfigMap', { name: 'c' });
    await remove('Namespace', 'shop');
    expect(find('Namespace', 'shop')).toBeUndefined();
    expect(find('ConfigMap', 'c', 'shop')).toBeUndefined();
    expect(find('Secret', 's', 'shop')).toBeUndefined();
    expect(find('ConfigMap', 'c', 'default')).toBeDefined();
  });

  test('while a finalizer holds something inside, they say what they wait for', async () => {
    const { create, remove, find, call, running } = server();
    await create('Namespace', { name: 'shop' });
    await create('ConfigMap', { name: 'c', finalizers: ['example.com/hold'] }, 'shop');
    await remove('Namespace', 'shop');
    expect(find('Namespace', 'shop')).toMatchObject({
      status: {
        phase: 'Terminating',
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'NamespaceFinalizersRemaining', status: 'True' }),
        ]),
      },
    });
    await call('ConfigMap', {
      verb: 'patch',
      patchType: 'merge',
      namespace: 'shop',
      name: 'c',
      body: { metadata: { finalizers: null } },
    });
    await running.idle();
    expect(find('Namespace', 'shop')).toBeUndefined();
  });
});

test('API-X7: every namespace gets its service account and root certificate, again if they are deleted', async () => {
  const { create, find, registry, running, call } = server();
  const defaults = runStages(registry, [namespaceDefaults(registry, { rootCertificate: () => 'PEM' })], {
    onError: (error) => expect.unreachable(String(error)),
  });
  await create('Namespace', { name: 'shop' });
  await defaults.idle();
  for (const namespace of ['shop', 'default', 'kube-system']) {
    expect(find('ServiceAccount', 'default', namespace)).toBeDefined();
    expect(find('ConfigMap', 'kube-root-ca.crt', namespace)).toMatchObject({ data: { 'ca.crt': 'PEM' } });
  }
  await call('ServiceAccount', { verb: 'delete', namespace: 'shop', name: 'default' });
  await defaults.idle();
  expect(find('ServiceAccount', 'default', 'shop')).toBeDefined();
  await call('Namespace', { verb: 'delete', name: 'shop' });
  await running.idle();
  await defaults.idle();
  expect(find('Namespace', 'shop')).toBeUndefined();
  defaults.close();
});
