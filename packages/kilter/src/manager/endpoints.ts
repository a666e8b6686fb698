import type { Server } from 'node:http';
import type { BindAddress } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { http } from '../internal/index.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Undefined: there is nothing at this address. */
export type Answerer = (url: URL) => Answer | undefined | Promise<Answer | undefined>;

/** An HTTP server of the manager: metrics or probes. */
export interface Endpoint {
  /** Where it listens, with the port that was chosen. */
  readonly address: string;
  close(): Promise<void>;
}

function listen(server: Server, what: string, { host, port }: BindAddress): Promise<void> {
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

/** Whatever a stranger asks for, the process goes on. */
async function answered(path: string, answer: Answerer): Promise<Answer | undefined> {
  const url = `http://localhost${path.startsWith('/') ? '' : '/'}${path}`;
  if (!URL.canParse(url)) return undefined;
  try {
    return await answer(new URL(url));
  } catch (error) {
    return { ...failed, body: error instanceof Error ? `${error.message}\n` : failed.body };
  }
}

/** Serves GET requests; undefined answers are 404. */
export async function serve(what: string, address: BindAddress, answer: Answerer): Promise<Endpoint> {
  const server = http.createServer((request, response) => {
    const finding = request.method === 'GET' ? answered(request.url ?? '/', answer) : Promise.resolve(undefined);
    void finding.then((found = missing) => {
      response.writeHead(found.status, { 'content-type': found.contentType }).end(found.body);
    });
  });
  await listen(server, what, address);
  const bound = server.address();
  const text = typeof bound === 'object' && bound !== null ? `${bound.address}:${bound.port}` : String(bound);
  return {
    address: text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
