// From the builder to a plain spec, and the loop that runs it.
export {
  controller,
  type ControllerBuilder,
  type Finalizing,
  type OwnsOptions,
  type Reconcile,
  type Reconciler,
  type Source,
} from './builder.ts';
export { type ControllerDependencies, ControllerRunner } from './runner.ts';
export type { BackoffOptions, Controller, ControllerOptions, ControllerSpec } from './spec.ts';
