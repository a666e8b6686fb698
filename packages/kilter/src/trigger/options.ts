import type { Duration, Fields, Kind, KubeObject, Labels, MetadataOf, Stored } from '../api/index.ts';
import type { WatchDeclaration } from '../cache/index.ts';
import type { Predicate } from './predicate.ts';

export interface TriggerOptions<T extends KubeObject> {
  /** Only objects with these labels are watched and cached. Default: all. */
  labels?: Labels | undefined;
  /** Only objects with these fields are watched and cached. Default: all. */
  fields?: Fields | undefined;
  /** Where to watch. Default: the operator's namespaces. */
  namespaces?: readonly string[] | undefined;
  /** Which changes wake anybody: all of these must pass. Nothing less is cached for it. Default: every change. */
  when?: Predicate<Stored<T>> | readonly Predicate<Stored<T>>[] | undefined;
}
/** Of `.watches`: which changes wake a controller. */
export interface WatchOptions<T extends KubeObject, M extends boolean> extends TriggerOptions<T> {
  /** Keep and see only metadata. Default: false. */
  metadataOnly?: M | undefined;
  /**
   * Wait so long after a change, and wake an object once for all that has come by then. Default: '0s', at once. Longer where changes
   * come in rows and one look serves them all, as with Events.
   */
  settle?: Duration | undefined;
}
/** What is cached for reads alone: nothing is woken, so there is nothing to decide. */
export type ReadsOptions<T extends KubeObject, M extends boolean> = Omit<WatchOptions<T, M>, 'when' | 'settle'>;
export type Seen<T extends KubeObject, M extends boolean> = [M] extends [true] ? Stored<MetadataOf<T>> : Stored<T>;

/** What is watched and cached for these options: predicates have no part in it. */
export function declarationOf<T extends KubeObject>(
  kind: Kind<T>,
  { labels, fields, namespaces, metadataOnly }: WatchOptions<T, boolean> = {},
): WatchDeclaration<T> {
  return { kind, labels, fields, namespaces, metadataOnly };
}

/** The predicates of these options as a list. */
export function predicatesOf<T extends KubeObject>({ when }: TriggerOptions<T>): readonly Predicate<T>[] {
  const given = typeof when === 'function' ? [when] : (when ?? []);
  // What is watched comes from a server.
  return given as readonly unknown[] as readonly Predicate<T>[];
}
