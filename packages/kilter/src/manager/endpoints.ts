import type { Server } from 'node:http';
import type { BindAddress } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { http } from '../internal/index.ts';

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

/** Whatever a stranger asks for, the process goes on. */
function answered(path: string, answer: (url: URL) => Answer | undefined): Answer | undefined {
  const url = `http://localhost${path.startsWith('/') ? '' : '/'}${path}`;
  if (!URL.canParse(url)) return undefined;
  try {
    return answer(new URL(url));
  } catch (error) {
    return { ...failed, body: error instanceof Error ? `${error.message}\n` : failed.body };
  }
}

/** Serves GET requests; undefined answers are 404. */
export async function serve(
  what: string,
  address: BindAddress,
  answer: (url: URL) => Answer | undefined,
): Promise<Endpoint> {
  const server = http.createServer((request, response) => {
    const found = request.method === 'GET' ? answered(request.url ?? '/', answer) : undefined;
    const { status, contentType, body } = found ?? {
      status: 404,
      contentType: 'text/plain',
      body: '404 page not found\n',
    };
    response.writeHead(status, { 'content-type': contentType }).end(body);
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
