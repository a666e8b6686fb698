// From the builder to a plain spec, and the loop that runs it.
export type { ControllerBuilder, Finalizing, OwnsOptions, Reconcile, Reconciler, Source } from './builder.ts';
export { controller } from './define.ts';
export type { ControllerDependencies } from './dependencies.ts';
export { ControllerRunner } from './runner.ts';
export { type BackoffOptions, type QueueTuning, resolveTuning } from './queue-tuning.ts';
export { type ControllerDescription, describeController, type DescribedKind } from './describe.ts';
export { eventPermissions, permissionsOf } from './permissions.ts';
export type { Controller, ControllerOptions, ControllerSpec, WritesOptions, WriteVerb } from './spec.ts';
