import type { Fields, Kind, KubeObject, Labels, MetadataOf } from '../api/index.ts';
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
  when?: Predicate<T> | readonly Predicate<T>[] | undefined;
}
export interface WatchOptions<T extends KubeObject, M extends boolean> extends TriggerOptions<T> {
  /** Keep and see only metadata. Default: false. */
  metadataOnly?: M | undefined;
}
/** What is cached for reads alone: nothing is woken, so there is nothing to decide. */
export type ReadsOptions<T extends KubeObject, M extends boolean> = Omit<WatchOptions<T, M>, 'when'>;
export type Seen<T extends KubeObject, M extends boolean> = [M] extends [true] ? MetadataOf<T> : T;

/** What is watched and cached for these options: predicates have no part in it. */
export function declarationOf<T extends KubeObject>(
  kind: Kind<T>,
  { labels, fields, namespaces, metadataOnly }: WatchOptions<T, boolean> = {},
): WatchDeclaration<T> {
  return { kind, labels, fields, namespaces, metadataOnly };
}

/** The predicates of these options as a list. */
export function predicatesOf<T extends KubeObject>({ when }: TriggerOptions<T>): readonly Predicate<T>[] {
  if (when === undefined) return [];
  return typeof when === 'function' ? [when] : when;
}
