import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Departure } from './exchange.ts';

/** A request that was handed to the session above; its bytes may still be in a buffer of this process. */
export interface LeavingRequest {
  readonly departure: Departure | undefined;
  /** Told that nothing of it has left, nor will. */
  refuse(reason: unknown): void;
}

/** Why it may no longer leave. */
function refusalOf({ departure }: LeavingRequest): unknown {
  try {
    departure?.now();
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

type Written = (error?: Error | null) => void;

/**
 * A socket, for TLS to run on, that asks about requests once more in the moment their bytes leave. Node writes the frames of HTTP/2
 * in a later phase of the loop, without a word: a process that is stopped between, or a loop that stands still, would send
 * them long after they were allowed. Where one may no longer leave, nothing does: the socket is destroyed.
 */
export class FencedSocket extends Duplex {
  readonly #socket: Socket;
  /** Nothing of them has left. */
  readonly #unsent = new Set<LeavingRequest>();
  /** Some of them may have left, or all. */
  readonly #begun = new Set<LeavingRequest>();
  #stopped = false;

  constructor(socket: Socket) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.once('end', () => this.push(null));
    socket.once('close', () => this.destroy());
    socket.once('error', (error) => this.destroy(error));
    // Who runs on it listens too, but not from the first moment to the last.
    this.on('error', () => undefined);
  }

  /** Nothing leaves any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** From the turn in which a request is handed over. */
  follow(request: LeavingRequest): void {
    this.#unsent.add(request);
  }

  /** It was answered, or called off. */
  forget(request: LeavingRequest): void {
    this.#unsent.delete(request);
    this.#begun.delete(request);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Written): void {
    if (this.#mayLeave()) this.#socket.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: Written): void {
    const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk));
    if (this.#mayLeave()) this.#socket.write(bytes, done);
  }

  override _final(done: Written): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: Written): void {
    this.#socket.destroy();
    done(error);
  }

  /** The last thing done before the system call: the socket does not wait unless the system's buffer is full. */
  #mayLeave(): boolean {
    const [begun] = this.#begun;
    const [unsent] = this.#unsent;
    const any = begun ?? unsent;
    // One speaks for all: they go through one gate.
    if (any !== undefined && refusalOf(any) !== undefined) {
      this.#stop();
      return false;
    }
    for (const request of this.#unsent) {
      this.#unsent.delete(request);
      this.#begun.add(request);
    }
    return true;
  }

  #stop(): void {
    this.#stopped = true;
    this.#socket.destroy();
    // What has begun to leave may be carried out: it learns no more than that the connection is gone.
    for (const request of this.#unsent) {
      const refusal = refusalOf(request);
      if (refusal !== undefined) request.refuse(refusal);
    }
    // The session above is in the middle of its write.
    queueMicrotask(() => this.destroy(new Error('closed, because a request on it must no longer be sent')));
  }
}
