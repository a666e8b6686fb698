/** Who leads, for reconcilers and hooks. */
export interface Leadership {
  /** The Lease's leaseTransitions when it was won: numbers the leader. */
  readonly epoch: number;
  readonly identity: string;
}

/** One candidacy for one Lease. */
export interface Election {
  /** Campaigns until won or aborted; resolves with the leadership, rejects with the signal's reason. */
  campaign(signal: AbortSignal): Promise<Leadership>;
  /** Rejects with ELECTION_LOST when leadership was won and then lost; never resolves. */
  readonly lost: Promise<never>;
  /** Why guarded writes may not be sent now; undefined while they may. Checked against both clocks, without timers. */
  closed(): string | undefined;
  readonly leading: boolean;
  readonly leadership: Leadership;
  /** Ends the candidacy without giving the lease back: it runs out by itself. Nothing is written after it. */
  abandon(): void;
  /**
   * Gives the lease back, only while holder; ends the candidacy. Given up after `within` milliseconds (default: the renew
   * deadline), and sooner where the server is silent. Nothing is written after it.
   */
  release(within?: number): Promise<void>;
  /** Whether the server answered the last request: what else there is to send need not be tried where it did not. */
  readonly answered: boolean;
}
