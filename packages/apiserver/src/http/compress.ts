import { gzipSync } from 'node:zlib';
import { type ServerRequest, type ServerResponse, wholeBody } from './message.ts';

// The numbers of kube-apiserver: what is smaller is not worth it, and the fastest level saves nearly as much as the best.
const threshold = 128 * 1024;
const level = 1;

function wantsGzip({ headers }: ServerRequest): boolean {
  return (headers['accept-encoding'] ?? '').split(',').some((token) => token.trim() === 'gzip');
}

/** The answer as gzip where the client takes it and it pays; watches never. */
export function compressed(response: ServerResponse, request: ServerRequest): ServerResponse {
  const { whole, headers } = response;
  if (whole === undefined || whole.byteLength <= threshold || !wantsGzip(request)) return response;
  const vary = [headers['vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  return {
    ...response,
    headers: { ...headers, 'content-encoding': 'gzip', vary },
    ...wholeBody(gzipSync(whole, { level })),
  };
}
