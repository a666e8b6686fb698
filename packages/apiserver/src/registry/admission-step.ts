import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Access, Decision } from '../rbac/index.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A change as those see it who admit changes: webhooks, policies, quota, checks of what a user may hand on. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete' | 'connect';
  readonly resource: ResourceDefinition;
  readonly subresource: string | undefined;
  /** What `object` and `old` are: the kind of the resource, except where a subresource has its own kind. */
  readonly kind: GroupVersionKind;
  /** Empty where the server is still to choose it. */
  readonly name: string;
  /** Empty for what is not in a namespace; a Namespace counts as being in itself. */
  readonly namespace: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** The CreateOptions, UpdateOptions or DeleteOptions of the call; null for a connection. */
  readonly options: JsonObject | null;
  /** What shall be stored; undefined for a deletion. To be left as it is. */
  readonly object: JsonObject | undefined;
  /** What is stored; undefined for a creation. To be left as it is. */
  readonly old: JsonObject | undefined;
  /** Says something to the client, be the change taken or refused. */
  warn(text: string): void;
}

/** Says what a user may do. */
export type Authority = (user: User, access: Access) => Decision;

/** What those who are asked may look up. */
export interface AdmissionView {
  /** The stored objects of a resource, by key, to be read only: the same object as long as it does not change. */
  objects(group: string, plural: string, namespace?: string): readonly JsonObject[];
  /** One of them; undefined if there is none. */
  object(resource: { group: string; plural: string }, name: string, namespace?: string): JsonObject | undefined;
  /** Everything that is served. */
  kinds(): readonly ResourceDefinition[];
  /** Every served form of a resource, itself included, the preferred one first. */
  equivalents(resource: ResourceDefinition): readonly ResourceDefinition[];
  /** An object of one form in another. */
  convert(object: JsonObject, from: ResourceDefinition, to: ResourceDefinition): Promise<JsonObject>;
  /** Stores the status of an object, as the server itself. */
  storeStatus(resource: { group: string; plural: string }, object: JsonObject): void;
  /** What users may do. */
  readonly authority: Authority;
  /** Milliseconds since 1970. */
  now(): number;
  /** A changed object as its kind reads it: typed, pruned, defaulted. Throws if it does not fit. */
  settle(object: JsonObject, resource: ResourceDefinition): JsonObject;
}

/**
 * Somebody beside the server who has a say. Both refuse with a `StatusError`, thrown or as a rejection; undefined: no say about
 * this change. Who answers at once, without a promise, leaves the change in one turn of the event loop.
 */
export interface AdmissionStep {
  /** May still change the object: what it shall be instead. */
  mutate?(request: AdmissionRequest, view: AdmissionView): Promise<JsonObject> | JsonObject | undefined;
  /**
   * Sees the object as it would be stored. Steps are asked one after the other, each once those before it have agreed.
   */
  validate?(request: AdmissionRequest, view: AdmissionView): Promise<void> | undefined;
}
