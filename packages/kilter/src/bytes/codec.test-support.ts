// What the tests of records share: a codec, and JSON.parse as the judge of it.
import { RecordDecoder } from './record-decoder.ts';
import { RecordEncoder } from './record-encoder.ts';
import { Scanner } from './scanner.ts';
import { type Role, Shapes } from './shapes.ts';
import { StringPool } from './string-pool.ts';

export interface Codec {
  readonly encoder: RecordEncoder;
  /** Encodes, and decodes what came of it. */
  readonly roundTrip: (text: string | Uint8Array) => unknown;
  readonly decoder: RecordDecoder;
  readonly shapes: Shapes;
  readonly pool: StringPool;
}

export function codec(role?: Role): Codec {
  const shapes = new Shapes(role);
  const pool = new StringPool();
  const encoder = new RecordEncoder(shapes, pool);
  const decoder = new RecordDecoder(shapes, pool);
  const roundTrip = (text: string | Uint8Array): unknown => {
    const source = Buffer.from(text as string);
    const end = encoder.encode(source, 0);
    const behind = new Scanner();
    behind.source = source;
    behind.at = end;
    behind.space();
    if (behind.at !== source.length) throw behind.unexpected();
    const { tokens, text: ascii } = encoder;
    return decoder.decode(Buffer.from(tokens), 0, ascii.toString('latin1'));
  };
  return { encoder, decoder, shapes, pool, roundTrip };
}

export type Verdict = { value: unknown } | 'refused';

export function verdict(read: () => unknown): Verdict {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
export const byOracle = (bytes: Uint8Array): Verdict => verdict(() => JSON.parse(utf8.decode(bytes)));

/** The same text, with own properties in the same order: what toEqual does not look at. */
export const exactly = (given: Verdict): unknown => (given === 'refused' ? given : JSON.stringify(given.value));
