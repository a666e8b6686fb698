import { parseTime, type Ref } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { ApiRequest, Transport } from '../transport/index.ts';
import { type LogLines, logLines } from './log-lines.ts';
import { invalidOption, wholeNumber } from './option-values.ts';
import type { LogOptions } from './options.ts';
import { queryOf, type RequestDefaults, shared } from './read-requests.ts';
import { pods } from './subresource-bodies.ts';
import { pathOf, targetOf } from './target.ts';

// The runtimes of containers break lines at 16 KiB: only what was put together again can be longer.
const defaultLineLimit = 1024 * 1024;

const flag = (value: boolean | undefined): string | undefined => (value === true ? 'true' : undefined);

export function logRequest(
  pod: Ref,
  options: LogOptions,
  defaults: RequestDefaults & { readonly namespace: string },
): ApiRequest {
  const { sinceSeconds, sinceTime, container, signal } = options;
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw invalidOption('logs: `sinceSeconds` and `sinceTime` exclude each other');
  }
  if (sinceTime !== undefined && parseTime(sinceTime) === undefined) {
    throw invalidOption(`logs: sinceTime ${JSON.stringify(sinceTime)} is not an RFC 3339 time`);
  }
  return {
    method: 'GET',
    path: pathOf({ ...targetOf(pods, pod, defaults.namespace), subresource: 'log' }),
    query: queryOf({
      container,
      follow: flag(options.follow),
      previous: flag(options.previous),
      sinceSeconds: wholeNumber(sinceSeconds, 'sinceSeconds', 1),
      sinceTime,
      tailLines: wholeNumber(options.tailLines, 'tailLines', 0),
      limitBytes: wholeNumber(options.limitBytes, 'limitBytes', 1),
      timestamps: flag(options.timestamps),
    }),
    // The log is not JSON; its refusals are.
    accept: 'application/json, */*',
    ...shared(defaults, signal),
    // A log may take as long as it likes: it must not hold up other requests.
    session: 'watch',
  };
}

const over = { done: true, value: undefined } as const;

/**
 * The lines of one log. Opened by the first `next`; its own iterator and no generator, because a generator that is left
 * while it waits for a line goes on waiting.
 */
export class PodLog implements AsyncIterableIterator<string, undefined, undefined> {
  readonly #transport: Transport;
  readonly #request: ApiRequest;
  readonly #lines: LogLines;
  /** Ends the request, also while it is being opened. */
  readonly #end = new AbortController();
  readonly #follow: () => void;
  /** Set by the first `next`. */
  #chunks: Promise<AsyncIterator<Uint8Array>> | undefined;
  /** Lines that came and were not asked for yet, from `#next` on: those of one chunk. */
  #ready: readonly string[] = [];
  #next = 0;
  /** True once the server has sent everything; what is ready is still handed out. */
  #complete = false;
  /** Set by the end, an error or `return`; nothing comes after it. */
  #over = false;

  constructor(transport: Transport, request: ApiRequest, maxLineBytes: number = defaultLineLimit) {
    this.#transport = transport;
    this.#request = request;
    // Four bytes hold any character: a piece must hold one.
    if (!Number.isSafeInteger(maxLineBytes) || maxLineBytes < 4) throw invalidOption('maxLineBytes: at least 4');
    this.#lines = logLines(maxLineBytes);
    this.#follow = () => this.#end.abort(request.signal?.reason);
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    try {
      while (!this.#over && this.#next >= this.#ready.length && !this.#complete) await this.#read();
    } catch (error) {
      // Left by `return` while waiting: that is not an error.
      if (this.#over) return over;
      const told = this.#told(error);
      await this.return();
      throw told;
    }
    const line = this.#over ? undefined : this.#ready[this.#next];
    if (line === undefined) return this.return();
    this.#next += 1;
    return { done: false, value: line };
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.#over = true;
    this.#ready = [];
    this.#request.signal?.removeEventListener('abort', this.#follow);
    this.#end.abort(new Error('the reader of the log stopped'));
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Coded, whatever broke; the reason of an abort stays what it is. */
  #told(error: unknown): unknown {
    if (error instanceof KilterError || this.#end.signal.aborted || this.#request.signal?.aborted === true)
      return error;
    return new KilterError('TRANSPORT_CONNECTION_LOST', `${this.#request.path} broke off`, { cause: error });
  }

  async #read(): Promise<void> {
    this.#chunks ??= this.#open();
    const { done, value } = await (await this.#chunks).next();
    if (this.#over) return;
    this.#complete = done === true;
    this.#ready = done === true ? this.#lines.end() : this.#lines.push(value);
    this.#next = 0;
  }

  async #open(): Promise<AsyncIterator<Uint8Array>> {
    const { signal } = this.#request;
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.#follow, { once: true });
    const chunks = await this.#transport.chunks({ ...this.#request, signal: this.#end.signal });
    return chunks[Symbol.asyncIterator]();
  }
}
