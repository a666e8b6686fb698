// A real kube-apiserver, over HTTPS.
import { Agent, request } from 'node:https';
import type { Json, JsonObject } from 'kilter/api';
import { type Answer, type Server, warningTexts } from './served.test-support.ts';

export interface RealTableServerOptions {
  readonly url: string;
  /** PEM of the authority that vouches for it. */
  readonly ca: string;
  readonly token: string;
  /** Waits a while: a real server takes its time. */
  readonly settle: () => Promise<void>;
}

export function realTableServer({ url, ca, token, settle }: RealTableServerOptions): Server & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca });
  const send = (method: string, path: string, body?: Json): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      };
      const sending = request(new URL(path, url), { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const body = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
          resolve({ code: response.statusCode ?? 0, body, warnings: warningTexts(response.headers['warning'] ?? '') });
        });
      });
      sending.on('error', reject);
      sending.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    send,
    settle,
    close: () => agent.destroy(),
  };
}
