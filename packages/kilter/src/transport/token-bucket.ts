/** A limit on the requests this program sends, as `QPS` and `Burst` of client-go. */
export interface RateLimit {
  /** Requests per second in the long run. */
  readonly qps: number;
  /** How many may go at once after a quiet time. */
  readonly burst: number;
}

export interface Bucket {
  /** At most `burst`; negative by what is promised to those who wait. */
  readonly tokens: number;
  /** Monotonic time of `tokens`, in milliseconds. */
  readonly at: number;
}

export const fullBucket = ({ burst }: RateLimit, now: number): Bucket => ({ tokens: burst, at: now });

function refilled({ tokens, at }: Bucket, { qps, burst }: RateLimit, now: number): Bucket {
  return { tokens: Math.min(burst, tokens + ((now - at) * qps) / 1000), at: now };
}

/** Takes one token, also one that is yet to come: `wait` says in how many milliseconds. */
export function takeToken(bucket: Bucket, limit: RateLimit, now: number): { bucket: Bucket; wait: number } {
  const { tokens, at } = refilled(bucket, limit, now);
  const left = tokens - 1;
  return { bucket: { tokens: left, at }, wait: left >= 0 ? 0 : Math.ceil((-left * 1000) / limit.qps) };
}

/** A token that was taken and not used goes back. */
export const returnToken = (bucket: Bucket): Bucket => ({ ...bucket, tokens: bucket.tokens + 1 });
