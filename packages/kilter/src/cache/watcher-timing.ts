import { type Backoff, backoffDelay } from '../internal/index.ts';

// client-go's reflector: fast enough to follow a restart, slow enough for a server that is starting up (RF-13).
const watchBackoff: Backoff = { base: 800, factor: 2, cap: 30_000 };
const backoffReset = 120_000;

/** A watch that closes sooner, with nothing delivered, is taken for a fault and not for a time-out (RF-10). */
export const shortWatch = 1000;
/** A stream that ran this long was healthy: when its connection is lost it is opened again at once. */
export const longWatch = 30_000;
/** How long after its `timeoutSeconds` a watch may stay open before it counts as stalled (RF-21). */
export const stallGrace = 5000;
/** A watch that ends sooner than this before its `timeoutSeconds` was ended by something else, a server that stops for one (RF-31). */
export const endGrace = 5000;
/** How soon the question whether the server has a version is asked again, if the answer said nothing about it. */
export const confirmEvery = 10_000;
/** An initial stream that is silent for so long, without its end marker, comes from a server that does not know the marker. */
export const initialPatience = 10_000;
/** How often a wait after an answer may be cut short because the server is there. */
export const wakeEvery = 30_000;
/** How often a kind that vanished from the server is looked for (RF-25). */
export const parkedProbe = 30_000;

export interface BackoffMemory {
  /** Backoffs since the last reset. */
  readonly failures: number;
  /** Monotonic time of the last backoff. */
  readonly lastBackoff: number | undefined;
}

/** The next backoff, without jitter, and what to remember of it. */
export function nextBackoff(memory: BackoffMemory, at: number): { ms: number; memory: BackoffMemory } {
  const recent = memory.lastBackoff !== undefined && at - memory.lastBackoff <= backoffReset;
  const failures = recent ? memory.failures + 1 : 1;
  return { ms: backoffDelay(watchBackoff, failures), memory: { failures, lastBackoff: at } };
}

/** Up to 100 % on top, so that many replicas do not come back together (RF-13). */
export function jittered(ms: number, random: number): number {
  return ms * (1 + random);
}

/** Whole seconds in [300, 600]: watches opened together do not end together (RF-8). */
export function watchTimeoutSeconds(random: number): number {
  return 300 + Math.floor(random * 301);
}
