import type { BinaryName } from './versions.ts';

/** What an installation tells while it continues. */
export type InstallEvent =
  /** Something worth a line. */
  | { readonly type: 'note'; readonly text: string }
  /** Another process installs into the same folder. */
  | { readonly type: 'waiting'; readonly elapsed: number; readonly text: string; readonly owner: string }
  | { readonly type: 'started'; readonly binary: BinaryName; readonly place: StepNumber; readonly why: string }
  /** About every second. */
  | { readonly type: 'building'; readonly binary: BinaryName; readonly place: StepNumber; readonly work: Work }
  | { readonly type: 'built'; readonly binary: BinaryName; readonly place: StepNumber; readonly result: BuildResult }
  | {
      readonly type: 'ended';
      readonly binary: BinaryName;
      readonly place: StepNumber;
      readonly elapsed: number;
      /** Or it was asked to stop. */
      readonly failed: boolean;
    };

/** The third of six. */
export interface StepNumber {
  readonly number: number;
  readonly of: number;
}

export interface Work {
  readonly elapsed: number;
  readonly downloaded: number;
  readonly compiled: number;
  /** What was compiled or downloaded last. */
  readonly last: string;
}

export interface BuildResult {
  readonly elapsed: number;
  readonly size: number;
}
