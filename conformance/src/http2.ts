// Requests over HTTP/2, as Go's clients send them: all on one connection.
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Answer, Json } from './case.ts';
import { parsedOrText } from './exact-json.ts';
import { type Call, headersOf, silenceOf } from './exchange.ts';
import type { Server } from './server.ts';

export class Http2Connection {
  readonly #server: Server;
  /** Opened by the first request. */
  #session: ClientHttp2Session | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  exchange(call: Call): Promise<Answer> {
    this.#session ??= connect(this.#server.url, { ca: this.#server.ca }).setMaxListeners(0);
    const session = this.#session;
    const silence = silenceOf(this.#server);
    return new Promise((done, failed) => {
      session.once('error', failed);
      const stream = session.request({ ':method': call.method, ':path': call.path, ...headersOf(this.#server, call) });
      const head: Record<string, Json> = {};
      const chunks: Buffer[] = [];
      stream.setTimeout(silence, () => failed(new Error(`no answer to ${call.method} ${call.path} in ${silence} ms`)));
      stream.once('response', (headers) => {
        for (const [key, value] of Object.entries(headers)) if (value !== undefined) head[key] = value as Json;
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('error', failed);
      stream.once('end', () => {
        const { ':status': status = 0, ...headers } = head;
        const text = Buffer.concat(chunks).toString('utf8');
        session.off('error', failed);
        done({ status, headers, body: parsedOrText(text), text });
      });
      stream.end(call.body);
    });
  }

  close(): void {
    this.#session?.destroy();
  }
}
