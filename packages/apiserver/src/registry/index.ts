// Kinds, verbs, subresources, deletion: what a request does to the stored objects.
export { accessRefused } from './access-refused.ts';
export type { AdmissionRequest, AdmissionStep, AdmissionView, GroupVersionKind } from './admission-step.ts';
export type { ConversionRequest, Converter } from './conversions.ts';
export { uuid } from './generated-names.ts';
export { createRegistry, type RegistryOptions, type ServerRegistry } from './registry.ts';
export { versionedFor, type Versioned } from './versioned.ts';
export { type Snapshot, SnapshotRefused } from './snapshot.ts';
