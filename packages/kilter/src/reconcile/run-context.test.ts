import { describe, expect, test } from 'vitest';
import { type Kind, kind, type KubeObject } from '../api/index.ts';
import { ApiError, OutsideError } from '../errors/index.ts';
import { virtualClock } from '../internal/index.ts';
import { AppliedStates } from './apply.ts';
import type { EffectCall } from './context.ts';
import type { ReconcileEnvironment, Run } from './environment.ts';
import { requeue, requeueAfter } from './result.ts';
import { ObjectRun, runContext } from './run-context.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const box = (metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Box',
  metadata: { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1', ...metadata },
});
const deleting = { deletionTimestamp: '2020-01-01T00:00:00Z' };

function setUp({ slowEdit = false } = {}) {
  const [events, fenced, log, asked]: [unknown[], unknown[], unknown[], unknown[]] = [[], [], [], []];
  let skipped = 0;
  const client = {
    edit: async (object: KubeObject, change: (draft: KubeObject) => void) => {
      if (slowEdit) for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      const draft = structuredClone(object);
      change(draft);
      log.push(`finalizers: ${draft.metadata.finalizers?.join(' ')}`);
      return draft;
    },
    patch: async (_: unknown, __: unknown, body: { status: object }) => {
      log.push(body.status);
      return { ...box({ resourceVersion: '2' }), status: body.status };
    },
  };
  const environment = {
    kind: Box,
    children: new Map(),
    live: { get: async (...args: unknown[]) => args },
    cache: { find: (...args: unknown[]) => args },
    primaries: { by: () => [], all: () => [] },
    recorder: { record: (event: unknown) => void events.push(event) },
    clock: virtualClock(),
    manager: 'me',
    states: new AppliedStates(),
    childrenOf: async (...args: unknown[]) => (asked.push(...args), [box()]),
    leadership: () => ({ epoch: 3, identity: 'i' }),
    fence: async (effect: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal) => {
      fenced.push(signal);
      return effect(signal);
    },
    skipped: () => void (skipped += 1),
  } as unknown as ReconcileEnvironment;
  const causes = [{ kind: 'Box', name: 'x', count: 1 }];
  const { signal } = new AbortController();
  const run = { ref: { name: 'x', namespace: 'n' }, key: 'n/x', causes, signal, log: {}, client } as unknown as Run;
  return { environment, run, events, fenced, log, asked, skips: () => skipped };
}

describe('what every run has', () => {
  test('its key, the readers with its namespace, leadership and the fence', async () => {
    const { environment, run, fenced } = setUp();
    const context = runContext(environment, run);
    expect(context.request).toEqual({ name: 'x', namespace: 'n' });
    expect(await context.live.get(Box, 'y')).toEqual([Box, { name: 'y', namespace: 'n' }, undefined]);
    expect(context.cache.find(Box, 'y')).toEqual([Box, { name: 'y', namespace: 'n' }, undefined]);
    expect(context.leadership).toEqual({ epoch: 3, identity: 'i' });
    expect(await context.fence(async (signal) => signal === run.signal)).toBe(true);
    expect(fenced).toEqual([run.signal]);
  });

  test('WG-8: an effect is tried once more, through the guard again, after the errors that are named and no others', async () => {
    const { environment, run, fenced } = setUp();
    const context = runContext(environment, run);
    const [busy, broken] = [new Error('busy'), new Error('broken')];
    const failing = (errors: Error[]) => async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return 'done';
    };
    const again = (error: unknown) => error === busy;
    expect(await context.fence(failing([busy]), { again })).toBe('done');
    expect(fenced).toHaveLength(2);
    await expect(context.fence(failing([busy, busy]), { again })).rejects.toBe(busy);
    expect(fenced).toHaveLength(4);
    await expect(context.fence(failing([broken]), { again })).rejects.toBe(broken);
    await expect(context.fence(failing([busy]))).rejects.toBe(busy);
    expect(fenced).toHaveLength(6);
  });

  test('WG-8: a throttled call is tried once more by itself, a refused one is not', async () => {
    const { environment, run, fenced } = setUp();
    const context = runContext(environment, run);
    const failing = (problem: 'throttled' | 'refused') => async () => {
      throw new OutsideError(problem, 'no', { service: 'Mail' });
    };
    await expect(context.fence(failing('throttled'))).rejects.toThrow('Mail throttled');
    expect(fenced).toHaveLength(2);
    await expect(context.fence(failing('refused'))).rejects.toThrow('Mail refused');
    expect(fenced).toHaveLength(3);
    await expect(context.fence(failing('throttled'), { again: () => false })).rejects.toThrow('Mail throttled');
    expect(fenced).toHaveLength(4);
  });

  test('WG-10: every call of a fenced service passes the guard, with its signal and who calls', async () => {
    const { environment, run, fenced } = setUp();
    class Mail {
      readonly #sender = 'me';
      readonly limit = 3;
      async send(to: string, { signal, leader }: EffectCall): Promise<unknown[]> {
        return [this.#sender, to, signal, leader];
      }
      async busy(_: EffectCall): Promise<void> {
        throw new OutsideError('throttled', 'later', { service: 'Mail' });
      }
    }
    const mail = runContext(environment, run).fenced(new Mail());
    expect(await mail.send('you')).toEqual(['me', 'you', run.signal, { epoch: 3, identity: 'i' }]);
    expect(fenced).toHaveLength(1);
    await expect(mail.busy()).rejects.toThrow('later');
    expect(fenced).toHaveLength(3);
    // What is not a call is not there: it could be awaited as if it were a promise.
    expect([Reflect.get(mail, 'limit'), Reflect.get(mail, 'then')]).toEqual([undefined, undefined]);
    expect(await Promise.resolve(mail)).toBe(mail);
  });

  test('WG-10: also of a frozen service, or of functions alone; anything that is not a service is refused', async () => {
    const { environment, run, fenced } = setUp();
    const context = runContext(environment, run);
    const send = async (to: string, { leader }: EffectCall): Promise<unknown[]> => [to, leader.epoch];
    const services = [
      Object.freeze({ send }),
      Object.seal({ send }),
      Object.assign(Object.create(null) as object, { send }),
    ];
    for (const service of [...services, Object.assign(() => undefined, { send })]) {
      const mail = context.fenced(service);
      expect(['send' in mail, await mail.send('you')]).toEqual([true, ['you', 3]]);
    }
    expect(fenced).toHaveLength(4);
    for (const wrong of [undefined, null, 'mail']) {
      expect(() => context.fenced(wrong as never)).toThrow(
        /ctx\.fenced takes a service, not .* \(RECONCILE_OPTION_INVALID: give/,
      );
    }
  });

  test('the time of the operator', () => {
    const { environment, run } = setUp();
    expect(runContext(environment, run).now()).toBe(environment.clock.now());
  });
});

describe('what a run with an object has', () => {
  test('events about the object', () => {
    const { environment, run, events } = setUp();
    const { context } = new ObjectRun(environment, run, () => box());
    context.event('Warning', 'Broken', 'it broke', { action: 'Repair' });
    expect(events).toEqual([
      { regarding: box(), type: 'Warning', reason: 'Broken', message: 'it broke', action: 'Repair' },
    ]);
  });
  test('applies, of declared kinds', async () => {
    const { environment, run } = setUp();
    const apply = (child: object): Promise<unknown> =>
      new ObjectRun(environment, run, () => box()).context.apply(child as never);
    await expect(apply(box())).rejects.toThrow('does not declare Box (v1)');
  });
  test('its children', async () => {
    const { environment: nothingOwned, run, asked } = setUp();
    const environment = { ...nothingOwned, children: new Map([['v1/Box', { kind: Box as Kind, owned: true }]]) };
    expect(await new ObjectRun(environment, run, () => box()).context.owned(Box)).toEqual([box()]);
    expect(asked).toEqual([Box, { key: 'n/x', uid: 'u' }, 'all']);
  });
  test('a status; a write that is not needed is counted', async () => {
    const { environment, run, log, skips } = setUp();
    const { context, status } = new ObjectRun(environment, run, () => box());
    const write = (patch: object): Promise<void> => context.status(patch as never);
    await write({ ready: 1 });
    expect([log, skips()]).toEqual([[{ ready: 1 }], 0]);
    await write({ ready: 1 });
    expect([log.length, skips()]).toEqual([1, 1]);
    expect(status.latest.metadata.resourceVersion).toBe('2');
  });
  test('ST-9: a condition that asks for it is told by an Event when it begins, and again only when it says something else', async () => {
    const { environment, run, events } = setUp();
    const warned: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void warned.push(line) };
    const { context } = new ObjectRun(environment, { ...run, log } as never, () => box());
    const write = (...conditions: object[]): Promise<void> => context.status({ conditions } as never);
    const broken = { type: 'Ready', status: false, reason: 'Broken', message: 'it broke', event: 'Warning' };
    const quiet = { type: 'Synced', status: true, reason: 'Done' };
    const told = () => events.splice(0).map((event) => event as { type: string; reason: string; message: string });
    await write(broken, quiet);
    expect(told()).toMatchObject([{ type: 'Warning', reason: 'Broken', message: 'it broke' }]);
    expect(warned).toEqual([[{ condition: 'Ready', reason: 'Broken' }, 'it broke']]);
    await write(broken, { ...quiet, reason: 'Again' });
    expect(told()).toEqual([]);
    await write({ ...broken, message: 'it broke twice' });
    expect(told()).toMatchObject([{ message: 'it broke twice' }]);
    await write({ type: 'Ready', status: true, reason: 'Repaired', event: 'Normal' });
    expect(told()).toMatchObject([{ type: 'Normal', reason: 'Repaired', message: 'Repaired' }]);
    await write({ type: 'Ready', status: 'Unknown', reason: 'Repaired', event: 'Normal' });
    expect(told()).toHaveLength(1);
    expect(warned).toHaveLength(2);
  });
  test('ST-9: nothing is told of a condition that could not be written', async () => {
    const { environment, run, events } = setUp();
    const client = { patch: async () => Promise.reject(new Error('away')) };
    const { context } = new ObjectRun(environment, { ...run, client } as never, () => box());
    const conditions = [{ type: 'Ready', status: false, reason: 'Broken', event: 'Warning' }];
    await expect(context.status({ conditions } as never)).rejects.toThrow('away');
    expect(events).toEqual([]);
  });
});

describe('the protocol of a finalizer', () => {
  const cleanup = (log: unknown[]) => async () => void log.push('cleanup');

  test('is stored before the caller goes on', async () => {
    const { environment, run, log } = setUp({ slowEdit: true });
    const { context } = new ObjectRun(environment, run, () => box());
    expect(await context.finalizer('a.b/c', cleanup(log))).toBe('continue');
    expect(log).toEqual(['finalizers: a.b/c']);
  });
  test('cleans up, then takes it away', async () => {
    const { environment, run, log } = setUp({ slowEdit: true });
    const made = new ObjectRun(environment, run, () => box({ ...deleting, finalizers: ['o/o', 'a.b/c'] }));
    const { context } = made;
    expect(await context.finalizer('a.b/c', cleanup(log))).toBe('cleaned');
    expect(log).toEqual(['cleanup', 'finalizers: o/o']);
    expect(made.pending).toBeUndefined();
  });
  test('leaves the finalizers of others to them', async () => {
    const { environment, run, log } = setUp();
    const { context } = new ObjectRun(environment, run, () => box({ ...deleting, finalizers: ['o/o'] }));
    expect(await context.finalizer('a.b/c', cleanup(log))).toBe('foreign');
    expect(log).toEqual([]);
  });
  test('a pending one is remembered, also when another is done after it', async () => {
    const { environment, run, log } = setUp();
    const made = new ObjectRun(environment, run, () => box({ ...deleting, finalizers: ['a.b/c', 'a.b/d'] }));
    const { context } = made;
    expect(await context.finalizer('a.b/c', async () => requeueAfter('1m', 'busy'))).toBe('pending');
    expect(await context.finalizer('a.b/d', cleanup(log))).toBe('cleaned');
    expect(made.pending).toMatchObject({ after: '1m', reason: 'busy' });
    await context.finalizer('a.b/c', async () => requeue('at once'));
    expect(made.pending).toMatchObject({ after: '5s', reason: 'at once' });
    await context.finalizer('a.b/c', async () => requeueAfter('10m', 'slow'));
    expect(made.pending).toMatchObject({ after: '5s', reason: 'at once' });
  });
});

describe('intents of an object', () => {
  const intent = { id: 'a', epoch: 2, phase: 'Planned' };
  const plan = (effects: string[]) => ({
    look: async () => undefined,
    step: () => ({ type: 'end', effects: ['push'], result: 'done' }) as const,
    bring: async (effect: string) => void effects.push(effect),
    ending: (_: unknown, result: string, status: unknown) => ({ last: result, before: status }),
  });

  test('IT-1, IT-3, IT-4: are in a list of its status, taken over by the epoch of this leader and read from the server', async () => {
    const { environment, run, log } = setUp();
    const own = { ...box(), status: { moves: [intent, { ...intent, id: 'b' }] } };
    const asked: unknown[][] = [];
    const get = async (...args: unknown[]) => {
      asked.push(args);
      return { ...own, status: { moves: [{ ...intent, epoch: 3 }] } };
    };
    const { context } = new ObjectRun({ ...environment, live: { get } } as never, run, () => own);
    const effects: string[] = [];
    const intents = (context as never as { intents(field: string, key: string): Moves }).intents('moves', 'id');
    expect(intents.stored).toEqual(own.status.moves);
    expect(await intents.pursue(intent, plan(effects))).toMatchObject({ result: 'done' });
    expect(effects).toEqual(['push']);
    expect(asked).toEqual([[Box, own.metadata]]);
    const rest = [{ ...intent, id: 'b' }];
    expect(log).toEqual([
      { moves: [{ ...intent, epoch: 3 }, ...rest] },
      { moves: rest, last: 'done', before: { moves: [{ ...intent, epoch: 3 }, ...rest] } },
    ]);
  });

  test('IT-2: are not merged into what somebody else has written since: the conflict is thrown', async () => {
    const { environment, run } = setUp();
    const own = { ...box(), status: { moves: [intent] } };
    const status = { code: 409, reason: 'Conflict', message: '', causes: [], details: { name: 'x' } };
    const conflict = new ApiError(status as never, { method: 'PATCH', path: '/x' });
    let tries = 0;
    const client = { patch: async () => ((tries += 1), Promise.reject(conflict)) };
    const live = { get: async () => own };
    const { context } = new ObjectRun({ ...environment, live } as never, { ...run, client } as never, () => own);
    const intents = (context as never as { intents(field: string, key: string): Moves }).intents('moves', 'id');
    await expect(intents.pursue(intent, plan([]))).rejects.toBe(conflict);
    expect(tries).toBe(1);
  });
});

interface Moves {
  readonly stored: unknown;
  pursue(intent: object, plan: object): Promise<unknown>;
}
