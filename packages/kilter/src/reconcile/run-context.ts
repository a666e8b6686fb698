import { type Kind, type KubeObject, type MergedCause, type NamedRef } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { applyChild, type AppliedStates } from './apply.ts';
import type { ApplyChildOptions, FinalizerState, ObjectContext, RunContext } from './context.ts';
import { addFinalizers, hasFinalizer, isDeleting, removeFinalizer } from './finalizer.ts';
import type { OwnedFields } from './owned-fields.ts';
import { checkAdoption, checkOwnerScope, controllerReference, withController } from './owner.ts';
import { type Result, resultKind } from './result.ts';
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
  readonly context: ObjectContext<KubeObject, KubeObject, KubeObject>;
  readonly status: StatusWriter;
  /** Deletes the children of this kind that the run did not apply. */
  prune(kind: Kind): Promise<void>;
}

export function objectRun(environment: ReconcileEnvironment, run: Run, object: KubeObject): ObjectRun {
  const { kind, live, clock, recorder } = environment;
  const { client } = run;
  const status = new StatusWriter({ kind, object, client, live, clock });
  const children = new Children(environment, run, object);
  const context = {
    ...runContext(environment, run),
    apply: (child: KubeObject, options?: ApplyChildOptions) => children.apply(child, options ?? {}),
    owned: (child: Kind) => children.owned(child),
    status: async (patch: StatusFields) => {
      if (!(await status.write({ set: patch }))) environment.skipped();
    },
    event: (...[type, reason, message, options]: EventArguments) =>
      recorder.record({ regarding: object, type, reason, message, action: options?.action }),
    finalizer: (name: string, cleanup: () => Promise<Result>) => finalizerProtocol(client, object, { name, cleanup }),
  };
  // The public type ties kinds together in ways the erased implementation cannot repeat.
  return { context: context as unknown as ObjectRun['context'], status, prune: (child) => children.prune(child) };
}

type EventArguments = Parameters<ObjectRun['context']['event']>;

interface Protocol {
  readonly name: string;
  readonly cleanup: () => Promise<Result>;
}

async function finalizerProtocol(
  client: Client,
  object: KubeObject,
  { name, cleanup }: Protocol,
): Promise<FinalizerState> {
  if (!isDeleting(object)) {
    await addFinalizers(client, object, [name]);
    return 'continue';
  }
  if (!hasFinalizer(object, name)) return 'foreign';
  if (resultKind(await cleanup()) !== 'done') return 'pending';
  await removeFinalizer(client, object, name);
  return 'cleaned';
}

/** The children of one object during one run. */
class Children {
  readonly #environment: ReconcileEnvironment;
  readonly #run: Run;
  readonly #owner: KubeObject;
  /** UIDs this run applied, changed or not: what a prune leaves alone. */
  readonly #applied = new Set<string | undefined>();

  constructor(environment: ReconcileEnvironment, run: Run, owner: KubeObject) {
    this.#environment = environment;
    this.#run = run;
    this.#owner = owner;
  }

  async apply(given: KubeObject, options: ApplyChildOptions): Promise<KubeObject> {
    const { kind, owned } = this.#declaration(given);
    const placed = this.#place(given, kind);
    // The cached read waits for own writes, so a child just applied is compared as the server answered it.
    const cached = owned ? await this.#run.client.find(kind, placed.metadata) : undefined;
    const cachedFields = cached === undefined ? undefined : this.#environment.ownedFieldsOf(kind, placed.metadata);
    const child = (options.owner ?? owned) ? this.#own(placed, cached, options.adopt ?? 'ifOrphan') : placed;
    const { manager, states, skipped } = this.#environment;
    const { client, key: owner } = this.#run;
    const request = { child, kind, cached, cachedFields, owner, force: options.force ?? true };
    const answer = await applyChild(request, { client, manager, states, skipped });
    this.#applied.add(answer.metadata.uid);
    return answer;
  }

  async prune(kind: Kind): Promise<void> {
    const stale = (await this.owned(kind)).filter(({ metadata }) => !this.#applied.has(metadata.uid));
    for (const child of stale) if (!isDeleting(child)) await this.#run.client.delete(child);
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
