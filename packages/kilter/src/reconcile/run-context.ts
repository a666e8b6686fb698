import { type Kind, type KubeObject, type MergedCause, type NamedRef } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { hasCode, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { applyChild, type AppliedStates, childKeyOf } from './apply.ts';
import type { ApplyChildOptions, FinalizerState, ObjectContext, RunContext } from './context.ts';
import { addFinalizers, type FinalizerRemoval, hasFinalizer, isDeleting, removeFinalizer } from './finalizer.ts';
import type { OwnedFields } from './owned-fields.ts';
import { checkAdoption, checkOwnerScope, controllerReference, withController } from './owner.ts';
import type { ReconcileError } from './reconcile-error.ts';
import { pendingAgain, type Requeue, type Result } from './result.ts';
import { StatusWriter } from './status-writer.ts';
import type { StatusFields } from './status.ts';

/** A kind the controller may apply. */
export interface DeclaredChild {
  readonly kind: Kind;
  /** Watched and given an owner reference; else only written. */
  readonly owned: boolean;
}

/** What all runs of one controller share. */
export interface ReconcileEnvironment {
  readonly kind: Kind;
  /** By `apiVersion/kind`. */
  readonly children: ReadonlyMap<string, DeclaredChild>;
  readonly live: Reader;
  readonly cache: CacheView;
  /** What this controller's field manager owns of a cached object. */
  readonly ownedFieldsOf: (kind: Kind, ref: NamedRef) => OwnedFields | undefined;
  /** The cached children of an owner, once the writes made for its key have arrived. */
  readonly childrenOf: (kind: Kind, owner: { readonly key: string; readonly uid: string }) => Promise<KubeObject[]>;
  readonly primaries: RunContext['primaries'];
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly manager: string;
  readonly states: AppliedStates;
  leadership(): RunContext['leadership'];
  fence<R>(effect: (signal: AbortSignal) => Promise<R>, signal: AbortSignal): Promise<R>;
  /** A write that was not needed. */
  readonly skipped: () => void;
}

/** What one run is about. */
export interface Run {
  readonly ref: NamedRef;
  readonly key: string;
  readonly causes: readonly MergedCause[];
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Reads from the cache and waits for own writes; writes are guarded and remembered for this run's key. */
  readonly client: Client;
  /** What was thrown, with the controller, the key and the run. */
  readonly describe: (error: unknown) => ReconcileError;
}

export function runContext(environment: ReconcileEnvironment, run: Run): RunContext {
  return {
    signal: run.signal,
    request: { name: run.ref.name, namespace: run.ref.namespace ?? '' },
    client: run.client,
    live: environment.live,
    cache: environment.cache,
    primaries: environment.primaries,
    log: run.log,
    causes: run.causes,
    leadership: environment.leadership(),
    fence: (effect) => environment.fence(effect, run.signal),
  };
}

/** The context of an object, with the writer of its status for what follows the run. */
export interface ObjectRun {
  /** What a pending cleanup of `finalizer` asked for; undefined when none is pending. */
  readonly pending: () => Requeue | undefined;
  readonly context: ObjectContext<KubeObject, KubeObject, KubeObject>;
  readonly status: StatusWriter;
  /** After a run that is done: deletes children of these kinds it did not apply, and forgets what it knew of them. */
  finish(prunes: readonly Kind[]): Promise<void>;
}

export function objectRun(environment: ReconcileEnvironment, run: Run, object: KubeObject): ObjectRun {
  const { kind, live, clock, recorder } = environment;
  const { client } = run;
  const status = new StatusWriter({ kind, object, client, live, clock });
  const children = new Children(environment, run, object);
  let pending: Requeue | undefined;
  const context = {
    ...runContext(environment, run),
    apply: (child: KubeObject, options?: ApplyChildOptions) => children.apply(child, options ?? {}),
    owned: (child: Kind) => children.owned(child),
    status: async (patch: StatusFields) => {
      if (!(await status.write({ set: patch }))) environment.skipped();
    },
    event: (...[type, reason, message, options]: EventArguments) =>
      recorder.record({ regarding: object, type, reason, message, action: options?.action }),
    finalizer: async (name: string, cleanup: () => Promise<Result>) => {
      const { state, requeue } = await finalizerProtocol(object, { name, cleanup }, { client, live, kind });
      // A second finalizer that is done does not end the waiting for the first.
      pending = requeue ?? pending;
      return state;
    },
  };
  // The public type ties kinds together in ways the erased implementation cannot repeat.
  const typed = context as unknown as ObjectRun['context'];
  return { pending: () => pending, context: typed, status, finish: (prunes) => children.finish(prunes) };
}

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

/** The children of one object during one run. */
class Children {
  readonly #environment: ReconcileEnvironment;
  readonly #run: Run;
  readonly #owner: KubeObject;
  /** What this run wanted to apply, whether that succeeded or not: what a prune leaves alone. */
  readonly #wanted = new Set<string>();

  constructor(environment: ReconcileEnvironment, run: Run, owner: KubeObject) {
    this.#environment = environment;
    this.#run = run;
    this.#owner = owner;
  }

  async apply(given: KubeObject, options: ApplyChildOptions): Promise<KubeObject> {
    const { kind, owned } = this.#declaration(given);
    const placed = this.#place(given, kind);
    this.#wanted.add(childKeyOf(kind, placed));
    // The cached read waits for own writes, so a child just applied is compared as the server answered it.
    const { cached, existing } = await this.#existing(kind, placed, { owned, adopting: options.owner ?? owned });
    const cachedFields = cached === undefined ? undefined : this.#environment.ownedFieldsOf(kind, placed.metadata);
    const child = (options.owner ?? owned) ? this.#own(placed, existing, options.adopt ?? 'ifOrphan') : placed;
    const { manager, states, skipped } = this.#environment;
    const { client, key: owner } = this.#run;
    const request = { child, kind, cached, cachedFields, owner, force: options.force ?? true };
    return applyChild(request, { client, manager, states, skipped });
  }

  /** The child as the cache has it, or as the server has it where no cache covers it and its owner matters. */
  async #existing(
    kind: Kind,
    { metadata }: KubeObject,
    { owned, adopting }: { owned: boolean; adopting: boolean },
  ): Promise<{ cached?: KubeObject | undefined; existing?: KubeObject | undefined }> {
    try {
      const cached = owned ? await this.#run.client.find(kind, metadata) : undefined;
      if (owned) return { cached, existing: cached };
    } catch (error) {
      // Watched as metadata only, or not in this namespace.
      if (!hasCode(error, 'CACHE_KIND_UNDECLARED')) throw error;
    }
    return adopting ? { existing: await this.#environment.live.find(kind, metadata) } : {};
  }

  async finish(prunes: readonly Kind[]): Promise<void> {
    for (const kind of prunes) await this.#prune(kind);
    this.#environment.states.keep(this.#run.key, this.#wanted);
  }

  async #prune(kind: Kind): Promise<void> {
    for (const child of await this.owned(kind)) {
      if (this.#wanted.has(childKeyOf(kind, child)) || isDeleting(child)) continue;
      // Two controllers may own children of one kind: each prunes what itself applied.
      if (this.#environment.ownedFieldsOf(kind, child.metadata) !== undefined) await this.#run.client.delete(child);
    }
  }

  owned(kind: Kind): Promise<KubeObject[]> {
    return this.#environment.childrenOf(kind, { key: this.#run.key, uid: this.#owner.metadata.uid ?? '' });
  }

  #declaration({ apiVersion, kind }: KubeObject): DeclaredChild {
    const found = this.#environment.children.get(`${apiVersion}/${kind}`);
    if (found === undefined) {
      throw new KilterError('RECONCILE_KIND_UNDECLARED', `the controller does not declare ${kind} (${apiVersion})`);
    }
    return found;
  }

  #place(child: KubeObject, kind: Kind): KubeObject {
    const namespace = child.metadata.namespace ?? this.#owner.metadata.namespace;
    if (kind.names.scope === 'Cluster' || namespace === undefined) return child;
    return { ...child, metadata: { ...child.metadata, namespace } };
  }

  #own(child: KubeObject, cached: KubeObject | undefined, adopt: 'ifOrphan' | 'never'): KubeObject {
    const reference = controllerReference(this.#owner, this.#environment.kind);
    checkOwnerScope(this.#owner, child);
    if (cached !== undefined) checkAdoption(cached, reference, adopt);
    return withController(child, reference);
  }
}
