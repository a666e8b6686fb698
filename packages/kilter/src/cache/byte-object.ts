import { type KubeObject, type ManagedFieldsEntry, type NamedRef, refOfKey } from '../api/index.ts';
import type { Resident, Slab, Slabs } from '../bytes/index.ts';
import { type Age, type StoredObject, unnumbered } from './stored-object.ts';

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
  /** Undefined where the bytes alone do not tell. */
  age(object: ByteObject, held: ByteObject): Age | undefined;
  hasOwnersOf(object: ByteObject, held: ByteObject): boolean;
}

/** An object as a compact record in a slab. What is asked of it is read from its bytes, each time again. */
export class ByteObject implements StoredObject, Resident {
  readonly size: number;
  /** Where the record lies; both change together when it is moved. */
  slab: Slab;
  offset: number;
  number: number = unnumbered;
  #key: string;
  readonly #reader: RecordReader;

  constructor(reader: RecordReader, key: string, place: { slab: Slab; offset: number; size: number }) {
    this.#reader = reader;
    this.#key = key;
    this.slab = place.slab;
    this.offset = place.offset;
    this.size = place.size;
  }

  get key(): string {
    return this.#key;
  }

  /** In a store: the record is moved when its slab is given up. */
  get kept(): boolean {
    return this.number >= 0;
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

  ageBeside(held: StoredObject): Age | undefined {
    return held instanceof ByteObject ? this.#reader.age(this, held) : undefined;
  }

  hasOwnersOf(held: StoredObject): boolean {
    // Records of different readers name the same thing by different numbers.
    return held instanceof ByteObject && held.#reader === this.#reader && this.#reader.hasOwnersOf(this, held);
  }

  /**
   * Takes over the key of what it replaces, which is the same text: else every event would leave a string that lives as long as the
   * object, and whoever looks it up would hash and compare it again.
   */
  keep(before: StoredObject | undefined): void {
    if (before !== undefined) this.#key = before.key;
    this.#reader.slabs.keep(this);
  }

  release(): void {
    this.#reader.slabs.release(this);
  }
}
