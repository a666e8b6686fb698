/** Why the whole state is read again. */
export type ResyncReason =
  | 'initial'
  | 'expired'
  | 'short'
  | 'internal'
  | 'malformed'
  | 'behind'
  | 'failed'
  | 'parked'
  | 'differs';
/** Why a watch was opened again from where it stood. */
export type RestartReason = 'closed' | 'lost' | 'stalled' | 'malformed' | 'failed';

export type Phase =
  | { readonly name: 'idle' }
  /** A watch that first sends the present state; objects gather aside until its end marker. */
  | { readonly name: 'streaming'; readonly openedAt: number }
  /** Page after page; objects gather aside until the last. `restarted`: an expired token cost the first attempt. */
  | { readonly name: 'listing'; readonly continued: boolean; readonly restarted: boolean }
  /** Changes arrive and are applied. `progressed`: this stream has moved the version to resume from. */
  | { readonly name: 'watching'; readonly openedAt: number; readonly progressed: boolean }
  /** Backing off. `wakeable`: when the server is known to be there, the rest of the wait is not worth keeping. */
  | { readonly name: 'waiting'; readonly after: 'watch'; readonly wakeable: Wakeable }
  | { readonly name: 'waiting'; readonly after: 'resync'; readonly reason: ResyncReason; readonly wakeable: Wakeable }
  | { readonly name: 'stopped' };

/** Whether a wait can be ended early: always, because nobody answered; now and then; or never, because it was asked for. */
export type Wakeable = 'always' | 'rarely' | 'never';

/** What outlives a phase. */
export interface Memory {
  /** The newest version known: where a watch resumes, and what a re-sync is measured against. */
  readonly newest: string | undefined;
  /** A complete state was read once. */
  readonly synced: boolean;
  readonly watchListRefused: boolean;
  /** Initial streams in a row that ended without their marker. */
  readonly unmarked: number;
  /** Initial streams that fell silent without their marker, since the last one that had it. */
  readonly quiet: number;
  /** A failure was reported, and not yet that all is well again. `silence`: nobody answered. */
  readonly trouble: 'silence' | 'answer' | undefined;
  readonly failures: number;
  readonly lastBackoff: number | undefined;
  /** The version after which the framing broke last: the same again means that the line itself is bad. */
  readonly brokenAt: string | undefined;
  /** The last re-sync was older than what is known, and is being made once more. */
  readonly doubted: boolean;
  /** A 410 caused the last re-sync, and nothing has arrived since. */
  readonly expired: boolean;
  /** The server does not know the kind any more. */
  readonly parked: boolean;
}

export interface WatcherState<P extends Phase = Phase> {
  readonly phase: P;
  readonly memory: Memory;
}
/** A state that is known to be in one phase. */
export type In<Name extends Phase['name']> = WatcherState<Extract<Phase, { name: Name }>>;

/** What happened. Objects themselves stay with the driver: the protocol needs only their version. */
export type Input =
  | { readonly type: 'start' }
  | { readonly type: 'object'; readonly resourceVersion: string | undefined }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'page'; readonly resourceVersion: string; readonly continue: string | undefined }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'stalled' }
  /** The server accepted the watch. */
  | { readonly type: 'opened' }
  /** The initial stream has brought nothing more for a while, and not its end marker. */
  | { readonly type: 'quiet' }
  | { readonly type: 'elapsed' }
  /** Somebody compared what is held with the server's list. */
  | { readonly type: 'differs' }
  | { readonly type: 'stop' };

/** For logs, metrics and the informer's last error. */
export type Report =
  | { readonly what: 'resync'; readonly reason: ResyncReason }
  | { readonly what: 'restart'; readonly reason: RestartReason }
  | { readonly what: 'failure'; readonly error: unknown }
  | { readonly what: 'fallback' }
  /** After a failure: the kind is watched again. */
  | { readonly what: 'recovered' }
  | { readonly what: 'parked' }
  | { readonly what: 'rewound'; readonly from: string; readonly to: string };

export type Effect =
  /** Put what just arrived aside. */
  | { readonly do: 'gather' }
  /** Forget what was put aside. */
  | { readonly do: 'discard' }
  /** What was put aside is the whole state: put it instead of the old. */
  | { readonly do: 'replace'; readonly resourceVersion: string; readonly rewound: boolean }
  /** Put what just arrived into the store. */
  | { readonly do: 'apply' }
  /** Everything up to this version has arrived. */
  | { readonly do: 'progress'; readonly resourceVersion: string }
  | { readonly do: 'report'; readonly report: Report };

/** What the driver does next, instead of what it was doing. */
export type Operation =
  /** Without a version: first the present state. */
  | { readonly do: 'watch'; readonly resourceVersion: string | undefined }
  | { readonly do: 'list'; readonly continue: string | undefined }
  /** `jitter`: up to as much again. Never less than `atLeast`. */
  | { readonly do: 'wait'; readonly ms: number; readonly jitter: boolean; readonly atLeast: number };

export interface Step {
  readonly state: WatcherState;
  readonly effects: readonly Effect[];
  /** Undefined: continue with what is under way. */
  readonly next?: Operation | undefined;
}

export const idle: WatcherState = {
  phase: { name: 'idle' },
  memory: {
    newest: undefined,
    synced: false,
    watchListRefused: false,
    unmarked: 0,
    quiet: 0,
    trouble: undefined,
    failures: 0,
    lastBackoff: undefined,
    brokenAt: undefined,
    doubted: false,
    expired: false,
    parked: false,
  },
};
