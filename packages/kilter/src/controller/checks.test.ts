import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { controller } from './define.ts';

const named = (name: string): Parameters<typeof kind>[0] => ({
  group: 'example.com',
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  scope: 'Namespaced',
});
const App = kind<KubeObject>(named('App'));
const Part = kind<KubeObject>(named('Part'));
const nothing = async (): Promise<void> => {};

function refusal(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (error instanceof KilterError) return `${error.code} ${error.summary}`;
    throw error;
  }
  return 'accepted';
}

test('RC-23: all mistakes of a definition are reported together', () => {
  const told = refusal(() =>
    controller(App, { timeout: '5 minutes' as '5m', labels: 'app in' })
      .concurrency(0)
      .every(-1)
      .cleanup('dns' as 'a/b', nothing)
      .reconcile(nothing),
  );
  expect(told).toMatch(/^CONTROLLER_OPTION_INVALID controller app: \(1\) /);
  for (const part of ['timeout', 'label selector', 'concurrency', 'every', 'a finalizer is <domain>/<name>', '(5)']) {
    expect(told).toContain(part);
  }
});

test('RC-23: a mistake in one branch does not touch another', () => {
  const base = controller(App);
  base.concurrency(-1);
  expect(refusal(() => base.reconcile(nothing))).toBe('accepted');
});

const wrong = undefined as never;
test.each<[string, () => unknown, string]>([
  ['no kind', () => controller(wrong), 'was not given a kind'],
  ['no reconciler', () => controller(App).reconcile(wrong), 'reconcile takes a function'],
  ['no function by key', () => controller(App).reconcileKey(wrong), 'reconcileKey takes a function'],
  ['owns nothing', () => controller(App).owns(wrong).reconcile(nothing), 'owns takes a kind'],
  ['an invalid mapper', () => controller(App).watches(Part, wrong).reconcile(nothing), 'watches takes a function'],
  ['no namespace', () => controller(App, { namespaces: [] }).reconcile(nothing), 'namespaces must name at least one'],
  ['a name of nothing', () => controller(App, { name: '' }).reconcile(nothing), 'name must be 1 to 63'],
  [
    'an index of what is not declared',
    () =>
      controller(App)
        .index(Part, 'x', () => 'y')
        .reconcile(nothing),
    'add .reads(Part)',
  ],
  [
    'an index of what is not there',
    () =>
      controller(App)
        .reads(Part, { metadataOnly: true })
        .index(Part, 'x', () => 'y')
        .reconcile(nothing),
    'only metadata is cached',
  ],
  [
    'an index twice',
    () =>
      controller(App)
        .index('x', () => 'y')
        .index(App, 'x', () => 'z')
        .reconcile(nothing),
    'the index x of App.example.com is declared twice',
  ],
  [
    'two cleanups of one name',
    () => controller(App).cleanup('example.com/a', nothing).cleanup('example.com/a', nothing).reconcile(nothing),
    'two cleanups share',
  ],
  [
    'by key with what needs an object',
    () =>
      controller(App)
        .owns(Part, { prune: true })
        .onError(() => undefined)
        .reconcileKey(nothing),
    'onError, owns with prune cannot stand beside reconcileKey',
  ],
])('RC-23: %s', (_, build, message) => {
  expect(refusal(build)).toContain(message);
});
