import { keyOf, type KubeObject } from '../api/index.ts';
import type { SharedCache } from '../cache/index.ts';
import { findCause } from '../errors/index.ts';
import {
  addFinalizers,
  hasFinalizer,
  isDeleting,
  objectRun,
  type ObjectRun,
  type ReconcileEnvironment,
  removeFinalizer,
  type Requeue,
  type Result,
  resultKind,
  type Run,
  runContext,
  type StatusFields,
  WaitError,
} from '../reconcile/index.ts';
import { toMilliseconds } from '../internal/index.ts';
import type { Ended } from './outcome.ts';
import type { CleanupSpec, ControllerSpec } from './spec.ts';

interface ErrorStatus {
  readonly fields: readonly string[];
  readonly conditions: readonly string[];
}

/** What a status patch of `onError` sets. */
function mentions(patch: StatusFields): ErrorStatus {
  const conditions = (patch['conditions'] as { type: string }[] | undefined) ?? [];
  const fields = Object.keys(patch).filter((field) => field !== 'conditions' && patch[field] !== undefined);
  return { fields, conditions: conditions.map(({ type }) => type) };
}

/** Runs the user's code for one key, with everything the contract promises around it. */
export class OneRun {
  readonly #spec: ControllerSpec;
  readonly #environment: ReconcileEnvironment;
  readonly #cache: SharedCache;
  /** What the last failure of a key wrote into its status; gone with the next success or the object. */
  readonly #errorStatus = new Map<string, ErrorStatus>();

  constructor(spec: ControllerSpec, environment: ReconcileEnvironment, cache: SharedCache) {
    this.#spec = spec;
    this.#environment = environment;
    this.#cache = cache;
  }

  async run(run: Run): Promise<Ended> {
    try {
      // Writes of earlier runs first: a run on older data would make duplicates.
      await this.#cache.settled(this.#spec.kind, run.key);
      const found = this.#cache.view.find(this.#spec.kind, run.ref);
      if (found === undefined) this.#forget(run.key);
      if (this.#spec.reconcileKey !== undefined) return { type: 'returned', value: await this.#runKey(run) };
      if (found === undefined) return { type: 'absent' };
      return { type: 'returned', value: await this.#runObject(run, found) };
    } catch (error) {
      return { type: 'threw', error };
    }
  }

  #forget(key: string): void {
    this.#environment.states.forget(key);
    this.#errorStatus.delete(key);
  }

  #runKey(run: Run): Promise<Result> {
    const of = (object: KubeObject): unknown => objectRun(this.#environment, run, object).context;
    const ctx = { ...runContext(this.#environment, run), of };
    const ref = { name: run.ref.name, namespace: run.ref.namespace ?? '' };
    return (this.#spec.reconcileKey as (r: typeof ref, c: typeof ctx) => Promise<Result>)(ref, ctx);
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
      const result = await this.#spec.reconcile?.(structuredClone(object), prepared.context);
      await this.#succeeded(run.key, prepared);
      return result;
    } catch (error) {
      await this.#failed(run, prepared, error);
      throw error;
    }
  }

  async #succeeded(key: string, prepared: ObjectRun): Promise<void> {
    for (const { kind, options } of this.#spec.owns) if (options.prune === true) await prepared.prune(kind);
    const left = this.#errorStatus.get(key);
    if (left === undefined) return;
    const { fields, conditions } = prepared.status.mentioned;
    await prepared.status.write({
      set: {},
      removeFields: left.fields.filter((field) => !fields.has(field)),
      removeConditions: left.conditions.filter((type) => !conditions.has(type)),
    });
    this.#errorStatus.delete(key);
  }

  async #failed(run: Run, prepared: ObjectRun, error: unknown): Promise<void> {
    if (this.#spec.onError === undefined || findCause(error, WaitError) !== undefined) return;
    try {
      const patch = this.#spec.onError(error, structuredClone(prepared.status.latest));
      if (patch === undefined) return;
      await prepared.status.write({ set: patch });
      this.#errorStatus.set(run.key, mentions(patch));
    } catch (second) {
      // The first error is the one to act on; this one is only told.
      run.log.warn({ err: second }, 'the status of a failed run could not be written');
    }
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
        const result = await cleanup(structuredClone(object), prepared.context);
        object = prepared.status.latest;
        if (resultKind(result) === 'done') object = await removeFinalizer(run.client, object, finalizer);
        else pending = earlier(pending, result as Requeue);
      } catch (error) {
        object = prepared.status.latest;
        errors.push(error);
        await this.#failed(run, prepared, error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} cleanups of ${keyOf(found)} failed`);
    return pending;
  }
}

function earlier(a: Requeue | undefined, b: Requeue): Requeue {
  return a !== undefined && toMilliseconds(a.after) <= toMilliseconds(b.after) ? a : b;
}
