import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { BindAddress } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { http, https } from '../internal/index.ts';
import type { ServerCertificate } from './secure-metrics.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A GET request. */
export interface Question {
  readonly url: URL;
  /** The headers of those names. */
  readonly accept?: string | undefined;
  readonly authorization?: string | undefined;
  readonly host?: string | undefined;
}

/** Undefined: there is nothing at this address. */
export type Answerer = (asked: Question) => Answer | undefined | Promise<Answer | undefined>;

/** An HTTP server of the manager: metrics or probes. */
export interface Endpoint {
  /** Where it listens, with the port that was chosen. */
  readonly address: string;
  close(): Promise<void>;
}

function listen(server: Server | SecureServer, what: string, { host, port }: BindAddress): Promise<void> {
  const address = `${host ?? ''}:${port}`;
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(
        taken ? new KilterError('MANAGER_PORT_IN_USE', `${what} cannot listen on ${address}`, { cause: error }) : error,
      );
    };
    server.once('error', refuse);
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

const failed: Answer = { status: 500, contentType: 'text/plain', body: 'internal error\n' };

const missing: Answer = { status: 404, contentType: 'text/plain', body: '404 page not found\n' };

/** Whatever a stranger asks for, the process continues. */
async function answered({ url: path = '/', headers }: IncomingMessage, answer: Answerer): Promise<Answer | undefined> {
  const url = `http://localhost${path.startsWith('/') ? '' : '/'}${path}`;
  if (!URL.canParse(url)) return undefined;
  try {
    const { accept, authorization, host } = headers;
    return await answer({ url: new URL(url), accept, authorization, host });
  } catch (error) {
    return { ...failed, body: error instanceof Error ? `${error.message}\n` : failed.body };
  }
}

// A scrape is a short request: whoever takes longer to ask keeps a socket from others.
const limits = { headersTimeout: 32_000, requestTimeout: 60_000, keepAliveTimeout: 90_000 } as const;
// Prometheus needs one; probes and people a few.
const mostConnections = 200;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

/** Plain, or over TLS with a certificate that may be replaced while it serves. */
function makeServer(answer: Answerer, certificate: ServerCertificate | undefined): Server | SecureServer {
  const listener: Parameters<typeof http.createServer>[1] = (request, response) => {
    const finding = request.method === 'GET' ? answered(request, answer) : Promise.resolve(undefined);
    // Nobody has a body to send here: what comes after the answer is not read.
    if (hasBody(request)) response.setHeader('connection', 'close');
    void finding.then((found = missing) => {
      response.writeHead(found.status, { 'content-type': found.contentType }).end(found.body);
    });
  };
  if (certificate === undefined) return http.createServer(limits, listener);
  const pem = ({ certificate: cert, key }: ServerCertificate['first']) =>
    ({ cert, key, minVersion: 'TLSv1.2' }) as const;
  const options = { ...limits, ...pem(certificate.first), handshakeTimeout: 10_000, ALPNProtocols: ['http/1.1'] };
  const server = https().createServer(options, listener);
  certificate.follow((next) => server.setSecureContext(pem(next)));
  return server;
}

export interface ServeOptions {
  readonly answer: Answerer;
  /** Serves over TLS. Default: plain HTTP. */
  readonly certificate?: ServerCertificate | undefined;
}

/** Serves GET requests; undefined answers are 404. */
export async function serve(what: string, address: BindAddress, how: Answerer | ServeOptions): Promise<Endpoint> {
  const { answer, certificate }: ServeOptions = typeof how === 'function' ? { answer: how } : how;
  const server = makeServer(answer, certificate);
  server.maxConnections = mostConnections;
  await listen(server, what, address);
  const bound = server.address();
  const text = typeof bound === 'object' && bound !== null ? `${bound.address}:${bound.port}` : String(bound);
  return {
    address: text,
    close: () =>
      new Promise((resolve) => {
        certificate?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
