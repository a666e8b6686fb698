import type { Connection } from 'kilter/runtime';
import { withExchange } from './with-exchange.ts';

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Whose connection it came by. */
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

const decoder = new TextDecoder();

/** The same connection; each request that is answered goes into the journal, in the order of the answers. */
export function recorded(connection: Connection, journal: RequestJournal, user: string): Connection {
  return withExchange(connection, async (request) => {
    const response = await connection.exchange(request);
    const { method, path, headers, body } = request;
    journal.add({
      method,
      path,
      status: response.status,
      user,
      userAgent: headers['user-agent'] ?? '',
      ...(body !== undefined && { body: decoder.decode(body) }),
    });
    return response;
  });
}
