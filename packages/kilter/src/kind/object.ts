export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}
/** One manager's claim on fields, as the API server records it. */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string | undefined;
  fieldsType: 'FieldsV1';
  fieldsV1: object;
  subresource?: string | undefined;
}
export interface ObjectMeta {
  name: string;
  generateName?: string | undefined;
  namespace?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  finalizers?: string[] | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
/** What a metadata-only watch sees of an object. */
export interface MetadataOf<T extends KubeObject> {
  apiVersion: T['apiVersion'];
  kind: T['kind'];
  metadata: ObjectMeta;
}
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}
/** An object to change in place: labels and annotations are always there, and dropped again when left empty. */
export type Draft<T extends KubeObject> = T & {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
};
