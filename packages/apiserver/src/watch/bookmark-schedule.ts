// The real server's period, and how long before its end a watch gets a last bookmark.
const periodMs = 60_000;
const beforeEndMs = 2000;

/** Milliseconds until the next bookmark of a watch, given the milliseconds until it ends. */
export function untilNextBookmark(untilEnd: number): number {
  const last = untilEnd - beforeEndMs;
  return last > 0 && last < periodMs ? last : periodMs;
}
