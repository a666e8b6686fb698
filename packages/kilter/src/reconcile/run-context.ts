import type { Kind, KubeObject } from '../api/index.ts';
import { inShort, KilterError, OutsideError } from '../errors/index.ts';
import { homeOf, readersOf } from './bare-names.ts';
import { Children } from './children.ts';
import type {
  ApplyChildOptions,
  DeclaredIndex,
  FinalizerState,
  ObjectContext,
  RunContext,
  StatusOptions,
} from './context.ts';
import type { ReconcileEnvironment, Run } from './environment.ts';
import { addFinalizers, type FinalizerRemoval, hasFinalizer, isDeleting, removeFinalizer } from './finalizer.ts';
import { type Intent, intentsIn } from './intents.ts';
import { checkRunOptions } from './option-names.ts';
import { earlier, pendingAgain, type Requeue, type Result } from './result.ts';
import { StatusWriter } from './status-writer.ts';
import { newsIn, type StatusFields, statusOf } from './status.ts';

/**
 * What every run has. Not a class: as one, all that a run had survived collections of the young generation, and memory grew until the
 * whole heap was collected.
 */
export function runContext(environment: ReconcileEnvironment, run: Run): RunContext {
  const home = homeOf(run.ref);
  const { live, cache } = readersOf(environment, home);
  return {
    signal: run.signal,
    request: { name: run.ref.name, namespace: home },
    client: run.client,
    live,
    cache,
    primaries: environment.primaries,
    log: run.log,
    metric: environment.metric,
    now: () => environment.clock.now(),
    causes: run.causes,
    leadership: environment.leadership(),
    fence: fenceOf(environment, run.signal),
    fenced: fencedOf(environment, run.signal),
  };
}

function fenceOf(environment: ReconcileEnvironment, signal: AbortSignal): RunContext['fence'] {
  return async (effect, options = {}) => {
    checkRunOptions('ctx.fence', options);
    const { again = isThrottled } = options;
    const once = () => environment.fence(effect, signal);
    return once().catch((error: unknown) => {
      if (!again(error)) throw error;
      return once();
    });
  };
}

const isThrottled = (error: unknown): boolean => error instanceof OutsideError && error.problem === 'throttled';

type Outside = Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>;

function fencedOf(environment: ReconcileEnvironment, runSignal: AbortSignal): RunContext['fenced'] {
  return (service) => {
    if ((typeof service !== 'object' && typeof service !== 'function') || service === null) {
      const message = `ctx.fenced takes a service, not ${inShort(service)}`;
      throw new KilterError('RECONCILE_OPTION_INVALID', message, { cure: 'give an object with the functions to call' });
    }
    const [fence, leader] = [fenceOf(environment, runSignal), environment.leadership()];
    const outside = service as unknown as Outside;
    const get = (_: object, name: PropertyKey) => {
      const call = outside[name];
      if (typeof call !== 'function') return undefined;
      return async (...args: unknown[]) => fence((signal) => call.apply(outside, [...args, { signal, leader }]));
    };
    // Not the service itself: of one that is frozen, nothing but its own functions may be given.
    return new Proxy(Object.create(service) as object, { get }) as never;
  };
}

/**
 * The context of an object, and what follows the run. What a run has beside what the user's code was given is made when it is
 * used, which most runs do not. A class: an accessor in a literal would give every run its own hidden class.
 */
export class ObjectRun {
  readonly context: ObjectContext<KubeObject, KubeObject, KubeObject, DeclaredIndex>;
  readonly #environment: ReconcileEnvironment;
  readonly #run: Run;
  readonly #own: () => KubeObject;
  #found: KubeObject | undefined = undefined;
  #status: StatusWriter | undefined = undefined;
  #children: Children | undefined = undefined;
  #pending: Requeue | undefined = undefined;

  /** `own` gives the object; asked once at the most. */
  constructor(environment: ReconcileEnvironment, run: Run, own: () => KubeObject) {
    this.#environment = environment;
    this.#run = run;
    this.#own = own;
    this.context = this.#contextOf();
  }

  /** What a pending cleanup of `finalizer` asked for; undefined when none is pending. */
  get pending(): Requeue | undefined {
    return this.#pending;
  }

  get status(): StatusWriter {
    const { kind, live, clock } = this.#environment;
    return (this.#status ??= new StatusWriter({ kind, object: this.#object, client: this.#run.client, live, clock }));
  }

  /** After a run that is done: deletes children of these kinds it did not apply, and forgets what it knew of them. */
  finish(prunes: readonly Kind[]): Promise<void> {
    return this.#applied.finish(prunes);
  }

  /** The same where nothing is pruned. */
  forgetOthers(): void {
    if (this.#children === undefined) this.#environment.states.keep(this.#run.key, none);
    else this.#children.forgetOthers();
  }

  /** What this run is going to apply, whether it comes to it or not: no prune takes it away. */
  intend(children: readonly KubeObject[]): void {
    this.#applied.intend(children);
  }

  /** The children of a kind that this run did not apply. */
  unwanted(kind: Kind): Promise<KubeObject[]> {
    return this.#applied.unwanted(kind);
  }

  /** The object as the run found it, whatever the user's code did to its own. */
  get #object(): KubeObject {
    if (this.#found === undefined) {
      this.#found = this.#own();
      this.#run.found?.(this.#found);
    }
    return this.#found;
  }

  get #applied(): Children {
    return (this.#children ??= new Children(this.#environment, this.#run, this.#object));
  }

  #intents(field: string, key: string) {
    const { kind, live } = this.#environment;
    const listIn = (object: KubeObject) => (statusOf(object)[field] ?? []) as readonly Intent[];
    return intentsIn({
      key: key as keyof Intent,
      epoch: this.context.leadership.epoch,
      status: () => statusOf(this.status.latest),
      stored: () => listIn(this.status.latest),
      live: async () => listIn(await live.get(kind, this.#object.metadata)),
      write: async (intents, beside) => {
        await this.status.write({ set: { ...beside, [field]: intents } }, { conflict: 'fail' });
      },
    });
  }

  /** One literal: what is spread into another is made twice, and what is added to it once more. */
  #contextOf(): ObjectRun['context'] {
    const environment = this.#environment;
    const { kind, recorder, skipped } = environment;
    const { ref, client, signal, log, causes } = this.#run;
    const home = homeOf(ref);
    const { live, cache } = readersOf(environment, home);
    const context = {
      signal,
      request: { name: ref.name, namespace: home },
      client,
      live,
      cache,
      primaries: environment.primaries,
      log,
      metric: environment.metric,
      now: () => environment.clock.now(),
      causes,
      leadership: environment.leadership(),
      fence: fenceOf(environment, signal),
      fenced: fencedOf(environment, signal),
      apply: async (child: KubeObject, options: ApplyChildOptions = {}) => {
        checkRunOptions('ctx.apply', options);
        return this.#applied.apply(child, options);
      },
      owned: async (child: Kind) => this.#applied.owned(child),
      status: async (patch: StatusFields, options: StatusOptions = {}) => {
        checkRunOptions('ctx.status', options);
        const { conflict, stamp } = options;
        const before = this.status.latest;
        if (!(await this.status.write({ set: patch, stamp }, { conflict }))) return skipped();
        for (const { type, event, reason, message = reason } of newsIn(patch, before)) {
          if (event === 'Warning') log.warn({ condition: type, reason }, message);
          context.event(event, reason, message);
        }
      },
      intents: (field: string, key: string) => this.#intents(field, key),
      event: (...[type, reason, message, options]: EventArguments) => {
        checkRunOptions('ctx.event', options);
        recorder.record({ regarding: this.#object, type, reason, message, action: options?.action });
      },
      finalizer: async (name: string, cleanup: () => Promise<Result>) => {
        const { state, requeue } = await finalizerProtocol(
          this.#object,
          { name, cleanup },
          { client, live: environment.live, kind },
        );
        // A second finalizer does not end the waiting for the first, and does not lengthen it.
        if (requeue !== undefined) this.#pending = earlier(this.#pending, requeue);
        return state;
      },
    };
    // Nothing that every run has is missing; the public type ties kinds together in ways the erased implementation cannot repeat.
    return context satisfies RunContext as unknown as ObjectRun['context'];
  }
}

const none: ReadonlySet<string> = new Set();

type EventArguments = Parameters<ObjectRun['context']['event']>;

interface Protocol {
  readonly name: string;
  readonly cleanup: () => Promise<Result>;
}

interface ProtocolStep {
  readonly state: FinalizerState;
  readonly requeue?: Requeue;
}

async function finalizerProtocol(
  object: KubeObject,
  { name, cleanup }: Protocol,
  removal: FinalizerRemoval,
): Promise<ProtocolStep> {
  if (!isDeleting(object)) {
    await addFinalizers(removal.client, object, [name]);
    return { state: 'continue' };
  }
  if (!hasFinalizer(object, name)) return { state: 'foreign' };
  const result = await cleanup();
  if (result !== undefined) return { state: 'pending', requeue: pendingAgain(result) };
  await removeFinalizer(object, name, removal);
  return { state: 'cleaned' };
}
