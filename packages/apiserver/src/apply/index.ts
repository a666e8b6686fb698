// Server-side apply: who owns which field of an object, and what a configuration makes of it. Pure.
export { ApplyError, type ApplyProblem, type Conflict } from './apply-error.ts';
export { type Applied, applyPatch, type ApplyRequest } from './apply-patch.ts';
export { sameButTimes } from './same-but-times.ts';
export { type ReplicaPaths, scaledManagers, scaleManagers, type ScaledManagers } from './scale-managers.ts';
export { trackUpdate, type TrackedUpdate } from './track-update.ts';
export { sameValue } from './value.ts';
export type { OtherVersion, Write } from './write.ts';
