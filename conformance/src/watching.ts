import type { IncomingMessage } from 'node:http';
import type { Answer, EventsStep, Json } from './case.ts';
import { parsedOrText } from './exact-json.ts';
import { type Call, headersIn, open } from './exchange.ts';
import { valueAt } from './places.ts';
import type { Server } from './server.ts';

/** A bookmark the server sends in its own time, not that at the end of the initial events. */
function isProgress(event: Json): boolean {
  const annotation = valueAt(event, ['object', 'metadata', 'annotations', 'k8s.io/initial-events-end']);
  return valueAt(event, 'type') === 'BOOKMARK' && annotation === undefined;
}

/** An open watch, its events in the order they came. */
export class OpenWatch {
  readonly #stop = new AbortController();
  readonly #response: IncomingMessage;
  readonly #patience: number;
  /** Complete lines not taken yet; the tail stands apart until its line is complete. */
  readonly #events: Json[] = [];
  #tail = '';
  #ended = false;
  /** Woken by each change of the three above. */
  #wake: () => void = () => undefined;

  private constructor(response: IncomingMessage, stop: AbortController, patience: number) {
    this.#patience = patience;
    this.#response = response;
    this.#stop = stop;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.once('end', () => this.#end());
    // Closing our side is an error of the stream; whatever else breaks it shows as an early end.
    response.once('error', () => this.#end());
  }

  static async open(server: Server, call: Call): Promise<OpenWatch> {
    const stop = new AbortController();
    return new OpenWatch(await open(server, call, stop.signal), stop, server.patience);
  }

  #take(chunk: string): void {
    const lines = (this.#tail + chunk).split('\n');
    this.#tail = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.#events.push(parsedOrText(line));
    this.#wake();
  }

  #end(): void {
    if (this.#tail !== '') this.#events.push(parsedOrText(this.#tail));
    this.#tail = '';
    this.#ended = true;
    this.#wake();
  }

  async #until(isEnough: () => boolean, ms: number): Promise<void> {
    const over = Date.now() + ms;
    while (!isEnough() && Date.now() < over) {
      const rest = over - Date.now();
      await new Promise<void>((done) => {
        const timer = setTimeout(done, rest);
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  #passBookmarks(): void {
    const others = this.#events.filter((event) => !isProgress(event));
    this.#events.splice(0, this.#events.length, ...others);
  }

  async take(step: EventsStep): Promise<Answer> {
    const { count = 0, untilEnd = false, untilObject, quietMs = 0 } = step;
    const waiting = (): number => {
      if (step.passBookmarks === true) this.#passBookmarks();
      return this.#events.length;
    };
    const isAbout = (event: Json): boolean => valueAt(event, 'object.metadata.name') === untilObject;
    const isEnough = (): boolean =>
      untilObject === undefined ? !untilEnd && waiting() >= count : this.#events.some(isAbout);
    await this.#until(() => this.#ended || isEnough(), this.#patience);
    if (quietMs > 0) await this.#until(() => this.#ended || waiting() > count, quietMs);
    const takesAll = quietMs > 0 || untilEnd || untilObject !== undefined;
    const events = this.#events.splice(0, takesAll ? waiting() : count);
    return {
      status: this.#response.statusCode ?? 0,
      headers: headersIn(this.#response),
      events,
      ended: this.#ended,
    };
  }

  close(): void {
    this.#stop.abort();
  }
}
