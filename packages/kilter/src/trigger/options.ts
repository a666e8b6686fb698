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
/** The options of `.watches`: which changes trigger runs. */
export interface WatchOptions<T extends KubeObject, M extends boolean> extends TriggerOptions<T> {
  /** Cache only metadata. Default: false. */
  metadataOnly?: M | undefined;
  /**
   * Wait this long after a change, and trigger one run for everything that has arrived by then. Default: '0s', at once.
   * Raise it if changes arrive in quick succession and one run can handle them all, as with Events.
   */
  settle?: Duration | undefined;
}
/** The options of `.reads`: no runs are triggered, so there is nothing to filter. */
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
