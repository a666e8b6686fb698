import type { KubeObject } from '../api/index.ts';

/** One event of a watch. */
export type Change<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** One page of a list, with what is needed to watch from it or to continue. */
export interface ListPage<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** The token of the next page; undefined on the last one. */
  readonly continue: string | undefined;
}
