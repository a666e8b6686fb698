// Keys, priorities, delays, rate limits, causes: what to reconcile next. Knows references, not objects.
export type { Fairness, WorkQueueOptions } from './options.ts';
export type { AddOptions, DoneOptions, Next, NumberedKey, Work, WorkQueue } from './work.ts';
export { workQueue } from './work-queue.ts';
