/** Milliseconds, or a number with its unit. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `undefined` for what is not a duration: the caller knows which option to name in its error. */
export function parseDuration(duration: number | string): number | undefined {
  if (typeof duration === 'number') return Number.isFinite(duration) ? duration : undefined;
  const match = /^(-?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(duration);
  if (match === null) return undefined;
  return Number(match[1]) * units[match[2] as keyof typeof units];
}

/** For durations that the type checker has checked; a malformed one is a programming error. */
export function toMilliseconds(duration: Duration): number {
  const ms = parseDuration(duration);
  const given = typeof duration === 'string' ? JSON.stringify(duration) : String(duration);
  if (ms === undefined) throw new RangeError(`not a duration: ${given}; write 1500, '30s' or '5m'`);
  return ms;
}
