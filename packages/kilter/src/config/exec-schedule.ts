import type { ExecCredential } from './exec-credential.ts';

/** Both clocks: a token's end is a time of the wall clock, which may jump; the monotonic one stands still in a suspended machine. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/** What is known of a plugin. */
export interface PluginState {
  /** The last answer, and when it came; undefined before the first, and after a failure that left none to use. */
  readonly held: { readonly credential: ExecCredential; readonly since: Moment } | undefined;
  /** Monotonic; when the last run ended, well or not. Undefined before the first. */
  readonly ranAt: number | undefined;
  /** Why the last run failed; undefined if it did not. */
  readonly failure: unknown;
  /** A server answered the held credential with 401. */
  readonly refused: boolean;
  /** Runs in a row that helped nobody: failed, ended at once, or refused soon after. */
  readonly fruitless: number;
}

export const unused: PluginState = {
  held: undefined,
  ranAt: undefined,
  failure: undefined,
  refused: false,
  fruitless: 0,
};

// Before the end, so that no request meets it on its way: a minute, or a tenth of a short life.
const margin = 60_000;
const marginShare = 0.1;
// Never two runs within a second, then 1, 2, 4 … 30 s while they are fruitless.
const shortestPause = 1000;
const longestPause = 30_000;
// A credential refused this soon was never good; a later refusal is its natural end.
const soon = 60_000;

const elapsed = (from: Moment, now: Moment): number => Math.max(now.monotonic - from.monotonic, now.wall - from.wall);

function lifetime({ held }: PluginState): number | undefined {
  const end = held?.credential.expiresAt;
  return held === undefined || end === undefined ? undefined : end - held.since.wall;
}

/** By either clock, so that neither a jump nor a suspended machine keeps a dead credential alive. */
function isOver(state: PluginState, now: Moment, early: number): boolean {
  const life = lifetime(state);
  if (life === undefined || state.held === undefined) return false;
  return elapsed(state.held.since, now) >= life - early;
}

function needsRun(state: PluginState, now: Moment): boolean {
  if (state.held === undefined || state.refused) return true;
  return isOver(state, now, Math.min(margin, (lifetime(state) ?? 0) * marginShare));
}

/** Only time that passed counts: a wall clock set forward is not a reason to run again at once. */
function mustPause({ ranAt, fruitless }: PluginState, now: Moment): boolean {
  if (ranAt === undefined) return false;
  const pause = Math.min(longestPause, shortestPause * 2 ** Math.max(0, fruitless - 1));
  return now.monotonic - ranAt < pause;
}

/**
 * What a request does: use what is held, run the plugin, or fail as the last run did. A plugin whose credentials end
 * at once, or that fails, is not run for every request: until the pause is over its last answer is used, even if it
 * names an end in the past (whose clock is right is for the server to say), and its last failure is repeated.
 */
export function decide(state: PluginState, now: Moment): 'use' | 'run' | 'fail' {
  if (!needsRun(state, now)) return 'use';
  if (!mustPause(state, now)) return 'run';
  return state.held === undefined ? 'fail' : 'use';
}

export function answered(state: PluginState, credential: ExecCredential, now: Moment): PluginState {
  const held = { credential, since: now };
  const next: PluginState = { ...unused, held, ranAt: now.monotonic };
  const refusedSoon = state.refused && state.held !== undefined && elapsed(state.held.since, now) < soon;
  return isOver(next, now, 0) || refusedSoon ? { ...next, fruitless: state.fruitless + 1 } : next;
}

/** A credential that is merely about to end is kept: the next run may succeed before it does. */
export function failed(state: PluginState, failure: unknown, now: Moment): PluginState {
  const usable = !state.refused && !isOver(state, now, 0);
  return {
    held: usable ? state.held : undefined,
    ranAt: now.monotonic,
    failure,
    refused: false,
    fruitless: state.fruitless + 1,
  };
}

/** A server said 401 to this header; nothing to do where it is not the one held. */
export function refused(state: PluginState, header: string | undefined): PluginState {
  if (state.held === undefined) return state;
  if (header !== undefined && header !== state.held.credential.authorization) return state;
  return { ...state, refused: true };
}
