import { seededRandom, virtualClock } from 'kilter/runtime';
import { expect, test } from 'vitest';
import type { Call } from '../calls/index.ts';
import { builtinResources } from '../kinds/index.ts';
import { createRegistry } from '../registry/index.ts';
import { runStages } from './run-stages.ts';
import { storageProtection, usesClaim, usesClass } from './storage-protection.ts';

const pod = (phase: string, nodeName?: string) => ({
  spec: { ...(nodeName && { nodeName }), volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  status: { phase },
});

test.each([
  [pod('Running', 'n'), 'data', true],
  [pod('Pending', 'n'), 'data', true],
  [pod('Pending'), 'data', false],
  [pod('Succeeded', 'n'), 'data', false],
  [pod('Failed', 'n'), 'data', false],
  [pod('Running', 'n'), 'other', false],
])('%j holds claim %s: %s', (one, claim, expected) => {
  expect(usesClaim(one, claim)).toBe(expected);
});

test('a claim in use is deleted when its last pod is gone', async () => {
  const clock = virtualClock();
  const registry = createRegistry({ clock, random: seededRandom(7), resources: builtinResources() });
  const running = runStages(registry, [storageProtection(registry)], {
    onError: (error) => {
      throw error;
    },
  });
  const call = async (kind: string, details: Pick<Call, 'verb'> & Partial<Call>): Promise<void> => {
    const resource = registry.findKind('', kind);
    if (resource === undefined) throw new Error(kind);
    await registry.execute({
      resource,
      namespace: 'default',
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(),
      body: undefined,
      patchType: undefined,
      user: { name: 'u', groups: [] },
      userAgent: 'test',
      signal: new AbortController().signal,
      ...details,
    });
    await running.idle();
  };
  const claims = (): number => {
    const resource = registry.findKind('', 'PersistentVolumeClaim');
    return resource === undefined ? 0 : registry.peek(resource).length;
  };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await call('PersistentVolumeClaim', { verb: 'create', body: { metadata: { name: 'data' }, spec } });
  const user = { ...pod('Running', 'n').spec, containers: [{ name: 'c', image: 'i' }] };
  await call('Pod', { verb: 'create', body: { metadata: { name: 'p' }, spec: user } });
  await call('PersistentVolumeClaim', { verb: 'delete', name: 'data' });
  expect(claims()).toBe(1);
  await call('Pod', { verb: 'delete', name: 'p', query: new URLSearchParams('gracePeriodSeconds=0') });
  expect(claims()).toBe(0);
  running.close();
  registry.close();
});

test.each([
  [{ spec: { volumeAttributesClassName: 'gold' } }, true],
  [{ status: { currentVolumeAttributesClassName: 'gold' } }, true],
  [{ status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'gold' } } }, true],
  [{ spec: { volumeAttributesClassName: 'silver' }, status: {} }, false],
])('%j holds the class gold: %s', (object, expected) => {
  expect(usesClass(object, 'gold')).toBe(expected);
});
