import type { ExchangeRequest } from './exchange.ts';

export type RequestHeaders = ExchangeRequest['headers'];

// A program asks in a handful of forms; what does not fit is made again each time.
const mostKept = 64;

/**
 * The headers of requests: the same object for the same form, so that a connection recognises by it what it has
 * completed and checked before.
 */
export function requestHeaders(userAgent: string): (accept: string, contentType: string | undefined) => RequestHeaders {
  /** By what differs. At most `mostKept`; never changed once made. */
  const kept = new Map<string, RequestHeaders>();
  return (accept, contentType) => {
    const form = contentType === undefined ? accept : `${accept} ${contentType}`;
    const known = kept.get(form);
    if (known !== undefined) return known;
    const headers = {
      accept,
      'user-agent': userAgent,
      ...(contentType !== undefined && { 'content-type': contentType }),
    };
    if (kept.size < mostKept) kept.set(form, headers);
    return headers;
  };
}
