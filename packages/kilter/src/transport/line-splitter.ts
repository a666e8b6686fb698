import { KilterError } from '../errors/index.ts';

/** Cuts bytes into lines. Works on bytes, so that a character split between two chunks is whole again when decoded. */
export interface LineSplitter {
  /** The lines this chunk completes, without their breaks; empty lines are left out. */
  push(chunk: Uint8Array): string[];
  /** The stream has ended: what is left over would be half a line. */
  end(): void;
}

const lineBreak = 0x0a;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream is not UTF-8', { cause });
  }
}

export function lineSplitter(limit: number): LineSplitter {
  /** The chunks since the last line break: together the beginning of a line, at most `limit` bytes. */
  let held: Uint8Array[] = [];
  let heldSize = 0;
  const hold = (part: Uint8Array): void => {
    heldSize += part.length;
    if (heldSize > limit) {
      throw new KilterError('TRANSPORT_LINE_TOO_LONG', `a line of the stream is longer than ${limit} bytes`);
    }
    if (part.length > 0) held.push(part);
  };
  const take = (): string => {
    const line = decode(held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held));
    held = [];
    heldSize = 0;
    return line;
  };
  return {
    push: (chunk) => {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
        hold(chunk.subarray(from, at));
        const line = take();
        if (line.trim() !== '') lines.push(line);
        from = at + 1;
      }
      hold(chunk.subarray(from));
      return lines;
    },
    end: () => {
      if (heldSize === 0) return;
      throw new KilterError('TRANSPORT_STREAM_MALFORMED', `the stream broke off ${heldSize} bytes into a line`);
    },
  };
}
