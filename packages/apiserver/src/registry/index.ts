// Kinds, verbs, subresources, deletion: what a request does to the stored objects.
export type { AdmissionRequest, AdmissionStep } from './admission-step.ts';
export { createRegistry, type RegistryOptions, type ServerRegistry } from './registry.ts';
export { type Snapshot, SnapshotRefused } from './snapshot.ts';
