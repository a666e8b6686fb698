import type { Clock } from '../internal/index.ts';
import { fullBucket, type RateLimit, returnToken, takeToken } from './token-bucket.ts';

/** Spreads requests in time, first come, first served. */
export interface RateLimiter {
  /** Takes a turn; the milliseconds until it comes. */
  take(): number;
  /** A turn that was taken and not used. */
  giveBack(): void;
}

export function rateLimiter(limit: RateLimit, clock: Pick<Clock, 'monotonic'>): RateLimiter {
  let bucket = fullBucket(limit, clock.monotonic());
  return {
    take: () => {
      const taken = takeToken(bucket, limit, clock.monotonic());
      bucket = taken.bucket;
      return taken.wait;
    },
    giveBack: () => {
      bucket = returnToken(bucket);
    },
  };
}
