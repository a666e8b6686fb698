/** How busy one session is. */
export interface SessionLoad {
  /** Streams on it. */
  readonly open: number;
  /** The most it may carry. */
  readonly limit: number;
  /** Takes new streams: not draining, not under suspicion. */
  readonly usable: boolean;
}

export interface PlacementLimits {
  /** The most sessions that take new streams. */
  readonly sessions: number;
  /** The most sessions that still drain, or are under suspicion, beside them. */
  readonly leaving: number;
}

export type Placement =
  | { readonly type: 'use'; readonly index: number }
  | { readonly type: 'connect' }
  /** Room is made by giving up the oldest one that is leaving. */
  | { readonly type: 'evict'; readonly index: number }
  | { readonly type: 'full' };

/** Where the next stream goes. The first session with room, so that the last ones become idle and close. */
export function place(sessions: readonly SessionLoad[], limits: PlacementLimits): Placement {
  const index = sessions.findIndex(({ usable, open, limit }) => usable && open < limit);
  if (index >= 0) return { type: 'use', index };
  const leaving = sessions.filter(({ usable }) => !usable).length;
  if (leaving > limits.leaving) return { type: 'evict', index: sessions.findIndex(({ usable }) => !usable) };
  return sessions.length - leaving < limits.sessions ? { type: 'connect' } : { type: 'full' };
}
