// HTTP/2 frames, as far as the stub has to know them (RFC 9113, section 4.1).
export const headerLength = 9;
export const frameTypes = { data: 0, headers: 1, settings: 4, windowUpdate: 8 } as const;
/** What a peer takes that says nothing. */
export const defaultWindow = 65_535;
/** The largest frame a peer must take. */
export const maxFrame = 16_384;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Header and payload. */
  readonly bytes: Buffer;
}

/** Cuts a byte stream into whole frames. `skip` bytes at the start (the preface) are handed on as they are. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #skip: number;

  constructor(skip = 0) {
    this.#skip = skip;
  }

  /** The preface first, then frames; what is not complete waits for the next chunk. */
  read(chunk: Buffer): { before: Buffer; frames: Frame[] } {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const before = bytes.subarray(0, Math.min(this.#skip, bytes.length));
    this.#skip -= before.length;
    bytes = bytes.subarray(before.length);
    const frames: Frame[] = [];
    while (bytes.length >= headerLength) {
      const end = headerLength + bytes.readUIntBE(0, 3);
      if (bytes.length < end) break;
      const stream = bytes.readUInt32BE(5) & 0x7fffffff;
      frames.push({ type: bytes[3] ?? 0, flags: bytes[4] ?? 0, stream, bytes: bytes.subarray(0, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
    return { before, frames };
  }
}

/** Writes the header of a DATA frame; returns where its payload begins. */
export function writeDataHeader(target: Buffer, at: number, frame: { length: number; stream: number }): number {
  target.writeUIntBE(frame.length, at, 3);
  target[at + 3] = frameTypes.data;
  target[at + 4] = 0;
  target.writeUInt32BE(frame.stream, at + 5);
  return at + headerLength;
}

/** The initial window of streams that a SETTINGS frame asks for. */
export function initialWindowOf({ bytes }: Frame): number | undefined {
  for (let at = headerLength; at + 6 <= bytes.length; at += 6) {
    if (bytes.readUInt16BE(at) === 4) return bytes.readUInt32BE(at + 2);
  }
  return undefined;
}

export const incrementOf = ({ bytes }: Frame): number => bytes.readUInt32BE(headerLength) & 0x7fffffff;

export function windowUpdate(stream: number, increment: number): Buffer {
  const bytes = Buffer.alloc(headerLength + 4);
  bytes.writeUIntBE(4, 0, 3);
  bytes[3] = frameTypes.windowUpdate;
  bytes.writeUInt32BE(stream, 5);
  bytes.writeUInt32BE(increment, headerLength);
  return bytes;
}
