import { expect, test } from 'vitest';
import { kind } from '../api/index.ts';
import {
  checkNamespaces,
  coversNamespace,
  describeDeclaration,
  isSelective,
  parseLabels,
  resolveDeclaration,
  scopeIdOf,
} from './declaration.ts';
import { Thing } from './model-server.test-support.ts';

const Box = kind({ group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Cluster' });

test('selectors that select nothing are none', () => {
  for (const empty of [{}, { labels: {}, fields: {} }, { labels: '', fields: '' }]) {
    const resolved = resolveDeclaration({ kind: Thing, ...empty });
    expect(resolved).toMatchObject({ labels: undefined, fields: undefined, metadataOnly: false });
    expect(isSelective(resolved)).toBe(false);
  }
});

test('one term is a selector, of labels and of fields', () => {
  const labelled = resolveDeclaration({ kind: Thing, labels: { app: 'db' } });
  const chosen = resolveDeclaration({ kind: Thing, fields: { 'metadata.name': 'a' } });
  expect([labelled.labels, labelled.fields, isSelective(labelled)]).toEqual(['app=db', undefined, true]);
  expect([chosen.labels, chosen.fields, isSelective(chosen)]).toEqual([undefined, 'metadata.name=a', true]);
});

test('namespaces are sorted and named once; cluster-scoped kinds have none', () => {
  expect(resolveDeclaration({ kind: Thing, namespaces: ['shop', 'default', 'shop'] }).namespaces).toEqual([
    'default',
    'shop',
  ]);
  expect(resolveDeclaration({ kind: Thing }, ['x']).namespaces).toEqual(['x']);
  expect(resolveDeclaration({ kind: Box }, ['x']).namespaces).toBeUndefined();
});

test('declarations that one informer can serve have one scope, however they are written', () => {
  const scope = (labels: string, namespaces?: string[]): string =>
    scopeIdOf(resolveDeclaration({ kind: Thing, labels, namespaces }));
  expect(scope('a=1,b=2')).toBe(scope('b=2,a=1'));
  expect(scope('a=1', ['y', 'x'])).toBe(scope('a=1', ['x', 'y']));
  expect(new Set([scope('a=1'), scope('a=2'), scope('a=1', ['x']), scope('')]).size).toBe(4);
});

test('which namespaces are covered', () => {
  const some = resolveDeclaration({ kind: Thing, namespaces: ['x'] });
  expect([coversNamespace(some, 'x'), coversNamespace(some, 'y'), coversNamespace(some, undefined)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(coversNamespace(resolveDeclaration({ kind: Thing }), undefined)).toBe(true);
});

test('a declaration in words', () => {
  expect(describeDeclaration(resolveDeclaration({ kind: Thing }))).toBe('Thing.example.com');
  const all = {
    labels: { app: 'db' },
    fields: { 'metadata.name': 'a' },
    namespaces: ['x', 'y'],
    metadataOnly: true,
  };
  expect(describeDeclaration(resolveDeclaration({ kind: Thing, ...all }))).toBe(
    'Thing.example.com in x, y with app=db where metadata.name=a (metadata only)',
  );
});

test('what is not a selector or a list of namespaces is refused with a code', () => {
  expect(() => parseLabels('a in (')).toThrow(expect.objectContaining({ code: 'CACHE_SELECTOR_INVALID' }));
  for (const wrong of [[], ['x', '']]) {
    expect(() => checkNamespaces(wrong)).toThrow(expect.objectContaining({ code: 'CACHE_NAMESPACES_INVALID' }));
  }
});
