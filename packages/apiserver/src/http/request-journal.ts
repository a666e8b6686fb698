/** One answered request, for tests that inspect the traffic. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** 0: the connection broke. */
  readonly status: number;
  /** The user who made the request. */
  readonly user: string;
  /** The user that was impersonated. */
  readonly actingAs?: string | undefined;
  readonly userAgent: string;
  /** As sent. */
  readonly body?: string | undefined;
}

// Enough for the longest test; a demo that runs for days keeps only the end.
const mostRequests = 10_000;
// Bodies are a few kilobytes each; a test that writes megabytes again and again must not fill the memory.
const mostText = 32 * 1024 * 1024;

/** So many entries give way before the list is made shorter: each time that costs its whole length. */
const mostGone = 1000;

/** The last requests a server has answered. */
export class RequestJournal {
  /** Oldest first, behind those that gave way: the oldest do, the newest is always there. */
  readonly #kept: (Kept | undefined)[] = [];
  /** The place of the oldest entry; before it is nothing. */
  #first = 0;
  /** The size of all bodies in `#kept`. */
  #size = 0;

  /** Oldest first. */
  get requests(): RecordedRequest[] {
    return this.#kept.slice(this.#first).flatMap((kept) => (kept === undefined ? [] : [kept.request]));
  }

  /** `size` is what the body takes, where that is known without reading it. */
  add(request: RecordedRequest, size: number = request.body?.length ?? 0): void {
    this.#kept.push({ request, size });
    this.#size += size;
    while (this.#count > mostRequests || (this.#size > mostText && this.#count > 1)) this.#drop();
    if (this.#first >= mostGone) this.#first -= this.#kept.splice(0, this.#first).length;
  }

  get #count(): number {
    return this.#kept.length - this.#first;
  }

  #drop(): void {
    this.#size -= this.#kept[this.#first]?.size ?? 0;
    this.#kept[this.#first] = undefined;
    this.#first += 1;
  }
}

interface Kept {
  readonly request: RecordedRequest;
  readonly size: number;
}
