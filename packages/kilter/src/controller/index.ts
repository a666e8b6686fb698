// From the builder to a plain spec, and the loop that runs it.
export type { ControllerBuilder, Finalizing, OwnsOptions, Reconcile, Reconciler, Source } from './builder.ts';
export { controller } from './define.ts';
export { type CrashStore, CrashWatch } from './crash-watch.ts';
export type { ControllerDependencies } from './dependencies.ts';
export { ControllerRunner } from './runner.ts';
export { type BackoffOptions, type QueueTuning, resolveTuning } from './queue-tuning.ts';
export {
  type ControllerDescription,
  describeController,
  type DescribedKind,
  type DescribedWrite,
  describeKind,
  describeWrites,
} from './describe.ts';
export { eventPermissions, partPermissions, permissionsOf, quarantinePermissions } from './permissions.ts';
export { findsPoison } from './quarantine.ts';
export type {
  Controller,
  ControllerOptions,
  ControllerSpec,
  WatchedSpec,
  WritesOptions,
  WriteVerb,
  WrittenSpec,
} from './spec.ts';
export { checkedWatch } from './added-watch.ts';
export { Checks } from './checks.ts';
