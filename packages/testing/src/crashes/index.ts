// What becomes of a world when an operator crashes at any of its writes.
export { type Fate, OperatorLife } from './operator-life.ts';
export { crashEveryWrite, type CrashOptions, type CrashReport } from './crash-every-write.ts';
