import { type Duration, keyOf, type Kind, kindLabel, type KubeObject, type ManagedFieldsEntry } from '../api/index.ts';
import type { StoredVersion } from '../cache/index.ts';
import { apiErrorOf, findCause, inShort, inWords, isNamespaceTerminating, KilterError } from '../errors/index.ts';
import {
  addFinalizers,
  earlier,
  errorManagerOf,
  type FinalizerRemoval,
  hasFinalizer,
  isDeleting,
  leftByErrors,
  ObjectRun,
  partsOf,
  pendingAgain,
  type ReconcileEnvironment,
  removeFinalizer,
  type Requeue,
  type Result,
  resultKind,
  type Run,
  runComposition,
  runContext,
  type StatusParts,
  TerminalError,
  together,
  WaitError,
} from '../reconcile/index.ts';
import { cloneJson, toMilliseconds } from '../internal/index.ts';
import { isOrdinary, isOwnAbsence } from './ordinary.ts';
import type { Ended } from './outcome.ts';
import type { Entered, Quarantine } from './quarantine.ts';
import type { CleanupSpec, ControllerSpec } from './spec.ts';

/** The controller's own objects, as its selectors let them in. */
export interface PrimaryObjects {
  /** Resolves when the writes earlier runs made for a key have arrived; undefined where there are none to wait for. */
  unsettled(key: string): Promise<void> | undefined;
  /** Found at once with the number that came with the key. */
  stored(key: string, number?: number): StoredVersion | undefined;
  /** What field managers of this operator own of it. */
  managedFieldsOf(key: string): ManagedFieldsEntry[];
  /** Which of them are left out; undefined: none. */
  readonly quarantine?: Quarantine | undefined;
}

const nothing: Promise<Result> = Promise.resolve(undefined);

/** Runs the user's code for one key, with everything the contract promises around it. */
export class KeyReconciler {
  readonly #spec: ControllerSpec;
  readonly #environment: ReconcileEnvironment;
  readonly #objects: PrimaryObjects;
  /** What failures of a key wrote into its status since its last success. Goes with the object. */
  readonly #errorStatus = new Map<string, StatusParts>();
  /** Keys whose status was rid of what earlier starts of the operator left in it. Goes with the object. */
  readonly #rid = new Set<string>();
  /** Kinds whose children are deleted once a run did not apply them. */
  readonly #prunes: readonly Kind[];
  /** Whether it was said that children are kept. */
  #toldKept = false;

  constructor(spec: ControllerSpec, environment: ReconcileEnvironment, objects: PrimaryObjects) {
    this.#spec = spec;
    this.#environment = environment;
    this.#objects = objects;
    this.#prunes = spec.owns.filter(({ options }) => options.prune === true).map(({ kind }) => kind);
  }

  async run(run: Run): Promise<Ended> {
    try {
      // Writes of earlier runs first: a run on older data would make duplicates.
      const unsettled = this.#objects.unsettled(run.key);
      if (unsettled !== undefined) await this.#settled(unsettled, run);
      const stored = this.#objects.stored(run.key, run.number);
      if (stored === undefined) this.forget(run.key);
      if (this.#spec.reconcileKey !== undefined) return await this.#byKey(run);
      if (stored === undefined) return { type: 'absent' };
      return { type: 'returned', value: await this.#runObject(run, stored) };
    } catch (error) {
      const gone = this.#isGone(run, error) && { gone: true };
      return { type: 'threw', error, ...(this.#isDoomed(run, error) && { doomed: true }), ...gone };
    }
  }

  async #settled(unsettled: Promise<void>, { timing }: Run): Promise<void> {
    if (timing === undefined) return await unsettled;
    const { clock } = this.#environment;
    const start = clock.monotonic();
    try {
      await unsettled;
    } finally {
      timing.settle += clock.monotonic() - start;
    }
  }

  /**
   * Nothing new can be made in a namespace that ends, and it never becomes whole again: an object in it will be deleted too, and that
   * is the next thing to wait for. One that is being deleted has a cleanup to finish; one elsewhere may see the namespace return.
   */
  #isDoomed({ key, ref }: Run, error: unknown): boolean {
    const { namespace } = ref;
    if (namespace === undefined || !isNamespaceTerminating(error)) return false;
    if (apiErrorOf(error)?.path.includes(`/namespaces/${namespace}/`) !== true) return false;
    const stored = this.#objects.stored(key);
    return stored !== undefined && !isDeleting(stored.decode());
  }

  #isGone({ ref }: Run, error: unknown): boolean {
    return isOwnAbsence(error, this.#spec.kind, ref);
  }

  async #byKey(run: Run): Promise<Ended> {
    const value = await this.#runKey(run);
    // Gone meanwhile counts too: nothing but what this run asked for is left to be done.
    return { type: 'returned', value, gone: this.#objects.stored(run.key) === undefined };
  }

  /** Nothing is kept of an object that is gone. */
  forget(key: string): void {
    this.#environment.states.forget(key);
    this.#errorStatus.delete(key);
    this.#rid.delete(key);
    this.#objects.quarantine?.forget(key);
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
      const made = new ObjectRun(this.#environment, run, () => object);
      prepared.push(made);
      return made.context;
    };
    const ctx = { ...runContext(this.#environment, run), of };
    const ref = { name: run.ref.name, namespace: run.ref.namespace ?? '' };
    const result = await (this.#spec.reconcileKey as (r: typeof ref, c: typeof ctx) => Promise<Result>)(ref, ctx);
    if (result !== undefined) return result;
    // A cleanup that is still pending runs again, also where the caller only returned.
    const pending = prepared.flatMap((made) => made.pending ?? []);
    return pending.length === 0 ? undefined : pending.reduce(earlier);
  }

  /** The reconciler gets its own copy; what the framework needs of the object is decoded again when it needs it. */
  #runObject(run: Run, stored: StoredVersion): Promise<Result> {
    const found = stored.decode();
    const entering = this.#objects.quarantine?.before(run, found);
    if (entering === undefined) return this.#runFound(run, found, stored);
    return this.#runEntered(entering, () => this.#runFound(run, found, stored));
  }

  /** Left out where it is in quarantine; else run once it may, which may be under suspicion and alone. */
  async #runEntered(entering: Promise<Entered>, begin: () => Promise<Result>): Promise<Result> {
    const leave = await entering;
    if (leave === undefined) return undefined;
    try {
      return await begin();
    } finally {
      leave();
    }
  }

  #runFound(run: Run, found: KubeObject, stored: StoredVersion): Promise<Result> {
    const { cleanups } = this.#spec;
    if (cleanups.length === 0) {
      if (isDeleting(found) && !this.#spec.deleting) return nothing;
      return this.#reconcile(run, found, () => stored.decode());
    }
    return this.#runFinalized(run, found, stored);
  }

  async #runFinalized(run: Run, found: KubeObject, stored: StoredVersion): Promise<Result> {
    const { cleanups, deleting } = this.#spec;
    if (isDeleting(found)) {
      const pending = cleanups.filter(({ finalizer }) => hasFinalizer(found, finalizer));
      if (pending.length > 0) return await this.#cleanUp(run, found, pending);
      if (!deleting) return undefined;
    }
    const names = cleanups.map(({ finalizer }) => finalizer);
    const object = await addFinalizers(run.client, found, names);
    if (object === found) return await this.#reconcile(run, found, () => stored.decode());
    return await this.#reconcile(run, cloneJson(object), () => object);
  }

  /** `object` is for the user's code, `own` gives one that it has not seen. */
  async #reconcile(run: Run, object: KubeObject, own: () => KubeObject): Promise<Result> {
    const prepared = new ObjectRun(this.#environment, run, own);
    try {
      const { compose } = this.#spec;
      const composed = compose === undefined ? undefined : await runComposition(prepared, object, compose);
      const result = composed?.result ?? (await this.#spec.reconcile?.(object, prepared.context));
      run.left?.();
      const kind = resultKind(result);
      if (kind === undefined) throw new KilterError('RECONCILE_RESULT_INVALID', `a run returned ${inShort(result)}`);
      const rest = this.#succeeded(run, prepared, composed?.complete ?? kind === 'done');
      if (rest !== undefined) await rest;
      return result;
    } catch (error) {
      await this.#failed(run, prepared, error);
      throw error;
    }
  }

  /** What is left to be done after a success; undefined where nothing has to be waited for. */
  #succeeded(run: Run, prepared: ObjectRun, done: boolean): Promise<void> | undefined {
    if (this.#prunes.length > 0 || this.#spec.onError !== undefined) return this.#conclude(run, prepared, done);
    if (done) prepared.forgetOthers();
    return undefined;
  }

  async #conclude(run: Run, prepared: ObjectRun, done: boolean): Promise<void> {
    const { key } = run;
    // A run that asked to be run again may have stopped half-way: what it did not apply may still be wanted.
    if (done) await prepared.finish(this.#prunes);
    else await this.#kept(run, prepared);
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
  async #kept({ log }: Run, prepared: ObjectRun): Promise<void> {
    // A composition that waits for a step goes on by itself.
    if (this.#toldKept || this.#spec.compose !== undefined) return;
    for (const kind of this.#prunes) {
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
    // Nobody reads the status of an object that is gone.
    if (this.#isGone(run, error)) return;
    try {
      const patch = this.#spec.onError(error, structuredClone(prepared.status.latest));
      if (patch === undefined) return;
      await prepared.status.write({ set: patch }, { manager: errorManagerOf(this.#environment.manager) });
      this.#errorStatus.set(run.key, together(this.#errorStatus.get(run.key), partsOf(patch)) as StatusParts);
    } catch (second) {
      this.#statusFailed(run, error, second);
    }
  }

  /** The first error is the one to act on; this one is only logged, and not at all if both are the same ordinary failure. */
  #statusFailed(run: Run, error: unknown, second: unknown): void {
    const { log } = run;
    const message = 'the status of a failed run could not be written';
    if (this.#isGone(run, second)) log.debug({ error: inWords(second) }, message);
    else if (!isOrdinary(second)) log.warn({ err: second }, message);
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
      const current: KubeObject = object;
      const prepared: ObjectRun = new ObjectRun(this.#environment, run, () => current);
      try {
        const result = await cleanup(cloneJson(current), prepared.context);
        if (finalizer === cleanups.at(-1)?.finalizer) run.left?.();
        object = prepared.status.latest;
        if (result === undefined) object = await removeFinalizer(object, finalizer, this.#removal(run));
        else pending = earlier(pending, pendingAgain(result));
      } catch (error) {
        errors.push(error);
        await this.#failed(run, prepared, error);
        // With the status just written: the next cleanup would else write on an older version and meet a conflict.
        object = prepared.status.latest;
      }
    }
    return endOfCleanups(errors, pending, keyOf(found));
  }
}

/** Waiting is not a failure: who waits or is pending decides only where nothing failed, and the least time wins. */
function endOfCleanups(errors: readonly unknown[], pending: Requeue | undefined, key: string): Requeue | undefined {
  const waits = errors.flatMap((error) => findCause(error, WaitError) ?? []);
  const failures = errors.filter((error) => findCause(error, WaitError) === undefined);
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) {
    const all = new AggregateError(failures, `${failures.length} cleanups of ${key} failed`);
    // Giving up ends the retries of all of them, so all have to give up.
    throw failures.every((error) => findCause(error, TerminalError) !== undefined) ? new TerminalError(all) : all;
  }
  const time = ({ after }: { readonly after: Duration }): number => toMilliseconds(after);
  const [shortest] = waits.toSorted((a, b) => time(a) - time(b));
  if (shortest !== undefined && (pending === undefined || time(shortest) < time(pending))) throw shortest;
  return pending;
}
