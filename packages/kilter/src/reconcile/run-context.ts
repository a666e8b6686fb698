import type { Kind, KubeObject } from '../api/index.ts';
import { cacheReader, homeOf, liveReader } from './bare-names.ts';
import { Children } from './children.ts';
import type { ApplyChildOptions, DeclaredIndex, FinalizerState, ObjectContext, RunContext } from './context.ts';
import type { ReconcileEnvironment, Run } from './environment.ts';
import { addFinalizers, type FinalizerRemoval, hasFinalizer, isDeleting, removeFinalizer } from './finalizer.ts';
import { pendingAgain, type Requeue, type Result } from './result.ts';
import { StatusWriter } from './status-writer.ts';
import type { StatusFields } from './status.ts';

export function runContext(environment: ReconcileEnvironment, run: Run): RunContext {
  const home = homeOf(run.ref);
  return {
    signal: run.signal,
    request: { name: run.ref.name, namespace: home },
    client: run.client,
    live: liveReader(environment.live, home),
    cache: cacheReader(environment.cache, home),
    primaries: environment.primaries,
    log: run.log,
    // The journal tells them after the run, whatever the reconciler did with its own.
    causes: run.causes.map((cause) => ({ ...cause })),
    leadership: environment.leadership(),
    fence: (effect) => environment.fence(effect, run.signal),
  };
}

/** The context of an object, with the writer of its status for what follows the run. */
export interface ObjectRun {
  /** What a pending cleanup of `finalizer` asked for; undefined when none is pending. */
  readonly pending: () => Requeue | undefined;
  readonly context: ObjectContext<KubeObject, KubeObject, KubeObject, DeclaredIndex>;
  readonly status: StatusWriter;
  /** After a run that is done: deletes children of these kinds it did not apply, and forgets what it knew of them. */
  finish(prunes: readonly Kind[]): Promise<void>;
  /** The children of a kind that this run did not apply. */
  unwanted(kind: Kind): Promise<KubeObject[]>;
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
  return {
    pending: () => pending,
    context: typed,
    status,
    finish: (prunes) => children.finish(prunes),
    unwanted: (child) => children.unwanted(child),
  };
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
