// Effects outside the cluster, each after its stored intent: whoever reads the intent can continue, wherever its writer died.
import type { KubeObject } from '../api/index.ts';
import { inShort, KilterError, OutsideError } from '../errors/index.ts';
import { deepEqual, isPromise } from '../internal/index.ts';
import type { StatusPatch } from './status.ts';

/** What is to be done, stored in a list in the status before anything is done about it. */
export interface Intent {
  /** The leader that acts on it: `ctx.leadership.epoch`. */
  readonly epoch: number;
}

/** The next step of an intent, given what is observed. */
export type IntentStep<I extends Intent, Effect> =
  /** Another phase: store it, then look again. */
  | { readonly type: 'next'; readonly intent: I }
  /** Effects to bring about (again), then something to wait for. */
  | { readonly type: 'act'; readonly effects: readonly Effect[]; readonly waitingFor: string }
  /** Effects to bring about (again), then the intent is removed from the status. */
  | { readonly type: 'end'; readonly effects: readonly Effect[]; readonly result: string };

/** How an intent is carried out. */
export interface IntentPlan<T extends KubeObject, I extends Intent, Seen, Effect> {
  /** Observes what the intent is about; called again before every step. */
  look(intent: I): Promise<Seen>;
  /** Pure: decides from what is observed, never from what this process remembers. */
  step(intent: I, seen: Seen): IntentStep<I, Effect>;
  /** Brings one effect about, in `ctx.fence` where it is outside the cluster. It is repeated after a crash. */
  bring(effect: Effect, intent: I): Promise<unknown>;
  /**
   * The intent to continue with after an effect that can never succeed; undefined: the error is thrown and the run
   * retried. Default: undefined.
   */
  giveUp?(intent: I, error: unknown): I | undefined;
  /**
   * Status fields to write together with the intent's removal, given the status so far: a history, a time. Default:
   * none.
   */
  ending?(intent: I, result: string, status: StatusOf<T>): StatusPatch<T>;
}

/** How far an intent got: it waits for something, or it has ended with a result. */
export type Pursued<I extends Intent> =
  | { readonly intent: I; readonly waitingFor: string; readonly result?: never }
  | { readonly intent: I; readonly waitingFor?: never; readonly result: string };

/** How all intents of a list are carried out. */
export interface IntentsPlan<T extends KubeObject, I extends Intent, Seen, Effect> extends IntentPlan<
  T,
  I,
  Seen,
  Effect
> {
  /**
   * Whether this version of the program understands a stored intent: another version may have stored it. Default: it
   * does.
   */
  understands?(stored: unknown): boolean;
  /**
   * What an intent waits for after this error, while the others continue; undefined: the run fails. Default: the
   * service of an `OutsideError`, undefined for all other errors.
   */
  concernsOne?(error: unknown): string | undefined;
}

/** The outcome of one intent; its error is one for `concernsOne`, or says that the intent is not understood. */
export type IntentOutcome<I extends Intent> =
  | (Pursued<I> & { readonly error?: never })
  | { readonly intent: I; readonly error: Error; readonly waitingFor: string; readonly result?: never };

/** The intents in one list of an object's status. */
export interface Intents<T extends KubeObject, I extends Intent> {
  /** The stored intents, including what this run wrote. */
  readonly stored: readonly I[];
  /** Carries one intent as far as possible now. */
  pursue<Seen, Effect>(intent: I, plan: IntentPlan<T, I, Seen, Effect>): Promise<Pursued<I>>;
  /** Carries all stored intents as far as possible now, one after the other. */
  pursueAll<Seen, Effect>(plan: IntentsPlan<T, I, Seen, Effect>): Promise<IntentOutcome<I>[]>;
}

type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;
type ItemsOf<L> = NonNullable<L> extends readonly (infer Item)[] ? Item : never;
/** The lists of a status whose items can be intents. */
export type IntentField<T> = {
  [F in keyof StatusOf<T> & string]-?: ItemsOf<StatusOf<T>[F]> extends Intent
    ? [ItemsOf<StatusOf<T>[F]>] extends [never]
      ? never
      : F
    : never;
}[keyof StatusOf<T> & string];
export type IntentOf<T, F extends IntentField<T>> = Extract<ItemsOf<StatusOf<T>[F]>, Intent>;

/** Where intents are kept. */
export interface IntentStore<I extends Intent> {
  /** Names an intent among the others. */
  readonly key: keyof I & string;
  readonly epoch: number;
  /** The status as this run last read or wrote it, and the intents in it. */
  readonly status: () => unknown;
  readonly stored: () => readonly I[];
  /** As the server has them now. */
  readonly live: () => Promise<readonly I[]>;
  /** Fails where anybody has written the object since. */
  readonly write: (intents: readonly I[], beside: object) => Promise<void>;
}

const serviceOf = (error: unknown): string | undefined => (error instanceof OutsideError ? error.service : undefined);

/** More phases than any plan has: one that stores for ever is mistaken. */
const mostSteps = 100;

/** Anything that is not a step would end the intent. */
function checkedStep<I extends Intent, Effect>(told: IntentStep<I, Effect> | undefined): IntentStep<I, Effect> {
  const isStep =
    told?.type === 'next'
      ? typeof told.intent === 'object' && told.intent !== null
      : (told?.type === 'act' || told?.type === 'end') && Array.isArray(told.effects);
  if (!isPromise(told) && told !== undefined && isStep) return told;
  throw new KilterError('RECONCILE_RESULT_INVALID', `the step of an intent returned ${inShort(told)}`, {
    cure: "return { type: 'next', intent }, { type: 'act', effects, waitingFor } or { type: 'end', effects, result }; it must not be async",
  });
}

export function intentsIn<T extends KubeObject, I extends Intent>(store: IntentStore<I>): Intents<T, I> {
  const { key } = store;
  const isSame = (a: I) => (b: I) => a[key] === b[key];
  const changed = (intent: I): KilterError =>
    new KilterError('RECONCILE_INTENT_CHANGED', `the server has another intent ${String(intent[key])}, or none`);

  const save = async (intent: I): Promise<I> => {
    if (!store.stored().some(isSame(intent))) throw changed(intent);
    const saved = store.stored().map((one) => (isSame(intent)(one) ? intent : one));
    await store.write(saved, {});
    return intent;
  };
  /** What the server has must be what this run believes, its epoch included, before anything follows from it. */
  const confirm = async (intent: I): Promise<void> => {
    const found = (await store.live()).find(isSame(intent));
    if (!deepEqual(found, intent)) throw changed(intent);
  };

  const foreign = (intent: I): KilterError =>
    new KilterError(
      'RECONCILE_INTENT_FOREIGN',
      `this version does not understand the stored intent ${String(intent[key])}`,
    );

  const intents: Intents<T, I> = {
    get stored() {
      return store.stored();
    },
    pursueAll: async (plan) => {
      const outcomes: IntentOutcome<I>[] = [];
      for (const intent of store.stored()) {
        if (plan.understands?.(intent) === false) {
          outcomes.push({ intent, error: foreign(intent), waitingFor: 'a person' });
          continue;
        }
        try {
          outcomes.push(await intents.pursue(intent, plan));
        } catch (error) {
          const waitingFor = plan.concernsOne === undefined ? serviceOf(error) : plan.concernsOne(error);
          if (!(error instanceof Error) || waitingFor === undefined) throw error;
          outcomes.push({ intent, error, waitingFor });
        }
      }
      return outcomes;
    },
    pursue: async (given, plan) => {
      // A new leader makes the intent its own before anything else: from then on the one before it cannot write any more.
      let intent = given.epoch === store.epoch ? given : await save({ ...given, epoch: store.epoch });
      let acted: I | undefined;
      for (let steps = 0; steps < mostSteps; steps += 1) {
        const told = checkedStep(plan.step(intent, await plan.look(intent)));
        if (told.type === 'next') {
          intent = await save(told.intent);
          continue;
        }
        if (told.type === 'act' && (told.effects.length === 0 || acted === intent))
          return { intent, waitingFor: told.waitingFor };
        acted = intent;
        if (told.effects.length > 0) await confirm(intent);
        try {
          for (const effect of told.effects) await plan.bring(effect, intent);
        } catch (error) {
          // What ends an intent is tried until it succeeds: there is nothing left to give up.
          const rest = told.type === 'end' ? undefined : plan.giveUp?.(intent, error);
          if (rest === undefined) throw error;
          intent = await save(rest);
          continue;
        }
        if (told.type === 'act') continue;
        const others = store.stored().filter((one) => !isSame(intent)(one));
        await store.write(others, plan.ending?.(intent, told.result, store.status() as never) ?? {});
        return { intent, result: told.result };
      }
      throw new KilterError('RECONCILE_INTENT_RESTLESS', `intent ${String(given[key])}: ${mostSteps} steps in one run`);
    },
  };
  return intents;
}
