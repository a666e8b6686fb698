import { NotJson, Scanner } from '../bytes/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { type ApiRequest, type BytesResponse, noObject } from '../transport/index.ts';
import type { RawIntake, RawPage } from './raw-reads.ts';

export interface ListAnswer {
  readonly response: BytesResponse;
  readonly request: ApiRequest;
  readonly clock: Pick<Clock, 'pause'>;
}

const quote = 0x22;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Items are taken in one by one, in slices that give the event loop its turn; the body never becomes one string. */
export async function takePage<R>(answer: ListAnswer, intake: RawIntake<R>): Promise<RawPage<R>> {
  const { response, request } = answer;
  try {
    return await new PageReader(answer, intake).read();
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    // Without what was read, which may be a Secret.
    throw noObject({ ...response, text: response.body.toString('utf8', 0, 512) }, request);
  }
}

/** One use. */
class PageReader<R> extends Scanner {
  readonly #answer: ListAnswer;
  readonly #intake: RawIntake<R>;
  #items: R[] = [];
  #metadata: Readonly<Record<string, unknown>> = {};

  constructor(answer: ListAnswer, intake: RawIntake<R>) {
    super();
    this.#answer = answer;
    this.#intake = intake;
    this.source = answer.response.body;
  }

  async read(): Promise<RawPage<R>> {
    this.expect(openBrace);
    this.space();
    if (this.source[this.at] === closeBrace) this.at += 1;
    else {
      do await this.#member();
      while (!this.ends(closeBrace));
    }
    this.space();
    if (this.at !== this.source.length) throw this.unexpected();
    const { resourceVersion, continue: token } = this.#metadata;
    return {
      items: this.#items,
      resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
      continue: typeof token === 'string' && token !== '' ? token : undefined,
    };
  }

  async #member(): Promise<void> {
    this.space();
    if (this.source[this.at] !== quote) throw this.unexpected();
    this.string();
    const key = this.source.toString('utf8', this.stringStart, this.stringEnd);
    this.expect(colon);
    this.space();
    if (key === 'items') return this.#takeItems();
    const start = this.at;
    this.skip(0);
    if (key === 'metadata') this.#metadata = objectIn(this.source.toString('utf8', start, this.at));
  }

  async #takeItems(): Promise<void> {
    this.#items = [];
    if (this.source[this.at] !== openBracket) {
      const start = this.at;
      this.skip(0);
      // Go writes an empty list it never made as null.
      if (this.source.toString('latin1', start, this.at) === 'null') return;
      const { method, path } = this.#answer.request;
      throw new KilterError('CLIENT_UNEXPECTED_ANSWER', `${method} ${path}: the answer is not a list`);
    }
    this.at += 1;
    this.space();
    if (this.source[this.at] === closeBracket) {
      this.at += 1;
      return;
    }
    do {
      this.space();
      const { received, end } = this.#intake.take(this.source, this.at);
      this.at = end;
      this.#items.push(received);
      const pause = this.#answer.clock.pause();
      if (pause !== undefined) await pause;
    } while (!this.ends(closeBracket));
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value = JSON.parse(text) as unknown;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
