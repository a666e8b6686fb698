import { createServer, type Server } from 'node:http';
import { KilterError } from '../errors/index.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** An HTTP server of the manager: metrics or probes. */
export interface Endpoint {
  /** Where it listens, with the port that was chosen. */
  readonly address: string;
  close(): Promise<void>;
}

function parseAddress(address: string): { host: string | undefined; port: number } {
  const match = /^(.*):(\d+)$/.exec(address);
  if (match === null) {
    throw new KilterError(
      'MANAGER_OPTION_INVALID',
      `${JSON.stringify(address)} is no address: write :8080, 127.0.0.1:0 or 0`,
    );
  }
  const host = (match[1] ?? '').replace(/^\[(.*)\]$/, '$1');
  return { host: host === '' ? undefined : host, port: Number(match[2]) };
}

function listen(server: Server, what: string, address: string): Promise<void> {
  const { host, port } = parseAddress(address);
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

/** Serves GET requests; undefined answers are 404. */
export async function serve(
  what: string,
  address: string,
  answer: (url: URL) => Answer | undefined,
): Promise<Endpoint> {
  const server = createServer((request, response) => {
    const found = request.method === 'GET' ? answer(new URL(request.url ?? '/', 'http://localhost')) : undefined;
    const { status, contentType, body } = found ?? {
      status: 404,
      contentType: 'text/plain',
      body: '404 page not found\n',
    };
    response.writeHead(status, { 'content-type': contentType }).end(body);
  });
  await listen(server, what, address);
  const bound = server.address();
  const text = typeof bound === 'object' && bound !== null ? `${bound.address}:${bound.port}` : address;
  return {
    address: text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
