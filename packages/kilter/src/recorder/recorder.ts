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
  /**
   * Sends what is pending, and gives it up when `within` is over or nothing was answered for `patience`, in milliseconds;
   * refuses further events.
   */
  stop(limits: { readonly within: number; readonly patience?: number | undefined }): Promise<void>;
}
