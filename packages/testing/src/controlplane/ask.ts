import { request } from 'node:https';
import { systemRuntime } from 'kilter/runtime';
import type { TlsIdentity } from './credentials.ts';

export interface Question {
  readonly url: string;
  readonly tls: TlsIdentity;
  readonly token?: string | undefined;
  readonly method?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

// Servers on the same machine answer at once or are not there yet.
const answerDeadline = 5000;
// A list of a thousand nodes stays below.
const mostAnswer = 16 * 1024 * 1024;

/** One request over its own connection: the servers asked are just starting, and come and go. */
export function ask({ url, tls, token, method = 'GET', body, contentType }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    };
    const outgoing = request(url, { method, headers, agent: false, ...tls });
    const timer = systemRuntime.clock.timer(answerDeadline, () => outgoing.destroy(new Error('no answer in 5 s')));
    outgoing.on('close', () => timer.cancel());
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > mostAnswer) outgoing.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
