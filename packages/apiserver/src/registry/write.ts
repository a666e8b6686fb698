import type { Json, JsonObject } from 'kilter/api';
import type { DeleteOptions, WriteOptions } from '../calls/index.ts';
import type { Served } from '../kinds/index.ts';
import { clone, metadataOf } from '../values/index.ts';
import type { GroupVersionKind } from './admission-step.ts';
import type { Core } from './core.ts';

/** What a client gets for its write. */
export interface Written {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

/** What every change has on its way through the pipeline: a step replaces or changes `object`, and may warn. */
interface Change {
  readonly core: Core;
  readonly served: Served;
  /** What would be stored if the steps to come did nothing; the server's own, never the client's. In the end: the answer. */
  object: JsonObject;
  readonly warnings: string[];
  /** The name and the namespace in the URL, where the object itself need not have them. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** The kind of the object, where it is not the one of the resource. */
  readonly takes?: GroupVersionKind | undefined;
  /** Whether something empty was taken out that those who admitted the object have seen. */
  trimmed?: boolean;
  /** Whether those who admit the object may have changed it. */
  admitted?: boolean;
  /** Whether they put something into it that its schema does not know: it is stored, and never seen. */
  surplus?: boolean;
}

interface Write extends Change {
  readonly options: WriteOptions;
  readonly subresource: string | undefined;
  /** An apply brings its ownership along. */
  readonly tracked: boolean;
  /** The metadata as it was sent, before the server put anything back. */
  readonly sent: JsonObject;
  /** The managedFields as they were before anybody was asked. */
  owners?: Json | undefined;
}

/** A new object on its way into the store. */
export interface Creation extends Write {
  readonly operation: 'create';
  readonly subresource: undefined;
  readonly old: undefined;
  /** A PUT or an apply that creates may carry the version it once saw. */
  readonly ignoresVersion: boolean;
}

/** A Scale before a write and after it, as whoever may still change it is shown it: with the owners of its replicas. */
export interface ShownScale {
  readonly old: JsonObject;
  readonly object: JsonObject;
}

/** A new form of a stored object. */
export interface Update extends Write {
  readonly operation: 'update';
  /** The stored object in the served version. */
  readonly old: JsonObject;
  /** The update is the result of a patch. */
  readonly patched: boolean;
  /** A client made it: the version it names must be the one that is stored. */
  readonly byClient: boolean;
  /** Maps at the top of the object that came without entries. */
  readonly emptied?: readonly string[] | undefined;
  /** Of a write to the Scale of the object. */
  shownScale?: ShownScale | undefined;
}

/** A stored object on its way out. */
export interface Deletion extends Change {
  readonly operation: 'delete';
  readonly subresource: undefined;
  /** The stored object in the served version. */
  readonly old: JsonObject;
  readonly options: DeleteOptions;
}

/** An object that is posted to a subresource, or only asked, or says how to connect: it has its effect and is not stored. */
export interface Posting extends Change {
  /** What the server fills in or refuses before it asks whoever may refuse. */
  readonly complete?: ((object: JsonObject) => JsonObject) | undefined;
  readonly operation: 'create' | 'connect';
  readonly subresource: string | undefined;
  readonly old: undefined;
  readonly options: WriteOptions;
}

export type AnyChange = Creation | Update | Deletion | Posting;

type Given<C extends Change, Left extends keyof C> = Omit<C, 'core' | 'operation' | 'warnings' | 'sent' | Left>;

/** Decoded and placed; the server's own from here on. */
export type NewObject = Given<Creation, 'subresource' | 'old' | 'ignoresVersion'> & {
  readonly ignoresVersion?: boolean;
};
export type ChangedObject = Given<Update, 'patched' | 'byClient'> & {
  readonly patched?: boolean;
  readonly byClient?: boolean;
};
export type GoingObject = Given<Deletion, 'subresource' | 'object'>;

export function creationOf(core: Core, given: NewObject): Creation {
  const sent = { ...metadataOf(given.object) };
  const rest = { subresource: undefined, old: undefined, ignoresVersion: false };
  return { operation: 'create', core, warnings: [], sent, ...rest, ...given };
}

export function updateOf(core: Core, given: ChangedObject): Update {
  const sent = { ...metadataOf(given.object) };
  return { operation: 'update', core, warnings: [], sent, patched: false, byClient: false, ...given };
}

export function postingOf(
  core: Core,
  given: Given<Posting, 'old'>,
  operation: Posting['operation'] = 'create',
): Posting {
  return { operation, core, warnings: [], old: undefined, ...given };
}

export function deletionOf(core: Core, given: GoingObject): Deletion {
  const object = clone(given.old);
  return { operation: 'delete', core, warnings: [], subresource: undefined, object, ...given };
}
