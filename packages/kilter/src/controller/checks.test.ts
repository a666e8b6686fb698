import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { Checks } from './checks.ts';
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
  [
    'a verb that is not one of writing',
    () =>
      controller(App)
        .writes(Part, { verbs: ['get' as 'patch'] })
        .reconcile(nothing),
    'writes(Part): verbs are some of create, update, patch, delete,',
  ],
  [
    'no verb at all',
    () => controller(App).writes(Part, { verbs: [] }).reconcile(nothing),
    'writes(Part): verbs are some of create, update, patch, delete,',
  ],
  [
    'names for a verb that has none',
    () =>
      controller(App)
        .writes(Part, { verbs: ['deletecollection'], names: ['a'] })
        .reconcile(nothing),
    'writes(Part): the verb deletecollection cannot be limited by names',
  ],
  ['an invalid mapper', () => controller(App).watches(Part, wrong).reconcile(nothing), 'watches takes a function'],
  [
    'an option that does not exist',
    () => controller(App, { concurency: 4 } as never).reconcile(nothing),
    "controller app: controller() has no option 'concurency'; it has name, labels,",
  ],
  [
    'options that are none',
    () => controller(App, 'app' as never).reconcile(nothing),
    "controller() takes an object of options, not 'app'",
  ],
  [
    'null for options',
    () => controller(App, null as never).reconcile(nothing),
    'controller() takes an object of options, not null',
  ],
  [
    'a source that is a list',
    () =>
      controller(App)
        .on(['a'] as never, () => 'a')
        .reconcile(nothing),
    "on takes an async iterable, or a function that returns one, not [ 'a' ]",
  ],
  [
    'no source',
    () =>
      controller(App)
        .on(null as never, () => 'a')
        .reconcile(nothing),
    'returns one, not null',
  ],
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
    'a time to settle that is not a duration',
    () =>
      controller(App)
        .watches(Part, () => [], { settle: 'soon' as '2s' })
        .reconcile(nothing),
    "settle takes a duration such as '2s', not",
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
    'onError, owns with prune cannot be used with reconcileKey: use ctx.of(object).status(…), ctx.of(object).owned(Kind) and delete there',
  ],
])('RC-23: %s', (_, build, message) => {
  expect(refusal(build)).toContain(message);
});

describe('RC-23: a finalizer the server would refuse is refused where it is written', () => {
  const problem = (finalizer: unknown): string | undefined => {
    const checks = new Checks();
    checks.finalizer(finalizer as string);
    try {
      checks.report('c');
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  test.each([
    'example.com/dns',
    'a.b/C_d.e-f',
    `example.com/${'x'.repeat(63)}`,
    `${Array.from({ length: 63 }, () => 'abc').join('.')}.d/x`,
  ])('%s is one', (finalizer) => {
    expect(problem(finalizer)).toBeUndefined();
  });
  test.each([
    'dns',
    'example/dns',
    'EXAMPLE.com/dns',
    'example..com/dns',
    '-example.com/dns',
    'example.com-/dns',
    'example.com/',
    'example.com/-dns',
    'example.com/dns.',
    'example.com/dns/a',
    'example.com/d n',
    'example.com/dñs',
    `example.com/${'x'.repeat(64)}`,
    `${Array.from({ length: 63 }, () => 'abc').join('.')}.de/x`,
    'example.com/dns\n',
    5,
    undefined,
    {},
  ])('%s is not one', (finalizer) => {
    expect(problem(finalizer)).toContain('a finalizer is <domain>/<name>, as in example.com/dns, not ');
  });
});

test('RC-23: every option that is documented is known', () => {
  const names =
    'name labels fields namespaces when deleting statusUpdates everyReplica quarantine timeout backoff ageing fairness';
  const refused = (name: string): string => {
    const checks = new Checks();
    checks.known({ [name]: undefined });
    try {
      checks.report('c');
    } catch (error) {
      return (error as Error).message;
    }
    return 'accepted';
  };
  for (const name of names.split(' ')) expect([name, refused(name)]).toEqual([name, 'accepted']);
  expect(refused('nonsense')).toContain(`controller() has no option 'nonsense'; it has ${names.split(' ').join(', ')}`);
});
