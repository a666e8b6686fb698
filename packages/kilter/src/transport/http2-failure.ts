/** What is known of a stream that ended before its answer began. */
export interface LostStream {
  /** Undefined while it had not left. */
  readonly id: number | undefined;
  readonly rstCode: number | undefined;
  /** Of the session's GOAWAY: streams above it were never looked at. */
  readonly lastTaken: number | undefined;
}

// Error codes of RFC 9113, section 7.
const refusedStream = 0x7;
const http1Required = 0xd;
const untouched: readonly (number | undefined)[] = [refusedStream, http1Required];

/** The server promises by its protocol that it did nothing with the request: even a write can be sent again. */
export function neverTaken({ id, rstCode, lastTaken }: LostStream): boolean {
  if (id === undefined || untouched.includes(rstCode)) return true;
  return lastTaken !== undefined && id > lastTaken;
}

export const needsHttp1 = (rstCode: number | undefined): boolean => rstCode === http1Required;
