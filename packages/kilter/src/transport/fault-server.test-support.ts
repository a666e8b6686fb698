// Test support: a misbehaving server in its own process, with real sockets.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RawAction } from './raw-http2-server.test-support.ts';

export interface FaultServerOptions {
  readonly cert: string;
  readonly key: string;
  /** Clients must show a certificate of this authority. */
  readonly ca?: string | undefined;
  /** Default: HTTP/2 and HTTP/1.1. */
  readonly protocols?: 'http/1.1' | undefined;
  readonly maxConcurrentStreams?: number | undefined;
  /** Answers by this script instead of by path, in frames. */
  readonly script?: readonly RawAction[] | undefined;
}

export type FaultCommand =
  | { readonly type: 'listen'; readonly options: FaultServerOptions; readonly port?: number | undefined }
  | { readonly type: 'stats' | 'release' | 'goaway' | 'reset' }
  | { readonly type: 'outage'; readonly on: boolean }
  | { readonly type: 'emit'; readonly base64: string; readonly end?: boolean | undefined }
  | { readonly type: 'token'; readonly token: string }
  | { readonly type: 'certificate'; readonly cert: string; readonly key: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly protocol: string;
  /** Numbered by the server, from 1. */
  readonly connection: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counted by the server. */
export interface FaultServerStats {
  /** Ever accepted. */
  readonly connections: number;
  readonly open: number;
  readonly watches: number;
  readonly held: number;
  readonly requests: readonly SeenRequest[];
  /** Codes of the streams that were reset. */
  readonly resets: readonly number[];
}

export class FaultServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;
  port = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ id, value }: { id: number; value: unknown }) => {
      this.#pending.get(id)?.resolve(value);
      this.#pending.delete(id);
    });
    // A test that waits for a server that has died says so, instead of waiting on.
    child.once('exit', (code, signal) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`the server ended with ${signal ?? code}`));
      this.#pending.clear();
    });
  }

  static async start(options: FaultServerOptions): Promise<FaultServer> {
    const path = fileURLToPath(new URL('./fault-server.child.test-support.ts', import.meta.url));
    const server = new FaultServer(fork(path, { execArgv: ['--conditions=@kilter/source'] }));
    await server.listen(options);
    return server;
  }

  async listen(options: FaultServerOptions): Promise<void> {
    const { port } = this;
    const given = await this.do({ type: 'listen', options, port });
    this.port = given as number;
  }

  do(command: FaultCommand): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, command });
    });
  }

  stats(): Promise<FaultServerStats> {
    return this.do({ type: 'stats' }) as Promise<FaultServerStats>;
  }

  emit(text: string | Uint8Array, end?: boolean): Promise<unknown> {
    return this.do({ type: 'emit', base64: Buffer.from(text).toString('base64'), end });
  }

  /** The process stops where it is: its sockets stay open and say nothing. */
  freeze(): void {
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child.kill('SIGCONT');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        resolve();
        return;
      }
      this.#child.once('exit', () => resolve());
      this.#child.kill('SIGKILL');
    });
  }
}
