// How objects name each other.

export interface LocalObjectReference {
  name?: string | undefined;
}

export interface ObjectReference {
  apiVersion?: string | undefined;
  fieldPath?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  resourceVersion?: string | undefined;
  uid?: string | undefined;
}

export interface TypedLocalObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
}

export interface TypedObjectReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}
