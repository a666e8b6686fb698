import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { OutsideError } from '../errors/index.ts';
import { type Intent, type IntentPlan, intentsIn, type IntentStep } from './intents.ts';

interface Move extends Intent {
  readonly id: string;
  readonly phase: 'Planned' | 'Moving' | 'Failed';
}
type Effect = 'push' | 'tidy';
type Step = IntentStep<Move, Effect>;

const move = (given: Partial<Move> = {}): Move => ({ id: 'a', epoch: 2, phase: 'Planned', ...given });
const wait: Step = { type: 'act', effects: [], waitingFor: 'rest' };
const push: Step = { type: 'act', effects: ['push'], waitingFor: 'the push' };
const end: Step = { type: 'end', effects: ['tidy'], result: 'Succeeded' };
const next = (intent: Move): Step => ({ type: 'next', intent });

interface Given {
  readonly stored?: readonly Move[];
  /** What the server has, where it is not what was last written. */
  readonly live?: readonly Move[];
  readonly step: (intent: Move) => Step;
  readonly bring?: (effect: Effect) => Promise<void>;
  readonly giveUp?: IntentPlan<KubeObject, Move, string, Effect>['giveUp'];
  readonly ending?: IntentPlan<KubeObject, Move, string, Effect>['ending'];
}

/** A store and a plan that write down what is done, in its order. */
function setUp({ stored = [move()], live, step, bring = async () => undefined, giveUp, ending }: Given) {
  const log: unknown[] = [];
  let list = stored;
  const intents = intentsIn<KubeObject, Move>({
    key: 'id',
    epoch: 2,
    status: () => ({ history: ['before'] }),
    stored: () => list,
    live: async () => (log.push('read'), live ?? list),
    write: async (written, beside) => {
      // Who does not wait for it is seen to be early.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      log.push({ written, ...beside });
      list = written;
    },
  });
  const pursue = (intent: Move = move()) =>
    intents.pursue<string, Effect>(intent, {
      look: async () => (log.push('look'), 'seen'),
      step: (current, seen) => (expect(seen).toBe('seen'), step(current)),
      bring: async (effect) => (log.push(effect), bring(effect)),
      ...(giveUp && { giveUp }),
      ...(ending && { ending }),
    });
  return { intents, log, pursue };
}

describe('an intent', () => {
  test.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['a step of a type that does not exist', () => ({ type: 'acts', effects: ['push'] })],
    ['an action without effects', () => ({ type: 'act', waitingFor: 'x' })],
    ['no intent to go on with', () => ({ type: 'next' })],
    ['a promise', () => Promise.reject(new Error('late'))],
  ])('IT-1: whose step returned %s stays, and nothing is done', async (_, told) => {
    const { log, pursue } = setUp({ step: told as () => Step });
    await expect(pursue()).rejects.toMatchObject({
      code: 'RECONCILE_RESULT_INVALID',
      message: expect.stringMatching(/^the step of an intent returned .*: return \{ type: 'next', intent \}/) as string,
    });
    expect(log).toEqual(['look']);
  });

  test('IT-1: is read back from the server before its effects, and looked at again after them', async () => {
    const { log, pursue } = setUp({ step: () => push });
    expect(await pursue()).toEqual({ intent: move(), waitingFor: 'the push' });
    expect(log).toEqual(['look', 'read', 'push', 'look']);
  });

  test('IT-1: of which the server has another version is not acted on', async () => {
    const others: readonly (readonly Move[])[] = [[], [move({ phase: 'Moving' })], [move({ epoch: 3 })]];
    for (const live of others) {
      const { log, pursue } = setUp({ live, step: () => push });
      await expect(pursue()).rejects.toMatchObject({ code: 'RECONCILE_INTENT_CHANGED' });
      expect(log).toEqual(['look', 'read']);
    }
  });

  test('IT-1: whose end has effects is read back before them as well', async () => {
    const { log, pursue } = setUp({ live: [], step: () => end });
    await expect(pursue()).rejects.toMatchObject({ code: 'RECONCILE_INTENT_CHANGED' });
    expect(log).not.toContain('tidy');
  });

  test('IT-2: is stored in its new phase before anything follows from it; the others stay as they are', async () => {
    const [other, moving] = [move({ id: 'b' }), move({ phase: 'Moving' })];
    const { log, pursue, intents } = setUp({
      stored: [move(), other],
      step: ({ phase }) => (phase === 'Planned' ? next(moving) : push),
    });
    expect(await pursue()).toEqual({ intent: moving, waitingFor: 'the push' });
    expect(log).toEqual(['look', { written: [moving, other] }, 'look', 'read', 'push', 'look']);
    expect(intents.stored).toEqual([moving, other]);
  });

  test('IT-2: that is not stored is not stored anew', async () => {
    const { log, pursue } = setUp({ stored: [move({ id: 'b' })], step: () => next(move({ phase: 'Moving' })) });
    await expect(pursue()).rejects.toMatchObject({ code: 'RECONCILE_INTENT_CHANGED' });
    expect(log).toEqual(['look']);
  });

  test('IT-3: of another epoch is made the own one before it is even looked at', async () => {
    const old = move({ epoch: 1 });
    const { log, pursue } = setUp({ stored: [old], step: () => push });
    await pursue(old);
    expect(log).toEqual([{ written: [move({ epoch: 2 })] }, 'look', 'read', 'push', 'look']);
  });

  test('IT-4: leaves the status in the write that tells of its end, after its effects', async () => {
    const ending = (intent: Move, result: string, status: unknown) =>
      ({ history: [`${intent.id} ${result}`, ...(status as { history: string[] }).history] }) as never;
    const { log, pursue } = setUp({ stored: [move(), move({ id: 'b' })], step: () => end, ending });
    expect(await pursue()).toEqual({ intent: move(), result: 'Succeeded' });
    const last = { written: [move({ id: 'b' })], history: ['a Succeeded', 'before'] };
    expect(log).toEqual(['look', 'read', 'tidy', last]);
  });

  test('IT-4: whose last effect fails stays, whatever giving up would say', async () => {
    const fails = async () => Promise.reject(new Error('no'));
    const { log, pursue } = setUp({ step: () => end, bring: fails, giveUp: () => move({ phase: 'Failed' }) });
    await expect(pursue()).rejects.toThrow('no');
    expect(log).toEqual(['look', 'read', 'tidy']);
  });

  test('IT-5: goes on with what giving up says, stored first; without it the error is thrown', async () => {
    const bring = async (effect: Effect) => (effect === 'push' ? Promise.reject(new Error('never')) : undefined);
    const step = ({ phase }: Move) => (phase === 'Failed' ? end : push);
    const failed = move({ phase: 'Failed' });
    const asked: unknown[] = [];
    const giveUp = (...given: unknown[]): Move => (asked.push(...given), failed);
    const { log, pursue } = setUp({ step, bring, giveUp });
    expect(await pursue()).toEqual({ intent: failed, result: 'Succeeded' });
    expect(asked).toEqual([move(), new Error('never')]);
    expect(log).toEqual(['look', 'read', 'push', { written: [failed] }, 'look', 'read', 'tidy', { written: [] }]);
    await expect(setUp({ step, bring, giveUp: () => undefined }).pursue()).rejects.toThrow('never');
    await expect(setUp({ step, bring }).pursue()).rejects.toThrow('never');
  });

  test('IT-6: that waits without effects costs one look; a plan that stores for ever is reported', async () => {
    const { log, pursue } = setUp({ step: () => wait });
    expect(await pursue()).toMatchObject({ waitingFor: 'rest' });
    expect(log).toEqual(['look']);
    const restless = setUp({ step: (intent) => next({ ...intent }) });
    await expect(restless.pursue()).rejects.toMatchObject({ code: 'RECONCILE_INTENT_RESTLESS' });
    expect(restless.log.filter((what) => what === 'look')).toHaveLength(100);
  });
});

describe('all intents of a list', () => {
  const [own, other] = [move(), move({ id: 'b' })];
  const passing = new Error('throttled');
  const plan = (log: unknown[], fails: unknown = passing) => ({
    look: async (intent: Move) => (log.push(intent.id), 'seen'),
    step: ({ id }: Move): Step => (id === 'a' ? push : end),
    bring: async (effect: Effect) => (effect === 'push' ? Promise.reject(fails as Error) : undefined),
  });

  test('IT-7: an error that concerns one of them is told beside what became of the others; any other fails the run', async () => {
    const { intents } = setUp({ stored: [own, other], step: () => wait });
    const concernsOne = (error: unknown) => (error === passing ? 'quiet' : undefined);
    expect(await intents.pursueAll<string, Effect>({ ...plan([]), concernsOne })).toEqual([
      { intent: own, error: passing, waitingFor: 'quiet' },
      { intent: other, result: 'Succeeded' },
    ]);
    const fatal = new Error('no');
    const again = setUp({ stored: [own, other], step: () => wait }).intents;
    await expect(again.pursueAll<string, Effect>({ ...plan([], fatal), concernsOne })).rejects.toBe(fatal);
    await expect(again.pursueAll<string, Effect>(plan([]))).rejects.toBe(passing);
    expect(again.stored).toEqual([own, other]);
  });

  test('IT-7: an OutsideError concerns one of them by itself, and its service is what is waited for', async () => {
    const { intents } = setUp({ stored: [own, other], step: () => wait });
    const away = new OutsideError('unreachable', 'ECONNREFUSED', { service: 'Mail' });
    expect(await intents.pursueAll<string, Effect>(plan([], away))).toEqual([
      { intent: own, error: away, waitingFor: 'Mail' },
      { intent: other, result: 'Succeeded' },
    ]);
    const again = setUp({ stored: [own, other], step: () => wait }).intents;
    const concernsOne = () => undefined;
    await expect(again.pursueAll<string, Effect>({ ...plan([], away), concernsOne })).rejects.toBe(away);
  });

  test('IT-8: one that is not understood is not looked at, not written and told with a cure; the others go on', async () => {
    const looks: unknown[] = [];
    const { intents, log } = setUp({ stored: [move({ epoch: 1 }), other], step: () => wait });
    const understands = (stored: unknown) => (stored as Move).id !== 'a';
    const [first, second] = await intents.pursueAll<string, Effect>({ ...plan(looks), understands });
    expect(first).toMatchObject({ error: { code: 'RECONCILE_INTENT_FOREIGN' }, waitingFor: 'a person' });
    expect(first?.error?.message).toMatch(/intent a .*run the version that stored it/);
    expect(second).toEqual({ intent: other, result: 'Succeeded' });
    expect(looks).toEqual(['b']);
    expect(log).toEqual(['read', { written: [move({ epoch: 1 })] }]);
  });
});
