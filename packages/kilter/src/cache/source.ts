import type { Fields, Kind, Labels } from '../api/index.ts';
import { type RawIntake, rawReads, type SelectOptions, type WithRawReads } from '../client/index.ts';
import type { Received } from './intake.ts';

/** Pages of a list that fills a store: as large as the API server's own clients ask for (RF-6). */
export const pageSize = 500;

/** One page as it came: items are looked at one by one, so that a bad one spoils no other. */
export interface SourcePage {
  readonly items: readonly Received[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** One line of a watch. `type` is what the server said, not what it should have said. */
export type SourceEvent =
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: string; readonly received: Received };

export interface WatchRequest {
  /** Resume after it; undefined: first the present state as ADDED, up to a bookmark with `initialEventsEnd`. */
  readonly resourceVersion: string | undefined;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Called once the server has accepted the watch. */
  readonly onOpen?: (() => void) | undefined;
}

/** Where one reflector gets its objects: one kind, in one namespace or all, through one selector. */
export interface WatchSource {
  list(request: { continue: string | undefined; signal: AbortSignal }): Promise<SourcePage>;
  /** Events that came together come at once. */
  watch(request: WatchRequest): AsyncIterable<readonly SourceEvent[]>;
  /** Resolves if the server has reached a version; rejects with its refusal if it has not within a few seconds (RF-31). */
  confirm(request: { resourceVersion: string; signal: AbortSignal }): Promise<void>;
}

export interface SourceScope {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly labels: Labels | undefined;
  readonly fields: Fields | undefined;
  /** Asked with every request: an informer may be made whole before its first. */
  metadataOnly(): boolean;
  /** What becomes of the bytes of an object. */
  readonly intake: RawIntake<Received>;
}

/** Makes the source of one namespace; undefined: of all, or of a kind that has none. */
export type SourceOf = (
  namespace: string | undefined,
  taken: Pick<SourceScope, 'metadataOnly' | 'intake'>,
) => WatchSource;

/** A source over the client's raw reads. Lists leave the resourceVersion unset, first time and every time (RF-4). */
export function clientSource({ [rawReads]: client }: WithRawReads, scope: SourceScope): WatchSource {
  const { kind, namespace, labels, fields, intake } = scope;
  const where = (): SelectOptions<boolean> => ({ namespace, labels, fields, metadataOnly: scope.metadataOnly() });
  return {
    list: ({ continue: token, signal }) =>
      client.listPage(kind, { ...where(), pageSize, continue: token, signal }, intake),
    watch: ({ resourceVersion, timeoutSeconds, signal, onOpen }) => {
      const from = resourceVersion === undefined ? { sendInitialEvents: true } : { resourceVersion };
      const wanted = { ...where(), ...from, timeoutSeconds, signal, ...(onOpen && { onOpen }) };
      return client.watch(kind, wanted, intake);
    },
    confirm: async ({ resourceVersion, signal }) => {
      const notOlder = { resourceVersion, resourceVersionMatch: 'NotOlderThan' } as const;
      await client.listPage(kind, { ...where(), ...notOlder, metadataOnly: true, pageSize: 1, signal }, intake);
    },
  };
}
