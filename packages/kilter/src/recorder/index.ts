// Kubernetes Events: aggregated, de-duplicated, written in the background.
export type { EventInput, Recorder } from './recorder.ts';
