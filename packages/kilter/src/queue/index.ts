// Keys, delays, rate limits, causes: what to reconcile next. Knows references, not objects.
export type { AddOptions, Next, Work, WorkQueue } from './work.ts';
