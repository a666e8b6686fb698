/** One answered request, for tests that look at the traffic. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** 0: the connection broke. */
  readonly status: number;
  /** Whose request it was. */
  readonly user: string;
  readonly userAgent: string;
  /** As sent. */
  readonly body?: string | undefined;
}

// Enough for the longest test; a demo that runs for days keeps only the end.
const mostRequests = 10_000;
// Bodies are a few kilobytes each; a test that writes megabytes again and again must not fill the memory.
const mostText = 32 * 1024 * 1024;

/** The last requests a server has answered. */
export class RequestJournal {
  /** Oldest first; the oldest give way, the newest is always there. */
  readonly requests: RecordedRequest[] = [];
  /** The length of all bodies in `requests`. */
  #text = 0;

  add(request: RecordedRequest): void {
    this.requests.push(request);
    this.#text += request.body?.length ?? 0;
    while (this.requests.length > mostRequests || (this.#text > mostText && this.requests.length > 1)) {
      this.#text -= this.requests.shift()?.body?.length ?? 0;
    }
  }
}
