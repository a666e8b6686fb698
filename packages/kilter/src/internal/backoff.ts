export interface Backoff {
  /** The first delay, in milliseconds. */
  readonly base: number;
  readonly factor: number;
  readonly cap: number;
}

/** The delay before try n (from 1), without jitter and without overflow for any n. */
export function backoffDelay({ base, factor, cap }: Backoff, n: number): number {
  const steps = Math.max(0, n - 1);
  // Past the cap the power would only grow towards Infinity: compare exponents instead.
  if (steps * Math.log(factor) >= Math.log(cap / base)) return cap;
  return Math.min(base * factor ** steps, cap);
}
