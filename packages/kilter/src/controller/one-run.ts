import { keyOf, type Kind, kindLabel, type KubeObject, type ManagedFieldsEntry } from '../api/index.ts';
import { findCause, inShort, inWords, KilterError } from '../errors/index.ts';
import {
  addFinalizers,
  errorManagerOf,
  type FinalizerRemoval,
  hasFinalizer,
  isDeleting,
  leftByErrors,
  objectRun,
  type ObjectRun,
  partsOf,
  pendingAgain,
  type ReconcileEnvironment,
  removeFinalizer,
  type Requeue,
  type Result,
  resultKind,
  type Run,
  runContext,
  type StatusParts,
  together,
  WaitError,
} from '../reconcile/index.ts';
import { cloneJson, toMilliseconds } from '../internal/index.ts';
import { isOrdinary } from './ordinary.ts';
import type { Ended } from './outcome.ts';
import type { CleanupSpec, ControllerSpec } from './spec.ts';

/** The controller's own objects, as its selectors let them in. */
export interface PrimaryObjects {
  /** Resolves when the writes earlier runs made for a key have arrived. */
  settled(key: string): Promise<void>;
  get(key: string): KubeObject | undefined;
  /** What field managers of this operator own of it. */
  managedFieldsOf(key: string): ManagedFieldsEntry[];
}

/** Runs the user's code for one key, with everything the contract promises around it. */
export class OneRun {
  readonly #spec: ControllerSpec;
  readonly #environment: ReconcileEnvironment;
  readonly #objects: PrimaryObjects;
  /** What failures of a key wrote into its status since its last success. Goes with the object. */
  readonly #errorStatus = new Map<string, StatusParts>();
  /** Keys whose status was rid of what earlier starts of the operator left in it. Goes with the object. */
  readonly #rid = new Set<string>();
  /** Whether it was said that children are kept. */
  #toldKept = false;

  constructor(spec: ControllerSpec, environment: ReconcileEnvironment, objects: PrimaryObjects) {
    this.#spec = spec;
    this.#environment = environment;
    this.#objects = objects;
  }

  async run(run: Run): Promise<Ended> {
    try {
      // Writes of earlier runs first: a run on older data would make duplicates.
      await this.#objects.settled(run.key);
      const found = this.#objects.get(run.key);
      if (found === undefined) this.forget(run.key);
      if (this.#spec.reconcileKey !== undefined) return await this.#byKey(run);
      if (found === undefined) return { type: 'absent' };
      return { type: 'returned', value: await this.#runObject(run, found) };
    } catch (error) {
      return { type: 'threw', error };
    }
  }

  async #byKey(run: Run): Promise<Ended> {
    const value = await this.#runKey(run);
    // Gone meanwhile counts too: nothing but what this run asked for is left to be done.
    return { type: 'returned', value, gone: this.#objects.get(run.key) === undefined };
  }

  /** Nothing is kept of an object that is gone. */
  forget(key: string): void {
    this.#environment.states.forget(key);
    this.#errorStatus.delete(key);
    this.#rid.delete(key);
  }

  /** What errors set and no success has taken out yet; the server remembers what this start of the operator cannot. */
  #leftBehind(key: string): StatusParts | undefined {
    const earlier = this.#rid.has(key)
      ? undefined
      : leftByErrors(this.#objects.managedFieldsOf(key), this.#environment.manager);
    return together(this.#errorStatus.get(key), earlier);
  }

  async #runKey(run: Run): Promise<Result> {
    const prepared: ObjectRun[] = [];
    const of = (object: KubeObject): unknown => {
      const made = objectRun(this.#environment, run, object);
      prepared.push(made);
      return made.context;
    };
    const ctx = { ...runContext(this.#environment, run), of };
    const ref = { name: run.ref.name, namespace: run.ref.namespace ?? '' };
    const result = await (this.#spec.reconcileKey as (r: typeof ref, c: typeof ctx) => Promise<Result>)(ref, ctx);
    if (result !== undefined) return result;
    // A cleanup that is still pending runs again, also where the caller only returned.
    const pending = prepared.flatMap((made) => made.pending() ?? []);
    return pending.length === 0 ? undefined : pending.reduce(earlier);
  }

  async #runObject(run: Run, found: KubeObject): Promise<Result> {
    const { cleanups, deleting } = this.#spec;
    if (isDeleting(found)) {
      const pending = cleanups.filter(({ finalizer }) => hasFinalizer(found, finalizer));
      if (pending.length > 0) return this.#cleanUp(run, found, pending);
      if (!deleting) return undefined;
    }
    const names = cleanups.map(({ finalizer }) => finalizer);
    const object = await addFinalizers(run.client, found, names);
    return this.#reconcile(run, object);
  }

  async #reconcile(run: Run, object: KubeObject): Promise<Result> {
    const prepared = objectRun(this.#environment, run, object);
    try {
      const result = await this.#spec.reconcile?.(cloneJson(object), prepared.context);
      if (resultKind(result) !== undefined) await this.#succeeded(run, prepared, resultKind(result) === 'done');
      return result;
    } catch (error) {
      await this.#failed(run, prepared, error);
      throw error;
    }
  }

  async #succeeded(run: Run, prepared: ObjectRun, done: boolean): Promise<void> {
    const { key } = run;
    const prunes = this.#spec.owns.filter(({ options }) => options.prune === true).map(({ kind }) => kind);
    // A run that asked to be run again may have stopped half-way: what it did not apply may still be wanted.
    if (done) await prepared.finish(prunes);
    else await this.#kept(run, prepared, prunes);
    const left = this.#spec.onError === undefined ? undefined : this.#leftBehind(key);
    if (left === undefined) return;
    const { fields, conditions } = prepared.status.mentioned;
    await prepared.status.write({
      set: {},
      removeFields: left.fields.filter((field) => !fields.has(field)),
      removeConditions: left.conditions.filter((type) => !conditions.has(type)),
    });
    this.#errorStatus.delete(key);
    this.#rid.add(key);
  }

  /** Says once that a controller which always asks to be run again never prunes: nothing else would show it. */
  async #kept({ log }: Run, prepared: ObjectRun, prunes: readonly Kind[]): Promise<void> {
    if (this.#toldKept) return;
    for (const kind of prunes) {
      const children = (await prepared.unwanted(kind)).map(keyOf);
      if (children.length === 0) continue;
      this.#toldKept = true;
      log.warn(
        { kind: kindLabel(kind.names), children: children.slice(0, 10) },
        'children this run did not apply are kept, because it asked to be run again and may have stopped half-way; to prune and poll, return nothing and declare .every(period)',
      );
      return;
    }
  }

  async #failed(run: Run, prepared: ObjectRun, error: unknown): Promise<void> {
    if (this.#spec.onError === undefined || findCause(error, WaitError) !== undefined) return;
    try {
      const patch = this.#spec.onError(error, structuredClone(prepared.status.latest));
      if (patch === undefined) return;
      await prepared.status.write({ set: patch }, errorManagerOf(this.#environment.manager));
      this.#errorStatus.set(run.key, together(this.#errorStatus.get(run.key), partsOf(patch)) as StatusParts);
    } catch (second) {
      this.#statusFailed(run, error, second);
    }
  }

  /** The first error is the one to act on; this one is only told, and not at all where both are the same everyday story. */
  #statusFailed({ log }: Run, error: unknown, second: unknown): void {
    const message = 'the status of a failed run could not be written';
    if (!isOrdinary(second)) log.warn({ err: second }, message);
    else if (isOrdinary(error)) log.debug({ error: inWords(second) }, message);
    else log.warn({ error: inWords(second) }, message);
  }

  #removal({ client }: Run): FinalizerRemoval {
    return { client, live: this.#environment.live, kind: this.#spec.kind };
  }

  /** In declared order; each success removes its own finalizer, whatever becomes of the others. */
  async #cleanUp(run: Run, found: KubeObject, cleanups: readonly CleanupSpec[]): Promise<Result> {
    const errors: unknown[] = [];
    let pending: Requeue | undefined;
    let object: KubeObject | undefined = found;
    for (const { finalizer, run: cleanup } of cleanups) {
      if (object === undefined) break;
      const prepared: ObjectRun = objectRun(this.#environment, run, object);
      try {
        const result = await cleanup(cloneJson(object), prepared.context);
        object = prepared.status.latest;
        if (result === undefined) object = await removeFinalizer(object, finalizer, this.#removal(run));
        else pending = earlier(pending, checkedPending(result));
      } catch (error) {
        errors.push(error);
        await this.#failed(run, prepared, error);
        // With the status just written: the next cleanup would else write on an older version and meet a conflict.
        object = prepared.status.latest;
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} cleanups of ${keyOf(found)} failed`);
    return pending;
  }
}

/** Anything but a result is an error here too: a finalizer is never taken away by mistake. */
function checkedPending(result: Requeue): Requeue {
  if (resultKind(result) !== undefined) return pendingAgain(result);
  throw new KilterError('RECONCILE_RESULT_INVALID', `a cleanup returned ${inShort(result)}`);
}

function earlier(a: Requeue | undefined, b: Requeue): Requeue {
  return a !== undefined && toMilliseconds(a.after) <= toMilliseconds(b.after) ? a : b;
}
