// Watch streams with foreign bytes in them: what a broken proxy or server puts on the wire.
import { Buffer } from 'node:buffer';
import type { Connection } from 'kilter/runtime';
import { type ExchangeRequest, faulty } from './faulty-connection.test-support.ts';

type Chunk = { readonly bytes: Uint8Array } | 'end';

/** The open stream of one watch, into which a test can write. */
class OpenStream {
  readonly #waiting: Chunk[] = [];
  #wake: () => void = () => undefined;

  put(chunk: Chunk): void {
    this.#waiting.push(chunk);
    this.#wake();
  }

  /** What the server sends and what the test puts in between, as it comes. */
  async *merged(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const chunks = source[Symbol.asyncIterator]();
    const pump = async (): Promise<void> => {
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
        this.put({ bytes: next.value });
      this.put('end');
    };
    let failed: { error: unknown } | undefined;
    pump().catch((error: unknown) => {
      failed = { error };
      this.#wake();
    });
    try {
      for (;;) {
        const chunk = this.#waiting.shift();
        if (chunk === 'end') return;
        if (chunk !== undefined) yield chunk.bytes;
        else if (failed !== undefined) throw failed.error;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      await chunks.return?.();
    }
  }
}

export interface Spoiled {
  readonly connection: Connection;
  /** Queries of all watches of the kind so far. */
  readonly watches: readonly URLSearchParams[];
  /** Lists of the kind so far. */
  readonly lists: number;
  /** Puts bytes into the stream that is open now. */
  put(bytes: string | Uint8Array): void;
  /** Ends the stream that is open now as if the server had. */
  end(): void;
}

export interface SpoiledOptions {
  /** Written in front of the answer of a watch. */
  readonly first?: ((query: URLSearchParams) => string | undefined) | undefined;
  /** Every byte arrives alone. */
  readonly shredded?: boolean | undefined;
}

async function* shredded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) for (const byte of chunk) yield Uint8Array.of(byte);
}

/** Spoils the watches of one kind, by its plural. */
export function spoiled(inner: Connection, plural: string, options: SpoiledOptions = {}): Spoiled {
  const watches: URLSearchParams[] = [];
  let lists = 0;
  let open = new OpenStream();
  const about = ({ method, path }: ExchangeRequest): URLSearchParams | undefined => {
    const { pathname, searchParams } = new URL(path, 'https://server');
    return method === 'GET' && pathname.endsWith(`/${plural}`) ? searchParams : undefined;
  };
  const connection = faulty(inner, async (request, pass) => {
    const query = about(request);
    if (query === undefined) return pass();
    if (!query.has('watch')) {
      lists += 1;
      return pass();
    }
    watches.push(query);
    const response = await pass();
    const stream = new OpenStream();
    open = stream;
    const first = options.first?.(query);
    if (first !== undefined) stream.put({ bytes: Buffer.from(first) });
    const body = stream.merged(response.body);
    return { ...response, body: options.shredded === true ? shredded(body) : body };
  });
  return {
    connection,
    watches,
    get lists() {
      return lists;
    },
    put: (bytes) => open.put({ bytes: Buffer.from(bytes) }),
    end: () => open.put('end'),
  };
}
