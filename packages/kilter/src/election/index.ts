// The Lease elector as a state machine, and the answer of the gate for guarded writes.
export type { Election, Leadership } from './election.ts';
export { createElection } from './lease-election.ts';
export type { ElectionOptions } from './options.ts';
