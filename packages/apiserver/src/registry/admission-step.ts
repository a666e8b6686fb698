import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';

/** A change as those see it who admit changes: webhooks, policies, quota, checks of what a user may hand on. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete';
  readonly resource: ResourceDefinition;
  readonly subresource: string | undefined;
  readonly user: User;
  readonly dryRun: boolean;
  /** What shall be stored; undefined for a deletion. To be left as it is. */
  readonly object: JsonObject | undefined;
  /** What is stored; undefined for a creation. To be left as it is. */
  readonly old: JsonObject | undefined;
}

/** Somebody beside the server who has a say. Both refuse by rejecting with a `StatusError`; undefined: no say about this change. */
export interface AdmissionStep {
  /** May still change the object: resolves to what it shall be instead. */
  mutate?(request: AdmissionRequest): Promise<JsonObject> | undefined;
  /** Sees the object as it would be stored. */
  validate?(request: AdmissionRequest): Promise<void> | undefined;
}
