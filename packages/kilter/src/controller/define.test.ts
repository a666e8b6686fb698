import { describe, expect, test } from 'vitest';
import { kind, type Kind, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { causeInWords } from './causes.ts';
import { controller } from './define.ts';

const named = (name: string) =>
  kind<KubeObject>({
    group: 'example.com',
    version: 'v1',
    kind: name,
    plural: `${name.toLowerCase()}s`,
    scope: 'Namespaced',
  });
const App = named('App');
const Part = named('Part');
const Other = named('Other');
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

describe('a definition', () => {
  test('has defaults', () => {
    expect(controller(App).reconcile(nothing)).toMatchObject({
      name: 'app',
      kind: App,
      concurrency: 1,
      spec: {
        timeout: 300_000,
        deleting: false,
        skipStatusUpdates: false,
        everyReplica: false,
        when: [],
        owns: [],
        writes: [],
        reads: [],
        watches: [],
        references: [],
        indexes: [],
        sources: [],
        cleanups: [],
        every: undefined,
        onError: undefined,
        reconcile: nothing,
        reconcileKey: undefined,
      },
    });
  });

  test('holds what was said, in the order it was said', () => {
    const targets = () => [];
    const key = () => 'k';
    const events = (async function* () {})();
    const source = () => events;
    const onError = () => undefined;
    const when = () => true;
    const { name, concurrency, spec } = controller(App, { name: 'c', timeout: '1s', deleting: true, when })
      .owns(Part, { labels: 'a=b' })
      .owns(Other)
      .writes(Other)
      .writes(Part, { verbs: ['delete'] })
      .reads(Other, { namespaces: ['n'] })
      .watches(Part, targets, { labels: 'c' })
      .references(Other, targets, { fields: { 'metadata.name': 'x' } })
      .index('own', key)
      .index(Part, 'of-part', key)
      .on(source, targets)
      .on(events, targets)
      .every('1m')
      .concurrency(3)
      .cleanup('example.com/a', nothing)
      .onError(onError)
      .reconcile(nothing);
    expect([name, concurrency]).toEqual(['c', 3]);
    expect(spec).toMatchObject({
      timeout: 1000,
      deleting: true,
      when: [when],
      owns: [
        { kind: Part, options: { labels: 'a=b' } },
        { kind: Other, options: {} },
      ],
      writes: [
        { kind: Other, options: {} },
        { kind: Part, options: { verbs: ['delete'] } },
      ],
      reads: [{ kind: Other, options: { namespaces: ['n'] } }],
      watches: [{ kind: Part, map: targets, options: { labels: 'c' } }],
      references: [{ kind: Other, of: targets, options: { fields: { 'metadata.name': 'x' } } }],
      indexes: [
        { kind: App, name: 'own', key },
        { kind: Part, name: 'of-part', key },
      ],
      every: 60_000,
      cleanups: [{ finalizer: 'example.com/a', run: nothing }],
      onError,
    });
    expect(spec.sources[0]?.source).toBe(source);
    expect(spec.sources[1]?.source(new AbortController().signal)).toBe(events);
    expect(spec.sources.map(({ map }) => map)).toEqual([targets, targets]);
  });

  test('several predicates stay as they are', () => {
    const when = [() => true, () => false];
    expect(controller(App, { when }).reconcile(nothing).spec.when).toEqual(when);
  });

  test('updates of nothing but the status wake who asks for them, and by default who did not define the kind', () => {
    const Own = { ...App, manifest: () => ({ spec: { versions: [] } }) } as unknown as Kind<KubeObject>;
    const skips = (of: Kind<KubeObject>, statusUpdates?: boolean) =>
      controller(of, { statusUpdates }).reconcile(nothing).spec.skipStatusUpdates;
    expect([skips(App), skips(App, true), skips(App, false)]).toEqual([false, false, true]);
    expect([skips(Own), skips(Own, true), skips(Own, false)]).toEqual([true, false, true]);
  });

  test('an object with both halves: its methods keep their `this`', async () => {
    const reconciler = {
      finalizer: 'example.com/own' as const,
      seen: [] as string[],
      async reconcile() {
        this.seen.push('reconcile');
      },
      async cleanup() {
        this.seen.push('cleanup');
      },
    };
    const { spec } = controller(App).cleanup('example.com/first', nothing).reconcile(reconciler);
    await spec.reconcile?.(undefined as never, undefined as never);
    await spec.cleanups[1]?.run(undefined as never, undefined as never);
    expect(reconciler.seen).toEqual(['reconcile', 'cleanup']);
    expect(spec.cleanups.map(({ finalizer }) => finalizer)).toEqual(['example.com/first', 'example.com/own']);
  });

  test('an object without a cleanup has none', () => {
    expect(controller(App).reconcile({ reconcile: nothing } as never).spec.cleanups).toEqual([]);
  });

  test('by key', () => {
    const { spec } = controller(App).reconcileKey(nothing);
    expect([spec.reconcileKey, spec.reconcile]).toEqual([nothing, undefined]);
  });
});

const wrong = undefined as never;
const says = (problem: string): string => `CONTROLLER_OPTION_INVALID controller app: ${problem}`;
test.each<[string, () => unknown, string]>([
  ['no kind', () => controller(wrong), 'CONTROLLER_OPTION_INVALID controller() was not given a kind'],
  ['writes', () => controller(App).writes(wrong).reconcile(nothing), says('writes takes a kind, not undefined')],
  ['reads', () => controller(App).reads(wrong).reconcile(nothing), says('reads takes a kind, not undefined')],
  [
    'references',
    () => controller(App).references(wrong, wrong).reconcile(nothing),
    says('(1) references takes a kind, not undefined; (2) references takes a function, not undefined'),
  ],
  [
    'watches',
    () => controller(App).watches(wrong, wrong).reconcile(nothing),
    says('(1) watches takes a kind, not undefined; (2) watches takes a function, not undefined'),
  ],
  [
    'on',
    () => controller(App).on(wrong, wrong).reconcile(nothing),
    says(
      '(1) on takes an async iterable, or a function that returns one, not undefined; (2) on takes a function, not undefined',
    ),
  ],
  ['every', () => controller(App).every(0).reconcile(nothing), says('every must be a duration above zero, not 0')],
  [
    'timeout',
    () => controller(App, { timeout: '0s' }).reconcile(nothing),
    says("timeout must be a duration above zero, not '0s'"),
  ],
  [
    'concurrency',
    () => controller(App).concurrency(1.5).reconcile(nothing),
    says('concurrency must be a whole number from 1 to 100000, not 1.5'),
  ],
  [
    'more workers than there is memory for',
    () => controller(App).concurrency(100_001).reconcile(nothing),
    says('concurrency must be a whole number from 1 to 100000, not 100001'),
  ],
  [
    'cleanup',
    () => controller(App).cleanup('example.com/a', wrong).reconcile(nothing),
    says('cleanup takes a function, not undefined'),
  ],
  [
    'cleanup of an object',
    () => controller(App).reconcile({ finalizer: 'example.com/a', reconcile: nothing, cleanup: 1 } as never),
    says('cleanup takes a function, not 1'),
  ],
  [
    'a finalizer without a cleanup',
    () => controller(App).reconcile({ finalizer: 'example.com/a', reconcile: nothing, cleanUp: nothing } as never),
    says('cleanup takes a function, not undefined'),
  ],
  ['onError', () => controller(App).onError(wrong).reconcile(nothing), says('onError takes a function, not undefined')],
  [
    'an invalid reconciler',
    () => controller(App).reconcile({ reconcile: 1 } as never),
    says('reconcile takes a function, or an object with a function `reconcile`'),
  ],
  [
    'a label selector of a declaration',
    () => controller(App).owns(Part, { labels: 'a in' }).reconcile(nothing),
    says("owns(Part): labels: 'a in' is not a label selector"),
  ],
  [
    'a label without a value, as an unset variable of the environment leaves it',
    () =>
      controller(App, { labels: { shard: undefined } as never })
        .owns(Part, { labels: null as never })
        .reconcile(nothing),
    says(
      '(1) controller: labels: undefined cannot be a value of the label "shard"; (2) owns(Part): labels: null is not a label selector',
    ),
  ],
  [
    'a predicate that is not a function',
    () =>
      controller(App, { when: 'x' as never })
        .watches(Part, () => 'a', { when: [1 as never] })
        .reconcile(nothing),
    says(
      "(1) controller: when takes a predicate or a list of them, not 'x'; (2) watches(Part): when takes a predicate or a list of them, not [ 1 ]",
    ),
  ],
  [
    'fields of the controller',
    () => controller(App, { fields: { a: 1 } as never }).reconcile(nothing),
    says('controller: fields: "a" cannot be compared with 1'),
  ],
  [
    'a namespace without a name',
    () => controller(App, { namespaces: ['a', ''] }).reconcile(nothing),
    says("controller: namespaces must name at least one, not [ 'a', '' ]; leave it out for all"),
  ],
  [
    'a namespace that is a number',
    () => controller(App, { namespaces: [1 as never] }).reconcile(nothing),
    says('controller: namespaces must name at least one, not [ 1 ]; leave it out for all'),
  ],
  [
    'tuning',
    () => controller(App, { backoff: { base: 0 } }).reconcile(nothing),
    says('backoff.base must be a duration above zero, not 0'),
  ],
  [
    'tuning that is misspelled',
    () => controller(App, { backoff: { bse: '1s' } as never }).reconcile(nothing),
    says("backoff has no option 'bse'; it has base, cap, jitter, delay"),
  ],
  [
    'a time instead of tuning',
    () => controller(App, { backoff: '1s' as never }).reconcile(nothing),
    says("backoff takes an object of options, not '1s'"),
  ],
  [
    'an index of nothing',
    () =>
      controller(App)
        .index(wrong, 'x', () => 'y')
        .reconcile(nothing),
    says('index takes a kind, not undefined'),
  ],
  [
    'an index without a name and a function',
    () => controller(App).index('', wrong).reconcile(nothing),
    says("(1) an index has a name, not ''; (2) index  takes a function, not undefined"),
  ],
  [
    'an index whose name is a number',
    () =>
      controller(App)
        .index(App, 1 as never, () => 'y')
        .reconcile(nothing),
    says('an index has a name, not 1'),
  ],
  ...['metadata.name', 'metadata.namespace'].map((name): [string, () => unknown, string] => [
    `an index ${name}`,
    () =>
      controller(App)
        .index(name, () => 'y')
        .reconcile(nothing),
    says(`the index ${name} is already declared`),
  ]),
  [
    'cleanup by key',
    () => controller(App).cleanup('example.com/a', nothing).reconcileKey(nothing),
    says('cleanup cannot be used with reconcileKey: use ctx.of(object).finalizer(…) there, or .reconcile(…)'),
  ],
])('RC-23: %s: said in full', (_, build, message) => {
  expect(refusal(build)).toBe(message);
});

test('RC-23: onError needs a kind with a status; nothing else does', () => {
  const status = { openAPIV3Schema: { properties: { status: { properties: { conditions: {} } } } } };
  const defined = (schema: object): Kind<KubeObject> =>
    ({ ...App, manifest: () => ({ spec: { versions: [{ name: 'v1', schema }] } }) }) as unknown as Kind<KubeObject>;
  const withOnError = (of: Kind<KubeObject>) =>
    refusal(() =>
      controller(of)
        .onError(() => undefined)
        .reconcile(nothing),
    );
  expect(withOnError(defined({}))).toBe(says('onError writes a status, and App has none'));
  expect(withOnError(defined(status))).toBe('accepted');
  expect(withOnError(App)).toBe('accepted');
  expect(refusal(() => controller(defined({})).reconcile(nothing))).toBe('accepted');
});

test.each<[string, () => unknown]>([
  ['one worker, the shortest times', () => controller(App, { timeout: 1 }).concurrency(1).every(1).reconcile(nothing)],
  ['one namespace', () => controller(App, { namespaces: ['n'] }).reconcile(nothing)],
  ['fields as a text', () => controller(App, { fields: 'metadata.name=x' }).reconcile(nothing)],
  ['fields as an object', () => controller(App, { fields: { 'metadata.name': 'x' } }).reconcile(nothing)],
  ['two cleanups', () => controller(App).cleanup('a.b/c', nothing).cleanup('a.b/d', nothing).reconcile(nothing)],
  [
    'indexes of one name over two kinds',
    () =>
      controller(App)
        .owns(Part)
        .index('x', () => 'y')
        .index(Part, 'x', () => 'y')
        .reconcile(nothing),
  ],
  [
    'an index over what one of two declarations holds whole',
    () =>
      controller(App)
        .owns(Part)
        .reads(Part, { metadataOnly: true })
        .index(Part, 'x', () => 'y')
        .reconcile(nothing),
  ],
  ['owns by key, without prune', () => controller(App).owns(Part).reconcileKey(nothing)],
])('%s: accepted', (_, build) => {
  expect(refusal(build)).toBe('accepted');
});

describe('a cause in words', () => {
  const ref = { namespace: 'n', name: 'x' };
  const at = { firstAt: 0, lastAt: 0, source: 'primary' } as const;
  test.each([
    [{ ...at, change: 'timer', count: 1 }, 'timer: due'],
    [{ ...at, change: 'timer', reason: 'poll', count: 2 }, 'timer: poll (2x)'],
    [{ ...at, change: 'retry', count: 1 }, 'retry: failed'],
    [{ ...at, change: 'retry', reason: 'Error', count: 3 }, 'retry: Error (3x)'],
    [{ ...at, change: 'update', kind: 'App', ref, count: 1 }, 'update of App n/x'],
    [{ ...at, change: 'delete', kind: 'App', count: 1 }, 'delete of App'],
    [{ ...at, change: 'external', ref, reason: 'a call', count: 2 }, 'external: a call (2x)'],
  ] as const)('%#', (cause, words) => {
    expect(causeInWords(cause)).toBe(words);
  });
});
