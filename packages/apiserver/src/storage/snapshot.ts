/** An object of a snapshot: its location, the revision of its last change, and its content as JSON text. */
export interface SnapshotObject {
  /** `group/plural`, with an empty group for the core kinds. */
  readonly bucket: string;
  /** `namespace/name`, or `name` alone. */
  readonly key: string;
  readonly revision: number;
  readonly text: string;
}

/** Everything a store holds at one moment, without its history. */
export interface StorageSnapshot {
  readonly revision: number;
  readonly objects: readonly SnapshotObject[];
}
