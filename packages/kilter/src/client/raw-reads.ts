import type { Kind, KubeObject } from '../api/index.ts';
import type { PageOptions, WatchOptions } from './options.ts';

/** What becomes of objects that arrive as bytes, so that nobody parses what is only kept. */
export interface RawIntake<R> {
  /** The JSON value that begins at `start`, and where it ends. Throws NotJson. */
  take(source: Buffer, start: number): { readonly received: R; readonly end: number };
  /** A value that had to be parsed. */
  takeValue(value: unknown): R;
}

export interface RawPage<R> {
  readonly items: readonly R[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

export type RawChange<R> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly received: R }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Lists and watches for a cache: bytes are handed to an intake as they come. */
export interface RawReads {
  listPage<R>(kind: Kind<KubeObject>, wanted: PageOptions<boolean>, intake: RawIntake<R>): Promise<RawPage<R>>;
  /** Changes that came together come at once. */
  watch<R>(
    kind: Kind<KubeObject>,
    wanted: WatchOptions<boolean>,
    intake: RawIntake<R>,
  ): AsyncIterable<readonly RawChange<R>[]>;
}

/** Where a client keeps its raw reads: not for those who write operators. */
export const rawReads: unique symbol = Symbol('kilter raw reads');

export interface WithRawReads {
  readonly [rawReads]: RawReads;
}
