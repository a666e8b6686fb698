/** A reference to an object's owner. */
export interface OwnerReference {
  /** Group and version of the owner. */
  apiVersion: string;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner. */
  name: string;
  /** UID of the owner. */
  uid: string;
  /** Whether this owner is the one that manages the object. */
  controller?: boolean | undefined;
  /** Whether this object blocks a foreground deletion of its owner. */
  blockOwnerDeletion?: boolean | undefined;
}
/** One manager's claim on fields, as the API server records it. */
export interface ManagedFieldsEntry {
  /** Who set the fields. */
  manager: string;
  /** Whether they were applied or written. */
  operation: 'Apply' | 'Update';
  /** Group and version in which they were set. */
  apiVersion: string;
  /** When the entry last changed. */
  time?: string | undefined;
  /** Format of the fields. */
  fieldsType: 'FieldsV1';
  /** The fields, as a tree of their names. */
  fieldsV1: object;
  /** Subresource through which they were set. */
  subresource?: string | undefined;
}
/** The metadata of an object. */
export interface ObjectMeta {
  /** Name of the object, which no other of its kind has in the namespace. */
  name: string;
  /** Prefix of the name that the server generates if `name` is omitted. */
  generateName?: string | undefined;
  /** Namespace of the object; none for cluster-wide kinds. */
  namespace?: string | undefined;
  /** Short values by key, for selecting. */
  labels?: Record<string, string> | undefined;
  /** Arbitrary values by key, for tools and controllers; not for selecting. */
  annotations?: Record<string, string> | undefined;
  /** Tells the object from others that have or had the same name. */
  uid?: string | undefined;
  /** Changes with every write. Send it back to write only what you have seen. */
  resourceVersion?: string | undefined;
  /** Increases with every change of the desired state. */
  generation?: number | undefined;
  /** When the object was created. */
  creationTimestamp?: string | undefined;
  /** When its deletion was requested; finalizers may still hold it. */
  deletionTimestamp?: string | undefined;
  /** How many seconds the object may take to terminate once its deletion was requested. */
  deletionGracePeriodSeconds?: number | undefined;
  /** Names that hold the object until each has been removed by whoever set it. */
  finalizers?: string[] | undefined;
  /** Objects that this one belongs to: it is deleted once all of them are gone. */
  ownerReferences?: OwnerReference[] | undefined;
  /** Who set which fields, kept by the server for server-side apply. */
  managedFields?: ManagedFieldsEntry[] | undefined;
}
/** Metadata of a kind without namespaces. */
export interface ClusterMeta extends ObjectMeta {
  /** Never present: the kind is cluster-scoped. */
  namespace?: undefined;
}
/** Metadata of a kind that is sent but never stored, so the server gives it neither a UID nor a version. */
export interface RequestMeta extends ObjectMeta {
  /** Never present: nothing is stored. */
  uid?: undefined;
  /** Never present: nothing is stored. */
  resourceVersion?: undefined;
}
/** What every object has. */
export interface KubeObject {
  /** Group and version, `apps/v1`. */
  apiVersion: string;
  /** Name of the kind. */
  kind: string;
  /** Name, namespace, labels, owners and what the server records about the object. */
  metadata: ObjectMeta;
}
/** What a metadata-only watch sees of an object. */
export interface MetadataOf<T extends KubeObject> {
  apiVersion: T['apiVersion'];
  kind: T['kind'];
  metadata: T['metadata'];
}
/** Where the kind is known, so is whether it has namespaces. */
type InNamespace<T extends KubeObject> = T extends unknown
  ? string extends T['kind']
    ? unknown
    : T['metadata'] extends ClusterMeta
      ? unknown
      : { namespace: string }
  : never;
/**
 * An object as a server returned it or a cache holds it: its UID, its version and, for a namespaced kind, its namespace
 * are present. Accepted wherever a `T` is. (The answer to a dry-run create has no version.)
 */
export type Stored<T extends KubeObject> = T & {
  metadata: { uid: string; resourceVersion: string } & InNamespace<T>;
};
/** One observation of a status, as `metav1.Condition` has it. */
export interface Condition {
  /** Name of the condition, in CamelCase. */
  type: string;
  /** Whether the condition holds. */
  status: 'True' | 'False' | 'Unknown';
  /** One word in CamelCase for programs: why it is so. */
  reason: string;
  /** Details for people. */
  message: string;
  /** When the status of the condition last changed. */
  lastTransitionTime: string;
  /** The `metadata.generation` that the condition refers to. */
  observedGeneration?: number;
}
/** An object to change in place: labels and annotations are always present, and dropped again if they stay empty. */
export type Draft<T extends KubeObject> = T & {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
};
