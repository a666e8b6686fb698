import type { KubeObject } from '../api/index.ts';

export interface EventInput {
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Default: 'Reconcile'. */
  readonly action?: string | undefined;
}

/** Writes Kubernetes Events. Recording never blocks and never throws into a run. */
export interface Recorder {
  record(event: EventInput): void;
  /** Sends what is pending or gives it up within `ms`; refuses further events. */
  stop(ms: number): Promise<void>;
}
