import { describe, expect, test } from 'vitest';
import type { Kind, KubeObject, OwnerReference } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { checkAdoption, checkOwnerScope, controllerReference, withController } from './owner.ts';

const WebApp = {
  names: { group: 'example.com', version: 'v1', kind: 'WebApp', scope: 'Namespaced' },
} as unknown as Kind;
const owner: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'shop', namespace: 'a', uid: 'u1' },
};
const child = (ownerReferences?: OwnerReference[], namespace: string | undefined = 'a'): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop', ...(namespace && { namespace }), ...(ownerReferences && { ownerReferences }) },
});
const reference = controllerReference(owner, WebApp);
const rival: OwnerReference = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  name: 'other',
  uid: 'u2',
  controller: true,
};

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    return error instanceof KilterError ? error.code : String(error);
  }
  return undefined;
};

describe('OW-1: the controller reference', () => {
  test('controls and blocks the deletion of its owner', () => {
    expect(reference).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      name: 'shop',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    });
    expect(withController(child(), reference).metadata.ownerReferences).toEqual([reference]);
  });
  test('replaces an older one of the same group, kind and name, UID and version included', () => {
    const older = { ...reference, apiVersion: 'example.com/v1alpha1', uid: 'gone' };
    expect(withController(child([older]), reference).metadata.ownerReferences).toEqual([reference]);
  });
  test('stands beside owners that do not control', () => {
    const plain = { ...rival, controller: false };
    expect(withController(child([plain]), reference).metadata.ownerReferences).toEqual([plain, reference]);
  });
  test('is refused where another object controls the child', () => {
    expect(codeOf(() => withController(child([rival]), reference))).toBe('RECONCILE_OWNED_BY_OTHER');
  });
  test.each([
    ['another namespace', child(undefined, 'b'), 'RECONCILE_OWNER_SCOPE'],
    ['no namespace', child(undefined, ''), 'RECONCILE_OWNER_SCOPE'],
    ['the same namespace', child(), undefined],
  ])('of a namespaced owner on a child in %s', (_, object, code) => {
    expect(codeOf(() => checkOwnerScope(owner, object))).toBe(code);
  });
  test.each([
    [child(undefined, 'b'), 'WebApp a/shop cannot own Deployment shop, which is in namespace b ('],
    [child(undefined, ''), 'WebApp a/shop cannot own Deployment shop, which is cluster-scoped ('],
  ])('the refusal says where the child is: %#', (object, message) => {
    expect(() => checkOwnerScope(owner, object)).toThrow(message);
  });
  test('a cluster-scoped child is not advised to go into a namespace', () => {
    expect(() => checkOwnerScope(owner, child(undefined, ''))).toThrow('apply with `owner: false`, and delete it in a');
    expect(() => checkOwnerScope(owner, child(undefined, 'b'))).toThrow(
      'put the child into the namespace of its owner',
    );
  });
  test('a cluster-scoped owner may own anywhere', () => {
    const cluster: KubeObject = { ...owner, metadata: { name: 'shop', uid: 'u1' } };
    expect(codeOf(() => checkOwnerScope(cluster, child(undefined, 'b')))).toBeUndefined();
  });
});

describe('OW-3: adoption', () => {
  test.each([
    ['an orphan', child(), 'ifOrphan', undefined],
    ['an orphan', child(), 'never', 'RECONCILE_ORPHAN_NOT_ADOPTED'],
    ['an own child', child([reference]), 'never', undefined],
    ['a child of another', child([rival]), 'ifOrphan', 'RECONCILE_OWNED_BY_OTHER'],
  ] as const)('%s with %s', (_, existing, adopt, code) => {
    expect(codeOf(() => checkAdoption(existing, reference, adopt))).toBe(code);
  });
});
