import { expect, test } from 'vitest';
import { namespaceLifecycle, namespaceProtection } from './namespace-lifecycle.ts';

test.each([
  { state: { name: 'a', exists: true, terminating: false }, refusal: undefined },
  { state: { name: 'a', exists: false, terminating: false }, refusal: { type: 'missing', namespace: 'a' } },
  {
    state: { name: 'a', exists: true, terminating: true },
    refusal: {
      type: 'terminating',
      message: 'unable to create new content in namespace a because it is being terminated',
      cause: {
        reason: 'NamespaceTerminating',
        message: 'namespace a is being terminated',
        field: 'metadata.namespace',
      },
    },
  },
])('a create in $state is refused: $refusal.type', ({ state, refusal }) => {
  expect(namespaceLifecycle(state)).toEqual(refusal);
});

test.each([
  ['default', true],
  ['kube-system', true],
  ['kube-public', true],
  ['kube-node-lease', false],
  ['mine', false],
])('namespace %s is protected from deletion: %s', (name, expected) => {
  expect(namespaceProtection(name) === 'this namespace may not be deleted').toBe(expected);
});
