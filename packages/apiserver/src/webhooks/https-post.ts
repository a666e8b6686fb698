import { request as httpsRequest } from 'node:https';
import { CallFailure, connectionText, type WebhookResponse } from './call-failure.ts';

export interface Post {
  /** Where the connection goes to. */
  readonly host: string;
  readonly port: number;
  /** The name the certificate has to be for. */
  readonly servername: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Authorities to trust, as PEM; undefined: those of the machine. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** A webhook cannot make the server hold more than this of its answer. */
const mostBytes = 16 * 2 ** 20;

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);

/**
 * One POST over its own connection: a webhook that was given a new certificate or moved is met as it is now. Where a
 * redirect leads is part of the answer.
 */
export function httpsPost(post: Post): Promise<WebhookResponse> {
  const { host, port, servername, path, headers, body, ca, signal } = post;
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(new CallFailure(connectionText({ host: servername, ...error, message: error.message })));
    };
    const options = { host, port, path, method: 'POST', agent: false, signal, ca } as const;
    const sent = httpsRequest(
      {
        ...options,
        // An address is never sent as a server name; what the certificate is for is checked all the same.
        ...(!isAddress(servername) && { servername }),
        headers: { ...headers, 'content-length': body.length, connection: 'close' },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= mostBytes) chunks.push(chunk);
          else sent.destroy(new Error(`the response is larger than ${mostBytes} bytes`));
        });
        response.once('error', fail);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            location: response.headers.location,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.once('error', fail);
    sent.end(body);
  });
}
