// Headers of SPDY/3 streams: pairs of names and values, deflated with a dictionary that both sides know. One window lasts for the whole
// connection, so that each block needs all that came before it.
import { Buffer } from 'node:buffer';
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { SpdyError } from './spdy-frames.ts';

/** Of the protocol: words with their lengths before them, then what values are made of. */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization ' +
  'cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range ' +
  'content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified ' +
  'location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding ' +
  'upgrade user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin';
const codes =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found' +
  '500 Internal Server Error501 Not Implemented503 Service Unavailable';
const values =
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,public' +
  'privatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

function counted(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

export const headerDictionary: Buffer = Buffer.concat([
  ...words.split(' ').map((word) => counted(word.replace('_', ' '))),
  Buffer.from(codes + values),
]);

const mostHeaderBytes = 64 * 1024;
const flushing = { dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH };

/** What a zlib stream makes of one block; fails where it makes more of it than headers are long. */
function through(stream: Inflate | Deflate, block: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer): void => {
      parts.push(part);
      size += part.byteLength;
      if (size > mostHeaderBytes) stream.destroy(new Error(`more than ${mostHeaderBytes} bytes`));
    };
    // A stream that fails calls nobody back; one that is destroyed does, too early for its error.
    const settle = (error?: Error | null): void => {
      stream.off('data', take).off('error', settle);
      if (error) reject(new SpdyError(`headers: ${error.message}`));
      else resolve(Buffer.concat(parts));
    };
    stream.on('data', take).on('error', settle);
    stream.write(block, (error) => settle(error ?? stream.errored));
  });
}

/** Whoever writes a block learns what was wrong with it; without a listener it would end the process. */
function listening<T extends Inflate | Deflate>(stream: T): T {
  stream.on('error', () => undefined);
  return stream;
}

function textAt(block: Buffer, at: number): { readonly text: string; readonly next: number } {
  const begins = at + 4;
  const next = begins <= block.byteLength ? begins + block.readUInt32BE(at) : Infinity;
  if (next > block.byteLength) throw new SpdyError('headers end before their last value');
  return { text: block.toString('utf8', begins, next), next };
}

/** Names are in lower case. */
export type SpdyHeaders = ReadonlyMap<string, string>;

function headersIn(block: Buffer): SpdyHeaders {
  if (block.byteLength < 4) throw new SpdyError('headers without their number');
  const headers = new Map<string, string>();
  let at = 4;
  for (let left = block.readUInt32BE(0); left > 0; left -= 1) {
    const name = textAt(block, at);
    const value = textAt(block, name.next);
    headers.set(name.text.toLowerCase(), value.text);
    at = value.next;
  }
  return headers;
}

export class HeaderReader {
  readonly #inflate = listening(createInflate(flushing));

  async read(block: Uint8Array): Promise<SpdyHeaders> {
    return headersIn(await through(this.#inflate, block));
  }

  close(): void {
    this.#inflate.destroy();
  }
}

export class HeaderWriter {
  readonly #deflate = listening(createDeflate(flushing));

  write(headers: SpdyHeaders): Promise<Buffer> {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(headers.size);
    const pairs = [...headers].flatMap(([name, value]) => [counted(name), counted(value)]);
    return through(this.#deflate, Buffer.concat([number, ...pairs]));
  }

  close(): void {
    this.#deflate.destroy();
  }
}
