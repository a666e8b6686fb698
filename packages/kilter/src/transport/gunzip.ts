import { pipeline, Readable } from 'node:stream';
import { KilterError } from '../errors/index.ts';
import { zlib } from '../internal/index.ts';
import type { ExchangeResponse } from './exchange.ts';
import { ReadableBody } from './readable-body.ts';

function damaged(cause: unknown): unknown {
  if (cause instanceof KilterError) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  // zlib's word for an end in the middle: the rest did not come.
  if (code === 'Z_BUF_ERROR') return new KilterError('TRANSPORT_CONNECTION_LOST', 'the answer broke off', { cause });
  const why = code === '' ? String(cause) : code;
  return new KilterError('TRANSPORT_BODY_MALFORMED', `the answer cannot be decompressed: ${why}`, { cause });
}

/**
 * The answer as it was before it was compressed on the way. In pieces, so that whoever reads it bounds the memory a
 * small answer can unfold to.
 */
export function uncompressed(response: ExchangeResponse): ExchangeResponse {
  const { 'content-encoding': encoding, 'content-length': _, ...headers } = response.headers;
  if (encoding === undefined || encoding === 'identity') return response;
  if (encoding !== 'gzip') {
    void response.body[Symbol.asyncIterator]().return?.();
    throw new KilterError('TRANSPORT_BODY_MALFORMED', `the answer is encoded as ${JSON.stringify(encoding)}`);
  }
  const gunzip = zlib().createGunzip();
  const body = new ReadableBody(gunzip, {
    incomplete: () => undefined,
    broken: damaged,
    cancel: () => void gunzip.destroy(),
  });
  // Its outcome is that of the body above it.
  pipeline(Readable.from(response.body), gunzip, () => undefined);
  return { ...response, headers, body };
}
