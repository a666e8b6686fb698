import { type KubeObject, type ManagedFieldsEntry, type NamedRef, refOfKey } from '../api/index.ts';
import type { Resident, Slab, Slabs } from '../bytes/index.ts';
import type { StoredObject } from './stored-object.ts';

/** What knows how to read records of one kind. */
export interface RecordReader {
  readonly slabs: Slabs;
  uid(object: ByteObject): string;
  resourceVersion(object: ByteObject): string;
  generation(object: ByteObject): number | undefined;
  deleting(object: ByteObject): boolean;
  labels(object: ByteObject): Record<string, string> | undefined;
  controllerUid(object: ByteObject): string | undefined;
  decode(object: ByteObject): KubeObject;
  ownFields(object: ByteObject): ManagedFieldsEntry[];
}

/** An object as a compact record in a slab. What is asked of it is read from its bytes, each time anew. */
export class ByteObject implements StoredObject, Resident {
  readonly key: string;
  readonly size: number;
  /** Where the record lies; both change together when it is moved. */
  slab: Slab;
  offset: number;
  /** In a store: the record is moved when its slab is given up. */
  kept = false;
  readonly #reader: RecordReader;

  constructor(reader: RecordReader, key: string, place: { slab: Slab; offset: number; size: number }) {
    this.#reader = reader;
    this.key = key;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
  }

  get ref(): NamedRef {
    return refOfKey(this.key);
  }

  get uid(): string {
    return this.#reader.uid(this);
  }

  get resourceVersion(): string {
    return this.#reader.resourceVersion(this);
  }

  get generation(): number | undefined {
    return this.#reader.generation(this);
  }

  get deleting(): boolean {
    return this.#reader.deleting(this);
  }

  get labels(): Readonly<Record<string, string>> | undefined {
    return this.#reader.labels(this);
  }

  get controllerUid(): string | undefined {
    return this.#reader.controllerUid(this);
  }

  decode(): KubeObject {
    return this.#reader.decode(this);
  }

  ownFields(): ManagedFieldsEntry[] {
    return this.#reader.ownFields(this);
  }

  keep(): void {
    if (this.kept) return;
    this.kept = true;
    this.#reader.slabs.keep(this);
  }

  release(): void {
    if (!this.kept) return;
    this.kept = false;
    this.#reader.slabs.release(this);
  }
}
