/** Cuts the bytes of a log into lines. Works on bytes, so that a character split between two chunks is whole again. */
export interface LogLines {
  /** The lines this chunk completes, without their breaks. */
  push(chunk: Uint8Array): string[];
  /** What is left when the log ends: the last line need not have a break. */
  end(): string[];
}

const lineBreak = 0x0a;

/** Where the last character that begins before `limit` begins: a byte 10xxxxxx continues with the one before it. */
function characterStart(bytes: Uint8Array, limit: number): number {
  for (let at = limit; at > Math.max(0, limit - 4); at -= 1) if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at;
  return limit;
}

export function logLines(limit: number): LogLines {
  // Not strict: a container may write anything, and one bad byte must not end its log.
  const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  /** The beginning of a line whose end has not come; at most `limit` bytes. */
  let held: Uint8Array = new Uint8Array();

  /** Cuts off pieces of a line that is too long; the rest is held. */
  const pieces = (line: Uint8Array): string[] => {
    const cut: string[] = [];
    let rest = line;
    while (rest.length > limit) {
      const at = characterStart(rest, limit);
      cut.push(decode(rest.subarray(0, at)));
      rest = rest.subarray(at);
    }
    held = rest;
    return cut;
  };
  const take = (): string => {
    const line = decode(held);
    held = new Uint8Array();
    return line;
  };
  return {
    push: (chunk) => {
      const lines: string[] = [];
      const grow = (part: Uint8Array): void => {
        for (const piece of pieces(held.length === 0 ? part : Buffer.concat([held, part]))) lines.push(piece);
      };
      let from = 0;
      for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
        grow(chunk.subarray(from, at));
        lines.push(take());
        from = at + 1;
      }
      if (from < chunk.length) grow(chunk.subarray(from));
      return lines;
    },
    end: () => (held.length === 0 ? [] : [take()]),
  };
}
