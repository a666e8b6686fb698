import type { KubeObject, ManagedFieldsEntry, NamedRef } from '../api/index.ts';

/** Where a version of an object stands to another that has its key. */
export type Age = 'older' | 'same' | 'newer';

/** The number of what no store holds. */
export const unnumbered = -1;

/** An object as a store keeps it: what is needed without decoding, and the way to decode the rest. */
export interface StoredObject {
  readonly key: string;
  /** The number of its key in the store that holds it, and written by that alone; `unnumbered` outside. */
  number: number;
  readonly ref: NamedRef;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /** Has a deletionTimestamp: something still holds it. */
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** UID of the owner with `controller: true`. */
  readonly controllerUid: string | undefined;
  /** How much is kept of it. */
  readonly size: number;
  /** A private copy each time: whatever a reader does to it, nobody else sees. */
  decode(): KubeObject;
  /** What Kilter's own field managers own of it, which the decoded object leaves out. */
  ownFields(): ManagedFieldsEntry[];
  /** Its age beside what is held; undefined where only the texts of versions and UIDs tell. */
  ageBeside?(held: StoredObject): Age | undefined;
  /** True where it certainly has the owners of what is held. */
  hasOwnersOf?(held: StoredObject): boolean;
  /** A store holds it from now on, instead of `before`, or does so no longer: where its bytes lie may depend on that. */
  keep?(before: StoredObject | undefined): void;
  release?(): void;
}

type Told = 'decode' | 'ownFields' | 'ageBeside' | 'hasOwnersOf' | 'keep' | 'release';

export interface ObjectFacts extends Omit<StoredObject, 'size' | 'number' | Told> {
  /** The object without managedFields. */
  readonly text: string;
  /** The entries of own field managers as a list, if there are any. */
  readonly ownFieldsText: string | undefined;
}

/** The plain store's object: JSON text, parsed again at every look. */
export class JsonObjectText implements StoredObject {
  readonly key: string;
  number: number = unnumbered;
  readonly ref: NamedRef;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  readonly deleting: boolean;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly controllerUid: string | undefined;
  readonly #text: string;
  readonly #ownFieldsText: string | undefined;

  constructor(facts: ObjectFacts) {
    this.key = facts.key;
    this.ref = facts.ref;
    this.uid = facts.uid;
    this.resourceVersion = facts.resourceVersion;
    this.generation = facts.generation;
    this.deleting = facts.deleting;
    this.labels = facts.labels;
    this.controllerUid = facts.controllerUid;
    this.#text = facts.text;
    this.#ownFieldsText = facts.ownFieldsText;
  }

  get size(): number {
    return this.#text.length + (this.#ownFieldsText?.length ?? 0);
  }

  decode(): KubeObject {
    return JSON.parse(this.#text) as KubeObject;
  }

  ownFields(): ManagedFieldsEntry[] {
    return this.#ownFieldsText === undefined ? [] : (JSON.parse(this.#ownFieldsText) as ManagedFieldsEntry[]);
  }
}
