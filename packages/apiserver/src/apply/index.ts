// Server-side apply: who owns which field of an object, and what a configuration makes of it. Pure.
export { ApplyError, type ApplyProblem, type Conflict } from './apply-error.ts';
export { type Applied, applyPatch, type ApplyRequest } from './apply-patch.ts';
export { laidOver } from './laid-over.ts';
export { sameButTimes } from './same-but-times.ts';
export { type ReplicaPaths, scaledManagers, type ScaledManagers, scaleManagers } from './scale-managers.ts';
export { type TrackedUpdate, trackUpdate } from './track-update.ts';
export type { OtherVersion, Write } from './write.ts';
