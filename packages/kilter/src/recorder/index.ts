// Kubernetes Events: aggregated, de-duplicated, written in the background.
export { createRecorder } from './event-recorder.ts';
export type { RecorderOptions } from './options.ts';
export type { EventInput, Recorder } from './recorder.ts';
