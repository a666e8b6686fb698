import type { Json, JsonObject } from 'kilter/api';
import { FieldSet } from './field-set.ts';
import { decodeManagers, encodeManagers, type ManagerEntry } from './managers.ts';
import { fieldElement, type PathElement } from './path-element.ts';

/** Where the replicas are in each version of a scalable kind; undefined where a version has no scale. */
export type ReplicaPaths = ReadonlyMap<string, readonly string[] | undefined>;

const scaleVersion = 'autoscaling/v1';
const scaleReplicas: readonly PathElement[] = ['spec', 'replicas'].map(fieldElement);

/** managedFields of an object as its Scale shows them: of each manager the replicas alone. */
export function scaleManagers(managedFields: Json | undefined, paths: ReplicaPaths): JsonObject[] {
  const managers = [...(decodeManagers(managedFields) ?? new Map<string, ManagerEntry>())];
  const owning = managers.filter(([, entry]) => {
    const path = elementsOf(paths.get(entry.apiVersion));
    return path !== undefined && entry.fields.has(path);
  });
  const fields = FieldSet.of([scaleReplicas]);
  return encodeManagers(new Map(owning.map(([key, entry]) => [key, { ...entry, apiVersion: scaleVersion, fields }])));
}

export interface ScaledManagers {
  /** Of the object before the write. */
  readonly managedFields: Json | undefined;
  /** Of the Scale after it. */
  readonly scale: Json | undefined;
  readonly paths: ReplicaPaths;
  /** The version of the object the write went to. */
  readonly apiVersion: string;
}

/**
 * managedFields of an object after a write to its Scale: whoever lost the replicas there loses them here, and a new owner
 * gets an entry, which has no time. Entries of versions that no longer exist are dropped.
 */
export function scaledManagers({ managedFields, scale, paths, apiVersion }: ScaledManagers): JsonObject[] {
  const parents = decodeManagers(managedFields) ?? new Map<string, ManagerEntry>();
  const owners = new Map(decodeManagers(scale) ?? []);
  const next = new Map<string, ManagerEntry>();
  for (const [key, entry] of parents) {
    if (!paths.has(entry.apiVersion)) continue;
    const path = elementsOf(paths.get(entry.apiVersion));
    // An updater has another identity in each version, that of the Scale included: it gets two entries.
    const kept = path === undefined || !entry.fields.has(path) || owners.delete(key);
    const fields = kept ? entry.fields : entry.fields.difference(FieldSet.of([path]));
    if (!fields.isEmpty) next.set(key, { ...entry, fields });
  }
  const path = elementsOf(paths.get(apiVersion));
  const fields = FieldSet.of(path === undefined ? [] : [path]);
  for (const [key, entry] of owners) {
    if (entry.fields.has(scaleReplicas)) next.set(key, { ...entry, apiVersion, time: parents.get(key)?.time, fields });
  }
  return encodeManagers(next);
}

const elementsOf = (path: readonly string[] | undefined): PathElement[] | undefined => path?.map(fieldElement);
