// The reconciler's contract: context, results, finalizers, owners, conditions, status, apply.
export { AppliedStates } from './apply.ts';
export type {
  ApplyChildOptions,
  Context,
  FinalizerState,
  KeyContext,
  Missing,
  ObjectContext,
  RunContext,
} from './context.ts';
export {
  addFinalizers,
  type FinalizerName,
  type FinalizerRemoval,
  hasFinalizer,
  isDeleting,
  removeFinalizer,
} from './finalizer.ts';
export { type OwnedFields, ownEntryOf } from './owned-fields.ts';
export { ReconcileError, type RunIdentity } from './reconcile-error.ts';
export {
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
export {
  type DeclaredChild,
  objectRun,
  type ObjectRun,
  type ReconcileEnvironment,
  type Run,
  runContext,
} from './run-context.ts';
export type { StatusWriter } from './status-writer.ts';
export { type ConditionPatch, isObserved, type StatusEdit, type StatusFields, type StatusPatch } from './status.ts';
