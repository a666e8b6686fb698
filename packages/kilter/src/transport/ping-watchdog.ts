/** How long a silent peer is trusted, in milliseconds. */
export interface PingTimes {
  /** Nothing was read for so long: a PING is sent. */
  readonly idle: number;
  /** Nothing was read for so long after it: the peer is gone. */
  readonly answer: number;
}

/** client-go's numbers. */
export const defaultPingTimes: PingTimes = { idle: 30_000, answer: 15_000 };

/** Times are monotonic milliseconds. */
export interface Watchdog {
  /** `trusting`: bytes came not long ago. `asking`: a PING is on its way and nothing was read since. */
  readonly type: 'trusting' | 'asking';
  /** The peer was last heard then. */
  readonly readAt: number;
  /** How many bytes had been read by then. */
  readonly bytes: number;
  /** When to look again. */
  readonly wake: number;
}

/** A look at the socket. */
export interface Look {
  readonly now: number;
  /** Read so far. */
  readonly bytes: number;
  /** When bytes were last seen to come; what comes unseen only shows in their number. */
  readonly readAt: number;
  /** Somebody waited in vain: ask now. */
  readonly suspect?: boolean | undefined;
}

export interface Verdict {
  readonly state: Watchdog;
  readonly act: 'none' | 'ping' | 'lost';
}

// After a stall of this program its timers run before its sockets are read (J-08): it does not judge its peer then.
const stall = 1000;

export const trusting = ({ now, bytes }: Pick<Look, 'now' | 'bytes'>, { idle }: PingTimes): Watchdog => ({
  type: 'trusting',
  readAt: now,
  bytes,
  wake: now + idle,
});

function heard(state: Watchdog, look: Look, times: PingTimes): Watchdog {
  const readAt = look.readAt > state.readAt ? look.readAt : look.now;
  return trusting({ now: readAt, bytes: look.bytes }, times);
}

const ask = (state: Watchdog, { now }: Look, { answer }: PingTimes): Verdict => ({
  state: { ...state, type: 'asking', wake: now + answer },
  act: 'ping',
});

/** Whether a peer is asked or given up. Bytes are what counts, of whatever kind: they can only come from a living peer. */
export function step(before: Watchdog, look: Look, times: PingTimes): Verdict {
  const state = look.bytes === before.bytes ? before : heard(before, look, times);
  if (state.type === 'asking') {
    if (look.now < state.wake) return { state, act: 'none' };
    return look.now - state.wake > stall ? ask(state, look, times) : { state, act: 'lost' };
  }
  return look.suspect === true || look.now >= state.wake ? ask(state, look, times) : { state, act: 'none' };
}
