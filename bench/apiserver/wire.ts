import { type ClientHttp2Session, connect } from 'node:http2';

export interface Address {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

/** What a kubeconfig with everything inside says. */
export function addressIn(kubeconfig: string): Address {
  const field = (name: string): string => {
    const found = new RegExp(`"?${name}"?:\\s*"?([^"\\s,]+)`).exec(kubeconfig)?.[1];
    if (found === undefined) throw new Error(`the kubeconfig has no ${name}`);
    return found;
  };
  const ca = Buffer.from(field('certificate-authority-data'), 'base64').toString('utf8');
  return { url: field('server'), ca, token: field('token') };
}

/** One HTTP/2 connection that does no more than it is asked to: both servers have the same client, and little of it. */
export class Wire implements Disposable {
  readonly #session: ClientHttp2Session;
  readonly #token: string;
  /** Why the connection is of no use any more. */
  #failure: Error | undefined;

  constructor({ url, ca, token }: Address) {
    this.#session = connect(url, { ca });
    this.#session.on('error', (error) => (this.#failure = error));
    this.#token = token;
  }

  /** Resolves with the status and the length of the answer. */
  ask(method: string, path: string, body?: string): Promise<{ status: number; bytes: number }> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream(method, path, body);
      let [status, bytes] = [0, 0];
      stream.on('response', (headers) => (status = Number(headers[':status'])));
      stream.on('data', (chunk: Buffer) => (bytes += chunk.byteLength));
      stream.on('end', () => {
        if (status > 0) resolve({ status, bytes });
        else reject(new Error(`${method} ${path} was not answered`, { cause: this.#failure }));
      });
      stream.on('error', reject);
      stream.end(body);
    });
  }

  /**
   * Resolves once the watch is open; `done` resolves after so many events. One that the server ends, as kube-apiserver does with whoever is
   * too slow for it, goes on from its last event.
   */
  watch(path: string, { from, events }: { from: string; events: number }): Promise<{ done: Promise<void> }> {
    return new Promise((open, reject) => {
      const seen = new LastLine();
      const done = new Promise<void>((resolve, fail) => {
        const follow = (version: string): void => {
          const before = seen.count;
          const stream = this.#stream('GET', `${path}?watch=1&resourceVersion=${version}`);
          stream.on('response', () => open({ done }));
          stream.on('error', (error) => (reject(error), fail(error)));
          stream.on('data', (chunk: Buffer) => {
            seen.take(chunk);
            if (seen.count < events) return;
            stream.close();
            resolve();
          });
          stream.on('close', () => {
            if (seen.count >= events) return;
            if (seen.count > before && this.#failure === undefined) follow(seen.version);
            else fail(new Error(`a watch ended ${events - seen.count} events too early`, { cause: this.#failure }));
          });
          stream.end();
        };
        follow(from);
      });
      done.catch(() => undefined); // Whoever waits for it gets it; before that nobody does.
    });
  }

  #stream(method: string, path: string, body?: string) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ':method': method, ':path': path, authorization: `Bearer ${this.#token}`, ...type };
    return this.#session.request({ ...headers, accept: 'application/json', 'user-agent': 'bench' });
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }
}

/** Counts lines and keeps the last: the others are not looked into. */
class LastLine {
  count = 0;
  #last: Buffer = Buffer.alloc(0);
  #rest: Buffer = Buffer.alloc(0);

  /** The version of the object in it. */
  get version(): string {
    const event = JSON.parse(this.#last.toString('utf8')) as { object: { metadata: { resourceVersion: string } } };
    return event.object.metadata.resourceVersion;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#last = from === 0 ? Buffer.concat([this.#rest, chunk.subarray(0, at)]) : chunk.subarray(from, at);
      this.count += 1;
      from = at + 1;
    }
    this.#rest = from === 0 ? Buffer.concat([this.#rest, chunk]) : chunk.subarray(from);
  }
}
