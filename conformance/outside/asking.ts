// Requests to either server: the vectors go through the API, as a client would send them.
import { request } from 'node:https';

export interface Address {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export type Ask = (method: string, path: string, sent?: Sent) => Promise<Reply>;

export interface Sent {
  readonly body: unknown;
  /** The media type; JSON unless given. */
  readonly type?: string;
}

export function asking({ url, ca, token }: Address): Ask {
  return (method, path, sent) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(sent !== undefined && { 'content-type': sent.type ?? 'application/json' }),
      };
      const asked = request(`${url}${path}`, { method, ca, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const isJson = (response.headers['content-type'] ?? '').includes('json');
          resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
        });
      });
      asked.on('error', reject);
      if (sent !== undefined) asked.write(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body));
      asked.end();
    });
}

export const namespace = 'outside';
export const boxes = `/apis/outside.example.com/v1/namespaces/${namespace}/boxes`;

/** A namespace, and a kind that takes any JSON under `spec`. */
export async function prepare(ask: Ask): Promise<void> {
  await ask('POST', '/api/v1/namespaces', {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boxes.outside.example.com' },
      spec: {
        group: 'outside.example.com',
        names: { plural: 'boxes', kind: 'Box' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    },
  });
  const deadline = performance.now() + 30_000;
  while ((await ask('GET', boxes)).status !== 200) {
    if (performance.now() > deadline) throw new Error('the kind Box is not served after 30 s');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
