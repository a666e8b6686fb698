import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { KilterError } from '../errors/index.ts';
import { https } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { conversionPath, type WebhookAnswer, type WebhookHandler } from './handler.ts';

/** A certificate with its key as PEM, and whoever signed it after it. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface WebhookServerOptions {
  readonly handler: WebhookHandler;
  readonly host: string | undefined;
  readonly port: number;
  /** Until there is one (`use`), every handshake fails. */
  readonly certificate?: ServingCertificate | undefined;
  readonly logger: Logger;
  /** Default: as below. Others only for tests. */
  readonly limits?: Partial<WebhookLimits> | undefined;
}

/** What one client can take of the server. */
export interface WebhookLimits {
  readonly admissionBytes: number;
  /** A list is converted as a whole: ten thousand objects are one review. */
  readonly conversionBytes: number;
  /** Of all bodies that are being read at one time. */
  readonly totalBytes: number;
  /**
   * Milliseconds for the handshake, the headers, the whole request (and for an answer of which nothing is taken); and how long a quiet
   * connection stays open.
   */
  readonly handshake: number;
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
  /** Beyond so many connections the oldest quiet one goes. */
  readonly connections: number;
}

const mebibyte = 1024 * 1024;
export const defaultLimits: WebhookLimits = {
  admissionBytes: 7 * mebibyte,
  conversionBytes: 128 * mebibyte,
  totalBytes: 256 * mebibyte,
  handshake: 10_000,
  headers: 32_000,
  request: 60_000,
  idle: 90_000,
  connections: 1000,
};

interface Body {
  readonly text: string;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that are not answered yet. */
  requests: number;
}

// A body that is too large is read on for so much longer, so that the answer can be read before the connection ends.
const patientBytes = 8;

/** An HTTPS server of webhooks. HTTP/1.1 only: HTTP/2 lets one client open and drop streams at no cost. */
export class WebhookServer {
  readonly #server: Server;
  readonly #handler: WebhookHandler;
  readonly #limits: WebhookLimits;
  readonly #logger: Logger;
  /** Every open connection by its peer, oldest first. */
  readonly #connections = new Map<string, Connection>();
  /** Bytes of bodies that are being read now. */
  #reading = 0;
  #closing = false;

  private constructor({ handler, certificate, logger, limits }: WebhookServerOptions) {
    this.#handler = handler;
    this.#logger = logger;
    this.#limits = { ...defaultLimits, ...limits };
    const { handshake, headers, request, idle } = this.#limits;
    const options = {
      ...(certificate !== undefined && certificateOptions(certificate)),
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      maxHeaderSize: mebibyte,
      handshakeTimeout: handshake,
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: idle,
      connectionsCheckingInterval: Math.min(1000, headers),
    } as const;
    this.#server = https().createServer(options, (incoming, response) => void this.#serve(incoming, response));
    this.#server.on('connection', (socket: Socket) => this.#admitConnection(socket));
    // A scanner, a probe of the wrong protocol, a server that trusts another authority: worth a line where one looks for it.
    this.#server.on('tlsClientError', (error) =>
      logger.debug({ err: error }, 'a TLS handshake with the webhook server failed'),
    );
  }

  /** Resolves once it listens. */
  static async open(options: WebhookServerOptions): Promise<WebhookServer> {
    const server = new WebhookServer(options);
    await listen(server.#server, options);
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** For handshakes from now on; open connections continue with the one they have. */
  use(certificate: ServingCertificate): void {
    this.#server.setSecureContext({ ...certificateOptions(certificate), minVersion: 'TLSv1.2' });
  }

  /** Lets running requests end, each with its connection. */
  close(): Promise<void> {
    this.#closing = true;
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const { socket, requests } of this.#connections.values()) if (requests === 0) socket.destroy();
      this.#server.closeIdleConnections();
    });
  }

  /** Closes everything at once. */
  destroy(): void {
    this.#server.close();
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  /** Whoever opens connections and says nothing takes nothing from the API server: the oldest quiet one makes room. */
  #admitConnection(socket: Socket): void {
    const peer = peerOf(socket);
    const connection: Connection = { socket, requests: 0 };
    this.#connections.set(peer, connection);
    // Its port may belong to the next one by now.
    socket.once('close', () => {
      if (this.#connections.get(peer) === connection) this.#connections.delete(peer);
    });
    // Before the handshake is over nobody else listens for the errors of the connection.
    socket.on('error', () => undefined);
    if (this.#connections.size <= this.#limits.connections) return;
    const oldest = [...this.#connections.values()].find(({ requests }) => requests === 0);
    (oldest?.socket ?? socket).destroy();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const connection = this.#connections.get(peerOf(incoming.socket));
    // It closed in this moment: nobody is left to answer.
    if (connection === undefined) return void incoming.socket.destroy();
    connection.requests += 1;
    response.once('close', () => (connection.requests -= 1));
    try {
      const answer = await this.#answer(incoming);
      const length = Buffer.byteLength(answer.body);
      // Said before it is done: whoever sends the next request on this connection would lose it.
      const isLast = !incoming.complete || this.#closing;
      const ending = isLast ? { connection: 'close' } : {};
      // Who does not take the answer would keep it, and a connection, for ever.
      response.setTimeout(this.#limits.request, () => connection.socket.destroy());
      response.writeHead(answer.status, { 'content-type': answer.contentType, 'content-length': length, ...ending });
      response.end(answer.body);
      if (isLast) response.once('finish', () => connection.socket.destroySoon());
    } catch (error) {
      // A client that went away in the middle of its request.
      this.#logger.debug({ err: error }, 'a request to a webhook ended early');
      connection.socket.destroy();
    }
  }

  async #answer(incoming: IncomingMessage): Promise<WebhookAnswer> {
    const target = `https://localhost${incoming.url ?? '/'}`;
    const url = URL.canParse(target) ? new URL(target) : undefined;
    const path = url?.pathname ?? '';
    if (!this.#handler.paths.includes(path)) return plain(404, '404 page not found');
    if (incoming.method !== 'POST') return plain(405, 'send reviews with POST');
    const most = path === conversionPath ? this.#limits.conversionBytes : this.#limits.admissionBytes;
    const read = await this.#read(incoming, most);
    if (read === 'busy') return plain(503, 'too many bodies are being read');
    const contentType = incoming.headers['content-type'];
    const timeout = url?.searchParams.get('timeout') ?? undefined;
    return this.#handler.answer({ path, contentType, body: read === 'too large' ? undefined : read.text, timeout });
  }

  /** The body as text, or why there is none. */
  async #read(incoming: IncomingMessage, most: number): Promise<Body | 'busy' | 'too large'> {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    try {
      for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > patientBytes * most) return 'too large';
        if (size > most) {
          chunks.length = 0;
          continue;
        }
        if (this.#reading + chunk.length > this.#limits.totalBytes) return 'busy';
        this.#reading += chunk.length;
        held += chunk.length;
        chunks.push(chunk);
      }
    } finally {
      this.#reading -= held;
    }
    return size > most ? 'too large' : { text: Buffer.concat(chunks).toString('utf8') };
  }
}

const plain = (status: number, body: string): WebhookAnswer => ({
  status,
  contentType: 'text/plain',
  body: `${body}\n`,
});

const certificateOptions = ({ certificate, key }: ServingCertificate): { cert: string; key: string } => ({
  cert: certificate,
  key,
});

/** The same for the TCP connection and for the TLS socket on it. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function listen(server: Server, { host, port }: Pick<WebhookServerOptions, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const message = `webhooks cannot listen on ${host ?? ''}:${port}`;
      reject(taken ? new KilterError('WEBHOOK_PORT_IN_USE', message, { cause: error }) : error);
    };
    server.once('error', refuse);
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}
