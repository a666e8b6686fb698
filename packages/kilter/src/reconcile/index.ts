// The reconciler's contract: context, results, finalizers, owners, conditions, status, apply.
export { AppliedStates } from './apply.ts';
export type { Compose, Composition, Observed, ObservedListOptions } from './composition.ts';
export { type ComposedBy, runComposition } from './compose-run.ts';
export type {
  ApplyChildOptions,
  Context,
  DeclaredIndex,
  EffectCall,
  EffectOptions,
  Fenced,
  FinalizerState,
  IndexedCache,
  IndexName,
  KeyContext,
  Missing,
  ObjectContext,
  RunContext,
  StatusOptions,
} from './context.ts';
export { errorManagerOf, leftByErrors, partsOf, type StatusParts, together } from './error-status.ts';
export {
  addFinalizers,
  type FinalizerName,
  type FinalizerRemoval,
  hasFinalizer,
  isDeleting,
  removeFinalizer,
} from './finalizer.ts';
export type {
  Intent,
  IntentField,
  IntentOf,
  IntentOutcome,
  IntentPlan,
  Intents,
  IntentsPlan,
  IntentStep,
  Pursued,
} from './intents.ts';
export { type Observation, observe } from './observed.ts';
export { type OwnedFields, ownEntryOf } from './owned-fields.ts';
export { ReconcileError, type RunIdentity } from './reconcile-error.ts';
export {
  earlier,
  defaultWait,
  pendingAgain,
  requeue,
  type Requeue,
  requeueAfter,
  type Result,
  resultKind,
  terminal,
  TerminalError,
  waitFor,
  WaitError,
} from './result.ts';
export type { ChildrenOf, DeclaredChild, ReconcileEnvironment, Run } from './environment.ts';
export { ObjectRun, runContext } from './run-context.ts';
export { type Readiness, readiness } from './readiness.ts';
export { hasStatus } from './status-kind.ts';
export type { StatusWriter } from './status-writer.ts';
export { type ConditionPatch, isObserved, type StatusEdit, type StatusFields, type StatusPatch } from './status.ts';
