import { kindLabel, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import type { ApiRequest, rareLog, Transport } from '../transport/index.ts';
import type { Change } from './answers.ts';
import { decodeChange, type Expected } from './decode.ts';

export interface WatchSource {
  readonly transport: Transport;
  readonly request: ApiRequest;
  readonly expected: Expected;
  readonly logger: Logger;
  /** Lets a message through now and then: what is bad once tends to be bad all the time. */
  readonly rarely: ReturnType<typeof rareLog>;
  readonly metrics: Metrics | undefined;
  /** Called once the server has accepted the watch. */
  readonly onOpen?: (() => void) | undefined;
}

const over = { done: true, value: undefined } as const;

/**
 * The changes of one watch. Opened by the first `next`; its own iterator and no generator, because a generator that is
 * left while it waits for a change goes on waiting.
 */
export class WatchChanges<T extends KubeObject> implements AsyncIterableIterator<Change<T>, undefined, undefined> {
  readonly #source: WatchSource;
  /** Ends the request, also while it is being opened. */
  readonly #end = new AbortController();
  readonly #follow: () => void;
  /** Set by the first `next`. */
  #lines: Promise<AsyncIterator<string>> | undefined;
  /** Set by the end of the stream, an error or `return`; nothing comes after it. */
  #over = false;

  constructor(source: WatchSource) {
    this.#source = source;
    this.#follow = () => this.#end.abort(source.request.signal?.reason);
  }

  async next(): Promise<IteratorResult<Change<T>, undefined>> {
    if (this.#over) return over;
    try {
      this.#lines ??= this.#open();
      const change = await this.#nextChange(await this.#lines);
      if (change !== undefined && !this.#over) return { done: false, value: change };
      await this.return();
      return over;
    } catch (error) {
      // Left by `return` while waiting: that is no error.
      if (this.#over) return over;
      await this.return();
      throw error;
    }
  }

  return(): Promise<IteratorResult<Change<T>, undefined>> {
    this.#over = true;
    this.#source.request.signal?.removeEventListener('abort', this.#follow);
    this.#end.abort(new Error('the watch was left'));
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #open(): Promise<AsyncIterator<string>> {
    const { transport, request } = this.#source;
    request.signal?.throwIfAborted();
    request.signal?.addEventListener('abort', this.#follow, { once: true });
    const lines = await transport.stream({ ...request, signal: this.#end.signal });
    if (!this.#over) this.#source.onOpen?.();
    return lines[Symbol.asyncIterator]();
  }

  /** The next usable change; undefined at the end of the stream. */
  async #nextChange(lines: AsyncIterator<string>): Promise<Change<T> | undefined> {
    for (;;) {
      const { done, value } = await lines.next();
      if (done === true) return undefined;
      const change = this.#decode(value);
      if (!('unusable' in change)) return change;
      this.#skip(change.unusable);
    }
  }

  #decode(line: string): ReturnType<typeof decodeChange<T>> {
    const { request, expected, metrics } = this.#source;
    try {
      return decodeChange<T>(line, request, expected);
    } catch (error) {
      // Counted here; whoever goes on after it says so.
      if (error instanceof KilterError && error.code === 'TRANSPORT_STREAM_MALFORMED') {
        metrics
          ?.counter('kilter_stream_errors_total', 'Watch streams that broke, by reason.')
          .inc({ reason: error.code });
      }
      throw error;
    }
  }

  /** Affects this line alone: the watch goes on, and does not do so in silence. */
  #skip(what: string): void {
    const { request, expected, metrics, logger, rarely } = this.#source;
    metrics
      ?.counter('kilter_watch_lines_skipped_total', 'Lines of watches that were JSON and no change, by kind.')
      .inc({ kind: kindLabel(expected.kind) });
    rarely('unusable', (suppressed) =>
      logger.warn({ path: request.path, what, suppressed }, 'a watch sent something that is no change'),
    );
  }
}
