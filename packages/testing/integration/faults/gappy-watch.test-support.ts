// The watches of one kind over a connection that can lose what they bring.
import { Buffer } from 'node:buffer';
import type { Connection } from 'kilter/runtime';
import { type ExchangeRequest, faulty } from './faulty-connection.test-support.ts';

export interface GappyWatch {
  readonly connection: Connection;
  /** Queries of all watches and lists of the kind so far. */
  readonly requests: readonly URLSearchParams[];
  /** While true, watches cannot be opened. */
  refusing: boolean;
  /** While true, nothing that the server sends arrives, not even the end of a stream. */
  deaf: boolean;
  /** Puts a line into the streams that are open. */
  inject(line: string): void;
}

/** Hands on what arrives and what is injected; while deaf, only the latter. */
async function* through(
  source: AsyncIterable<Uint8Array>,
  { deaf, injected }: { deaf: () => boolean; injected: Uint8Array[] & { wake?: () => void } },
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let next = chunks.next();
  try {
    for (;;) {
      while (injected.length > 0) yield injected.shift() as Uint8Array;
      const woken = new Promise<'woken'>((resolve) => (injected.wake = () => resolve('woken')));
      const first = await Promise.race([next, woken]);
      if (first === 'woken') continue;
      if (first.done !== true && !deaf()) yield first.value;
      if (first.done === true && !deaf()) return;
      next = first.done === true ? new Promise(() => undefined) : chunks.next();
    }
  } finally {
    await chunks.return?.();
  }
}

export function gappyWatch(inner: Connection, plural: string): GappyWatch {
  const requests: URLSearchParams[] = [];
  const streams = new Set<Uint8Array[] & { wake?: () => void }>();
  const gappy = { requests, refusing: false, deaf: false };
  const about = ({ method, path }: ExchangeRequest): URLSearchParams | undefined => {
    const { pathname, searchParams } = new URL(path, 'https://server');
    return method === 'GET' && pathname.endsWith(`/${plural}`) ? searchParams : undefined;
  };
  const connection = faulty(inner, async (request, pass) => {
    const query = about(request);
    if (query === undefined) return pass();
    requests.push(query);
    if (!query.has('watch')) return pass();
    if (gappy.refusing) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const response = await pass();
    const injected: Uint8Array[] & { wake?: () => void } = [];
    streams.add(injected);
    // Once deaf, a stream stays so: what it missed comes with the next one.
    let lost = false;
    const deaf = (): boolean => (lost ||= gappy.deaf);
    return { ...response, body: through(response.body, { deaf, injected }) };
  });
  return Object.assign(gappy, {
    connection,
    inject: (line: string) => {
      for (const stream of streams) {
        stream.push(Buffer.from(`${line}\n`));
        stream.wake?.();
      }
    },
  });
}
