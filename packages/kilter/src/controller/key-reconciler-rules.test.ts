import { describe, expect, test } from 'vitest';
import { kind, type KubeObject, type ManagedFieldsEntry } from '../api/index.ts';
import { ApiError, KilterError } from '../errors/index.ts';
import { virtualClock } from '../internal/index.ts';
import {
  AppliedStates,
  type ReconcileEnvironment,
  requeue,
  requeueAfter,
  type Run,
  terminal,
  waitFor,
} from '../reconcile/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { KeyReconciler, type PrimaryObjects } from './key-reconciler.ts';
import type { ControllerSpec } from './spec.ts';

const named = (name: string) =>
  kind<KubeObject>({ group: '', version: 'v1', kind: name, plural: `${name.toLowerCase()}s`, scope: 'Namespaced' });
const Box = named('Box');
const Part = named('Part');
const Scrap = named('Scrap');

type Stored = KubeObject & { status?: Record<string, unknown> };
const box = (metadata: object = {}, status: Record<string, unknown> = {}): Stored => ({
  apiVersion: 'v1',
  kind: 'Box',
  metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1', ...metadata },
  status,
});
const deleting = { deletionTimestamp: '2020-01-01T00:00:00Z' };
const part = (name: string, of = 'Part'): KubeObject => ({
  apiVersion: 'v1',
  kind: of,
  metadata: { name, namespace: 'n', uid: name },
});

interface Given {
  readonly object?: Stored | undefined;
  readonly children?: readonly KubeObject[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** What status writes are answered with instead. */
  readonly refusal?: Error;
  readonly quarantine?: PrimaryObjects['quarantine'];
}

/** A store with one object whose writes take some turns of the event loop's microtasks. */
function setUp(
  spec: Partial<ControllerSpec>,
  { object = box(), children = [], managedFields = [], refusal, quarantine }: Given = {},
) {
  const did: unknown[] = [];
  const warnings: unknown[][] = [];
  const log: Logger = { ...silentLogger, warn: (...args: unknown[]) => void warnings.push(args) };
  const slowly = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const stored: { now: Stored | undefined } = { now: object };
  const client = {
    edit: async (seen: KubeObject, change: (draft: KubeObject) => void) => {
      await slowly();
      const draft = structuredClone(seen);
      change(draft);
      did.push(`finalizers ${draft.metadata.finalizers?.join(' ')}`);
      return (stored.now = draft);
    },
    patch: async (_: unknown, __: unknown, body: { status: object }, options: { manager?: string }) => {
      await slowly();
      if (refusal !== undefined) throw refusal;
      did.push([body.status, options.manager]);
      const status = Object.fromEntries(
        Object.entries({ ...stored.now?.status, ...body.status }).filter(([, value]) => value !== null),
      );
      return (stored.now = { ...(stored.now as Stored), status });
    },
    delete: async ({ metadata }: KubeObject) => {
      await slowly();
      did.push(`deleted ${metadata.name}`);
    },
  };
  const environment = {
    kind: Box,
    children: new Map(),
    manager: 'me',
    states: new AppliedStates(),
    clock: virtualClock(),
    leadership: () => ({ epoch: 0, identity: 'one' }),
    ownedFieldsOf: () => ({}),
    childrenOf: async (of: typeof Box) => children.filter((child) => child.kind === of.names.kind),
  } as unknown as ReconcileEnvironment;
  const objects = {
    unsettled: () => undefined,
    stored: () => {
      const { now } = stored;
      return now === undefined ? undefined : { decode: () => structuredClone(now) };
    },
    managedFieldsOf: () => [...managedFields],
    quarantine,
  };
  const whole = { kind: Box, cleanups: [], owns: [], deleting: false, ...spec } as unknown as ControllerSpec;
  const reconciler = new KeyReconciler(whole, environment, objects);
  const run = { ref: { name: 'x', namespace: 'n' }, key: 'n/x', causes: [], log, client } as unknown as Run;
  return { run: () => reconciler.run(run), reconciler, did, warnings, environment, stored };
}

describe('an object', () => {
  test('that is not there ends the run, and nothing is kept of it', async () => {
    const { run, environment, stored } = setUp({ reconcile: async () => expect.unreachable() });
    stored.now = undefined;
    environment.states.set('n/x', { child: 'child', wanted: new Set() }, {} as never);
    expect(await run()).toEqual({ type: 'absent' });
    expect(environment.states.get('n/x', 'child')).toBeUndefined();
  });
  test('B-30: that is gone is not known to the quarantine either', async () => {
    const forgotten: string[] = [];
    const quarantine = { before: () => undefined, forget: (key: string) => void forgotten.push(key) };
    const { run, stored } = setUp({ reconcile: async () => undefined }, { quarantine: quarantine as never });
    await run();
    expect(forgotten).toEqual([]);
    stored.now = undefined;
    await run();
    expect(forgotten).toEqual(['n/x']);
  });
  test('B-30: that the quarantine lets in is run once that is known, and leaves it however the run ends', async () => {
    const log: string[] = [];
    const entering = Promise.withResolvers<(() => void) | undefined>();
    const quarantine = { before: () => entering.promise, forget: () => undefined };
    const reconcile = async (): Promise<void> => {
      log.push('runs');
      throw new Error('broken');
    };
    const { run } = setUp({ reconcile }, { quarantine: quarantine as never });
    const ended = run();
    await Promise.resolve();
    expect(log).toEqual([]);
    entering.resolve(() => void log.push('leaves'));
    expect(await ended).toMatchObject({ type: 'threw' });
    expect(log).toEqual(['runs', 'leaves']);
    const held = setUp({ reconcile }, { quarantine: { ...quarantine, before: async () => undefined } as never });
    expect(await held.run()).toEqual({ type: 'returned', value: undefined });
    expect(log).toHaveLength(2);
  });
  test.each([
    ['goes with it', '/api/v1/namespaces/n/boxes/y', {}, true],
    ['stays where another namespace ends', '/api/v1/namespaces/other/boxes/y', {}, undefined],
    ['that is being deleted has its cleanup to finish', '/api/v1/namespaces/n/boxes/y', deleting, undefined],
  ] as const)('in a namespace that ends %s', async (_, path, metadata, doomed) => {
    const causes = [{ reason: 'NamespaceTerminating' }];
    const status = { code: 403, reason: 'Forbidden', message: '', causes, retryAfterSeconds: undefined, details: {} };
    const error = new ApiError(status as never, { method: 'POST', path });
    const reconcile = () => Promise.reject(error);
    const { run } = setUp({ reconcile, deleting: true }, { object: box(metadata) });
    expect(await run()).toEqual({ type: 'threw', error, ...(doomed && { doomed }) });
  });
  test('that is being deleted runs if the options ask for it', async () => {
    const ran: string[] = [];
    const reconcile = async () => void ran.push('ran');
    const without = setUp({ reconcile }, { object: box(deleting) });
    expect(await without.run()).toEqual({ type: 'returned', value: undefined });
    expect(ran).toEqual([]);
    const withIt = setUp({ reconcile, deleting: true }, { object: box(deleting) });
    await withIt.run();
    expect(ran).toEqual(['ran']);
  });
  test('FI-1: has its finalizers before the reconciler runs', async () => {
    const cleanups = [
      { finalizer: 'a/a', run: async () => undefined },
      { finalizer: 'b/b', run: async () => undefined },
    ];
    const { run, did } = setUp({ cleanups, reconcile: async ({ metadata }) => void did.push(metadata.finalizers) });
    await run();
    expect(did).toEqual(['finalizers a/a b/b', ['a/a', 'b/b']]);
  });
});

describe('what was thrown or returned', () => {
  test('is the run’s', async () => {
    const error = new Error('broken');
    expect(await setUp({ reconcile: () => Promise.reject(error) }).run()).toEqual({ type: 'threw', error });
    const value = requeue('again');
    expect(await setUp({ reconcile: async () => value }).run()).toEqual({ type: 'returned', value });
  });
});

describe('a prune', () => {
  const owns = [
    { kind: Part, options: { prune: true } },
    { kind: Scrap, options: {} },
  ];
  const children = [part('old'), part('other', 'Scrap')];

  test('follows a run that is done, of the kinds that ask for it, and is part of the run', async () => {
    const { run, did, warnings } = setUp({ owns, reconcile: async () => undefined }, { children });
    await run();
    expect([did, warnings]).toEqual([['deleted old'], []]);
  });
  test('does not follow one that asks to be run again: that is said, once', async () => {
    const { run, did, warnings } = setUp({ owns, reconcile: async () => requeueAfter('1m', 'poll') }, { children });
    await run();
    await run();
    expect(did).toEqual([]);
    expect(warnings).toEqual([[{ kind: 'Part', children: ['n/old'] }, expect.stringContaining('are kept')]]);
  });
  test('nothing is said where there is nothing to prune', async () => {
    const { run, warnings } = setUp(
      { owns, reconcile: async () => requeue('poll') },
      { children: [part('a', 'Scrap')] },
    );
    await run();
    expect(warnings).toEqual([]);
  });
  test('does not follow what is not a result', async () => {
    const { run, did } = setUp({ owns, reconcile: async () => 5 as never }, { children });
    expect(await run()).toMatchObject({ type: 'threw', error: { code: 'RECONCILE_RESULT_INVALID' } });
    expect(did).toEqual([]);
  });
});

describe('ST-4: the status of a failure', () => {
  const failing = (errors: unknown[]) => async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  };

  test('RC-20: says what onError made of what was thrown, under a manager of its own, before the run ends', async () => {
    const error = new Error('broken');
    const given: unknown[] = [];
    const onError = (...args: unknown[]) => (given.push(args), { message: 'm' });
    const { run, did } = setUp({ reconcile: failing([error]), onError });
    expect(await run()).toEqual({ type: 'threw', error });
    expect(given).toEqual([[error, box()]]);
    expect(did).toEqual([[{ message: 'm' }, 'me/error']]);
  });
  test('is taken out by the next success, whatever failures said it, and only once', async () => {
    const says = [{ a: 1 }, { b: 2 }];
    const { run, did } = setUp({ reconcile: failing([new Error('1'), new Error('2')]), onError: () => says.shift() });
    await run();
    await run();
    did.length = 0;
    await run();
    expect(did).toEqual([[{ a: null, b: null }, undefined]]);
    did.length = 0;
    await run();
    expect(did).toEqual([]);
  });
  test('what somebody else writes there after that success is theirs', async () => {
    const { run, did, stored } = setUp({ reconcile: failing([new Error('1')]), onError: () => ({ a: 1 }) });
    await run();
    await run();
    stored.now = box({}, { a: 'of another writer' });
    did.length = 0;
    await run();
    expect(did).toEqual([]);
  });
  test('what the success says itself stays', async () => {
    const { run, did, stored } = setUp({
      reconcile: async (_, ctx) => {
        if (stored.now?.status?.['a'] === undefined) throw new Error('broken');
        await ctx.status({ a: 2 } as never);
      },
      onError: () => ({ a: 1, b: 1 }),
    });
    await run();
    await run();
    expect(did.slice(1)).toEqual([
      [{ a: 2 }, undefined],
      [{ b: null }, undefined],
    ]);
  });
  test('what an earlier start of the operator left is taken out by the first success', async () => {
    const fieldsV1 = { 'f:status': { 'f:old': {}, 'f:conditions': { 'k:{"type":"Failed"}': { 'f:status': {} } } } };
    const managedFields = [{ manager: 'me/error', operation: 'Update', subresource: 'status', fieldsV1 }] as never;
    const object = box({}, { old: 1, kept: 1, conditions: [{ type: 'Failed' }, { type: 'Ready' }] });
    const { run, did, stored } = setUp(
      { reconcile: async () => undefined, onError: () => undefined },
      { object, managedFields },
    );
    await run();
    expect(did).toEqual([[{ old: null, conditions: [{ type: 'Ready' }] }, undefined]]);
    stored.now = object;
    await run();
    expect(did).toHaveLength(1);
  });
  test('what an earlier start left is taken out once of each object that has the name', async () => {
    const fieldsV1 = { 'f:status': { 'f:old': {} } };
    const managedFields = [{ manager: 'me/error', operation: 'Update', subresource: 'status', fieldsV1 }] as never;
    const { run, reconciler, did, stored } = setUp(
      { reconcile: async () => undefined, onError: () => undefined },
      { managedFields },
    );
    const runWithOld = async (): Promise<number> => {
      stored.now = box({}, { old: 1 });
      await run();
      return did.length;
    };
    expect([await runWithOld(), await runWithOld()]).toEqual([1, 1]);
    reconciler.forget('n/x');
    expect([await runWithOld(), await runWithOld()]).toEqual([2, 2]);
  });
  test('of an object that is gone is forgotten', async () => {
    const { run, reconciler, did } = setUp({ reconcile: failing([new Error('1')]), onError: () => ({ a: 1 }) });
    await run();
    reconciler.forget('n/x');
    did.length = 0;
    await run();
    expect(did).toEqual([]);
  });
  test('waiting is not a failure; onError may have nothing to say', async () => {
    const asked: unknown[] = [];
    const onError = (error: unknown) => void asked.push(error);
    const waiting = setUp({ reconcile: async () => waitFor('a Secret'), onError: onError as never });
    expect(await waiting.run()).toMatchObject({ type: 'threw' });
    expect(asked).toEqual([]);
    const silent = setUp({ reconcile: failing([new Error('1')]), onError: onError as never });
    await silent.run();
    expect([asked.length, silent.did, silent.warnings]).toEqual([1, [], []]);
  });
  test('RC-16: of an object that was deleted meanwhile is not written, and the end says so', async () => {
    const details = { name: 'x', kind: Box.names.plural, group: Box.names.group };
    const status = { code: 404, reason: 'NotFound', message: '', causes: [], retryAfterSeconds: undefined, details };
    const gone = new ApiError(status as never, { method: 'PATCH', path: '/api/v1/namespaces/n/boxes/x/status' });
    const said: unknown[] = [];
    const onError = (error: unknown) => (said.push(error), { a: 1 });
    const late = setUp({ reconcile: failing([gone]), onError });
    expect(await late.run()).toEqual({ type: 'threw', error: gone, gone: true });
    expect([said, late.did, late.warnings]).toEqual([[], [], []]);
    const first = new Error('broken');
    const between = setUp({ reconcile: failing([first]), onError }, { refusal: gone });
    expect(await between.run()).toEqual({ type: 'threw', error: first });
    expect([said, between.warnings]).toEqual([[first], []]);
  });
  test('that cannot be written is reported, and the first error stays the run’s', async () => {
    const [error, refusal] = [new Error('broken'), new Error('refused')];
    const { run, warnings } = setUp({ reconcile: failing([error]), onError: () => ({ a: 1 }) }, { refusal });
    expect(await run()).toEqual({ type: 'threw', error });
    expect(warnings).toEqual([[{ err: refusal }, 'the status of a failed run could not be written']]);
    const lost = new KilterError('TRANSPORT_CONNECTION_LOST', 'lost');
    const brief = setUp({ reconcile: failing([error]), onError: () => ({ a: 1 }) }, { refusal: lost });
    await brief.run();
    expect(brief.warnings).toEqual([[{ error: expect.stringContaining('lost') as string }, expect.anything()]]);
    const quiet = setUp({ reconcile: failing([lost]), onError: () => ({ a: 1 }) }, { refusal: lost });
    await quiet.run();
    expect(quiet.warnings).toEqual([]);
  });
});

describe('FI-2: cleanups', () => {
  const object = box({ ...deleting, finalizers: ['a/a', 'o/o', 'b/b'] });
  const cleanups = (runs: Record<string, (object: KubeObject) => unknown>) =>
    Object.entries(runs).map(([finalizer, run]) => ({
      finalizer,
      run: async (given: KubeObject) => run(given) as never,
    }));

  test('run in their order; each takes its own finalizer, the next sees that', async () => {
    const { run, did } = setUp(
      {
        cleanups: cleanups({
          'a/a': ({ metadata }) => void did.push(metadata.finalizers),
          'c/c': () => expect.unreachable(),
          'b/b': ({ metadata }) => void did.push(metadata.finalizers),
        }),
        reconcile: async () => expect.unreachable(),
      },
      { object },
    );
    expect(await run()).toEqual({ type: 'returned', value: undefined });
    expect(did).toEqual([['a/a', 'o/o', 'b/b'], 'finalizers o/o b/b', ['o/o', 'b/b'], 'finalizers o/o']);
  });
  test('the one that asks for the least time decides', async () => {
    const asking = (first: string, second: string) =>
      setUp(
        {
          cleanups: cleanups({
            'a/a': () => requeueAfter(first as '1s', 'first'),
            'b/b': () => requeueAfter(second as '1s', 'second'),
          }),
        },
        { object },
      );
    const [short, long, same] = [asking('1s', '2s'), asking('2s', '1s'), asking('1s', '1s')];
    expect(await short.run()).toMatchObject({ value: { reason: 'first' } });
    expect(await long.run()).toMatchObject({ value: { reason: 'second' } });
    expect(await same.run()).toMatchObject({ value: { reason: 'first' } });
    expect(short.did).toEqual([]);
  });
  test('one that fails does not keep the others; one error is thrown as it is, several together', async () => {
    const [first, second] = [new Error('1'), new Error('2')];
    const throwing = (error: Error) => () => {
      throw error;
    };
    const one = setUp({ cleanups: cleanups({ 'a/a': throwing(first), 'b/b': () => undefined }) }, { object });
    expect(await one.run()).toEqual({ type: 'threw', error: first });
    expect(one.did).toEqual(['finalizers a/a o/o']);
    const both = setUp(
      { cleanups: cleanups({ 'a/a': throwing(first), 'b/b': throwing(second) }), onError: () => ({ a: 1 }) },
      { object },
    );
    const ended = await both.run();
    expect(ended).toMatchObject({ error: { errors: [first, second], message: '2 cleanups of n/x failed' } });
    expect(both.did).toEqual([[{ a: 1 }, 'me/error']]);
  });
  test('one that waits is not a failure: it shows where nothing failed, and the least time wins', async () => {
    const error = new Error('real');
    const failing = () => {
      throw error;
    };
    const ended = (runs: Parameters<typeof cleanups>[0]) => setUp({ cleanups: cleanups(runs) }, { object }).run();
    const [soon, late] = [() => waitFor('soon', '1s'), () => waitFor('late', '1h')];
    expect(await ended({ 'a/a': late, 'b/b': soon })).toMatchObject({ type: 'threw', error: { what: 'soon' } });
    expect(await ended({ 'a/a': soon, 'b/b': failing })).toEqual({ type: 'threw', error });
    expect(await ended({ 'a/a': late, 'b/b': () => requeueAfter('2s', 'poll') })).toMatchObject({
      type: 'returned',
      value: { reason: 'poll' },
    });
  });
  test('several that give up give up together; one that does not keeps the retries', async () => {
    const [giveUp, failing] = [
      () => terminal(new Error('never')),
      () => {
        throw new Error('later');
      },
    ];
    const ended = (runs: Parameters<typeof cleanups>[0]) => setUp({ cleanups: cleanups(runs) }, { object }).run();
    const all = await ended({ 'a/a': giveUp, 'b/b': giveUp });
    expect(all).toMatchObject({ type: 'threw', error: { code: 'RECONCILE_TERMINAL' } });
    const some = await ended({ 'a/a': giveUp, 'b/b': failing });
    expect(some.type === 'threw' && some.error).toBeInstanceOf(AggregateError);
  });
  test('what is not a result takes no finalizer away', async () => {
    const { run, did } = setUp({ cleanups: cleanups({ 'a/a': () => 'done' }) }, { object });
    expect(await run()).toMatchObject({ type: 'threw', error: { code: 'RECONCILE_RESULT_INVALID' } });
    expect(did).toEqual([]);
  });
});

test('RC-12: what is not a result fails the run, and `onError` gets it', async () => {
  const told: unknown[] = [];
  const { run, did } = setUp({
    reconcile: async () => 'done' as never,
    onError: (error) => (told.push((error as { code?: unknown }).code), { phase: 'Failed' }),
  });
  expect(await run()).toMatchObject({ type: 'threw', error: { code: 'RECONCILE_RESULT_INVALID' } });
  expect(told).toEqual(['RECONCILE_RESULT_INVALID']);
  expect(did).toEqual([[{ phase: 'Failed' }, 'me/error']]);
});

describe('by key', () => {
  test('gets the name, and what it returns is the answer; whether the object is gone is said', async () => {
    const given: unknown[] = [];
    const value = requeue('again');
    const reconcileKey = async (ref: unknown, ctx: { request: unknown }) => (given.push(ref, ctx.request), value);
    const { run, stored } = setUp({ reconcileKey });
    expect(await run()).toEqual({ type: 'returned', value, gone: false });
    stored.now = undefined;
    expect(await run()).toEqual({ type: 'returned', value, gone: true });
    expect(given.slice(0, 2)).toEqual([
      { name: 'x', namespace: 'n' },
      { name: 'x', namespace: 'n' },
    ]);
  });
  test('a cleanup that is still pending runs again, the earliest of several', async () => {
    const object = box({ ...deleting, finalizers: ['a/a', 'b/b'] });
    const pendingAfter = (...times: string[]) =>
      setUp(
        {
          reconcileKey: async (_, ctx) => {
            for (const [i, time] of times.entries()) {
              await ctx.of(object).finalizer(i === 0 ? 'a/a' : 'b/b', async () => requeueAfter(time as '1s', time));
            }
          },
        },
        { object },
      ).run();
    expect(await pendingAfter('2s', '1s')).toMatchObject({ value: { reason: '1s' } });
    expect(await pendingAfter('1s', '2s')).toMatchObject({ value: { reason: '1s' } });
    expect(await pendingAfter('3s')).toMatchObject({ value: { reason: '3s' } });
    expect(await pendingAfter()).toMatchObject({ value: undefined });
  });
});
