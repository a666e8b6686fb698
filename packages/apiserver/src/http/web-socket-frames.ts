// WebSocket frames (RFC 6455) as a server reads and writes them: no extensions, bounded messages.
import { Buffer } from 'node:buffer';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export const closeCodes = { normal: 1000, protocolError: 1002, tooLarge: 1009 } as const;

/** What a message may hold: clients cut their streams into pieces of 32 KiB. */
export const maxMessage: number = 1024 * 1024;
const maxControl = 125;

/** The client broke the protocol; the code tells it how. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

interface Head {
  readonly final: boolean;
  readonly opcode: number;
  readonly length: number;
  /** Where the mask begins. */
  readonly at: number;
}

const isControl = (opcode: number): boolean => opcode >= opcodes.close;

function checkHead([first = 0, second = 0]: Uint8Array): void {
  if ((first & 0x70) !== 0) throw new FrameError(closeCodes.protocolError, 'a reserved bit is set');
  if ((second & 0x80) === 0) throw new FrameError(closeCodes.protocolError, 'a client masks its frames');
  const opcode = first & 0x0f;
  if (!(Object.values(opcodes) as number[]).includes(opcode))
    throw new FrameError(closeCodes.protocolError, `unknown opcode ${opcode}`);
  const whole = (first & 0x80) !== 0 && (second & 0x7f) <= maxControl;
  if (isControl(opcode) && !whole) throw new FrameError(closeCodes.protocolError, 'a control frame is short and whole');
}

/** Undefined as long as the head is not complete. */
function headIn(bytes: Buffer): Head | undefined {
  if (bytes.byteLength < 2) return undefined;
  checkHead(bytes);
  const short = bytes.readUInt8(1) & 0x7f;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.byteLength < at) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > maxMessage) throw new FrameError(closeCodes.tooLarge, `a frame holds at most ${maxMessage} bytes`);
  const first = bytes.readUInt8(0);
  return { final: (first & 0x80) !== 0, opcode: first & 0x0f, length, at };
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.from(payload);
  for (let index = 0; index < plain.byteLength; index += 1) plain[index] = (plain[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return plain;
}

/** Cuts what a socket brings into frames. */
export class FrameReader {
  /** What does not make a whole frame yet: never longer than one. */
  #rest: Buffer = Buffer.alloc(0);

  *push(chunk: Uint8Array): Generator<Frame> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const head = headIn(this.#rest);
      if (head === undefined) return;
      const begins = head.at + 4;
      const ends = begins + head.length;
      if (this.#rest.byteLength < ends) return;
      const mask = this.#rest.subarray(head.at, begins);
      const payload = unmasked(this.#rest.subarray(begins, ends), mask);
      this.#rest = this.#rest.subarray(ends);
      yield { final: head.final, opcode: head.opcode, payload };
    }
  }
}

/** Puts fragments together. */
export class MessageReader {
  #parts: Buffer[] = [];
  #size = 0;
  #open = false;

  /** The message a frame completes; control frames are not for it. */
  add({ final, opcode, payload }: Frame): Buffer | undefined {
    if (this.#open !== (opcode === opcodes.continuation))
      throw new FrameError(closeCodes.protocolError, 'fragments of two messages are mixed');
    this.#size += payload.byteLength;
    if (this.#size > maxMessage)
      throw new FrameError(closeCodes.tooLarge, `a message holds at most ${maxMessage} bytes`);
    this.#parts.push(payload);
    this.#open = !final;
    if (!final) return undefined;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return whole;
  }
}

/** A frame as a server sends it: whole and not masked. */
export function frameOf(opcode: number, payload: Uint8Array): Buffer {
  const { byteLength } = payload;
  const head = Buffer.alloc(byteLength < 126 ? 2 : byteLength < 65_536 ? 4 : 10);
  head.writeUInt8(0x80 | opcode, 0);
  if (byteLength < 126) head.writeUInt8(byteLength, 1);
  else if (byteLength < 65_536) {
    head.writeUInt8(126, 1);
    head.writeUInt16BE(byteLength, 2);
  } else {
    head.writeUInt8(127, 1);
    head.writeBigUInt64BE(BigInt(byteLength), 2);
  }
  return Buffer.concat([head, payload]);
}

export function closeFrame(code: number, reason = ''): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code, 0);
  payload.write(reason, 2);
  return frameOf(opcodes.close, payload.subarray(0, maxControl));
}
