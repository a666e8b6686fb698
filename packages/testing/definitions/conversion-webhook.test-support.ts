// A conversion webhook on loopback, as an operator would serve it.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issue } from 'kilter/certificates';
import { type Convertible, convertReview } from 'kilter/crd';

export interface ConversionWebhook extends AsyncDisposable {
  /** For `manifest({ conversion })`. */
  readonly endpoint: { readonly url: string; readonly caBundle: string };
  /** What conversions told of, as `spec.tier must be one of …`. */
  readonly told: string[];
}

export async function conversionWebhook(kinds: readonly Convertible[], now: number): Promise<ConversionWebhook> {
  const authority = createAuthority({ name: 'conversions', now, days: 2 });
  const leaf = issue(authority, { name: 'localhost', ipAddresses: ['127.0.0.1'], now, days: 2, usage: 'server' });
  const told: string[] = [];
  const server = createServer({ cert: leaf.certificate, key: leaf.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const review: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const answer = convertReview(kinds, review, {
        report: ({ path, message }) => told.push(`${path} ${message}`),
        unconverted: ({ metadata }) => told.push(`${metadata.name} unconverted`),
      });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: {
      url: `https://127.0.0.1:${port}/convert`,
      caBundle: Buffer.from(authority.certificate).toString('base64'),
    },
    told,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
