import { KilterError } from '../errors/index.ts';
import { orAbort, type Signal } from '../internal/index.ts';
import type { ResponseBody } from './exchange.ts';

type Chunks = AsyncIterator<Uint8Array, unknown, undefined>;

/** Stops a body nobody reads on. Not awaited: a body that hangs must not hold the one who left it. */
export function abandon(chunks: Chunks): void {
  // How it ends no longer matters to anybody, so a failure of the ending is not news.
  void Promise.resolve(chunks.return?.()).catch(() => undefined);
}

/**
 * A body that ends as soon as the signal aborts, also when the connection below does not notice, and that calls
 * `release` once when it is over, with whether it was read to its end.
 */
export function guardedBody(
  body: AsyncIterable<Uint8Array>,
  signal: Signal,
  release: (complete: boolean) => void,
): AsyncIterableIterator<Uint8Array, undefined, undefined> {
  const chunks: Chunks = body[Symbol.asyncIterator]();
  /** True from the end on: after it nothing is read and `release` is not called again. */
  let over = false;
  const finish = (complete: boolean): void => {
    if (over) return;
    over = true;
    if (!complete) abandon(chunks);
    release(complete);
  };
  return {
    next: async () => {
      if (over) return { done: true, value: undefined };
      try {
        const { done, value } = await orAbort(chunks.next(), signal);
        if (done !== true) return { done: false, value };
        finish(true);
        return { done: true, value: undefined };
      } catch (error) {
        finish(false);
        throw error;
      }
    },
    return: () => {
      finish(false);
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A body whose break is a coded error, whatever the connection calls it. */
export function codedBody(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks: Chunks = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            return await chunks.next();
          } catch (error) {
            if (error instanceof KilterError) throw error;
            throw new KilterError('TRANSPORT_CONNECTION_LOST', 'the stream broke', { cause: error });
          }
        },
        return: async () => {
          await chunks.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A whole body, bounded; ends as soon as the signal aborts. */
export async function readBytes(body: ResponseBody, signal: Signal, limit: number): Promise<Buffer> {
  const tooLarge = (): KilterError =>
    new KilterError('TRANSPORT_BODY_TOO_LARGE', `the answer is larger than ${limit} bytes`);
  const bytes = await (body.whole?.(limit, tooLarge) ??
    collected(
      guardedBody(body, signal, () => undefined),
      limit,
      tooLarge,
    ));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function collected(body: AsyncIterable<Uint8Array>, limit: number, tooLarge: () => unknown): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The beginning of a body as text: of an error, what comes after it is not needed. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}
