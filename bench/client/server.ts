// The server of the measurements: TLS, HTTP/2 and HTTP/1.1 by ALPN, fixed answers, watches that stay silent, one request that is
// never answered. It runs
// in its own process, counts its connections itself, and ends with the process that started it.
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, issue } from 'kilter/certificates';

export interface ServerStats {
  /** Connections since the last reset. */
  readonly accepted: number;
  readonly open: number;
  readonly requests: number;
  /** Open now. */
  readonly watches: number;
}

const [, , kubeconfig = ''] = process.argv;
const now = Date.now();
const authority = createAuthority({ name: 'bench', now, days: 1 });
const leaf = issue(authority, { name: 'bench', ipAddresses: ['127.0.0.1'], now, days: 1, usage: 'server' });

let accepted = 0;
let requests = 0;
let watches = 0;
const sockets = new Set<Socket>();

const metadata = {
  name: 'settings',
  namespace: 'default',
  uid: '5d3e8f3c-6d3a-4f0e-9a43-0c0c8f6f1a11',
  resourceVersion: '4711',
  creationTimestamp: '2026-01-01T00:00:00Z',
  labels: { app: 'bench', tier: 'backend' },
};
const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key-${i}`, `a value of some length, ${i}`]));
const configMap = Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data }));
const lease = Buffer.from(
  JSON.stringify({ kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata, spec: { holderIdentity: 'bench' } }),
);

function serve(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
  requests += 1;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://bench');
  if (pathname.endsWith('/unanswered')) return;
  response.setHeader('content-type', 'application/json');
  if (!searchParams.has('watch')) {
    response.end(pathname.includes('/leases/') ? lease : configMap);
    return;
  }
  watches += 1;
  response.once('close', () => (watches -= 1));
  (response as ServerResponse).flushHeaders();
}

// The default of kube-apiserver.
const settings = { maxConcurrentStreams: 100 };
const server = createSecureServer({ cert: leaf.certificate, key: leaf.key, allowHTTP1: true, settings }, serve);
server.on('connection', (socket: Socket) => {
  accepted += 1;
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});

function kubeconfigFor(port: number): string {
  const ca = Buffer.from(authority.certificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [{ name: 'bench', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca } }],
    users: [{ name: 'bench', user: { token: 'bench' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench', namespace: 'default' } }],
  });
}

process.on('message', (message) => {
  if (message === 'reset') {
    accepted = 0;
    requests = 0;
  }
  const stats: ServerStats = { accepted, open: sockets.size, requests, watches };
  process.send?.(stats);
});
process.on('disconnect', () => process.exit(0));
setTimeout(() => process.exit(1), 30 * 60_000).unref();

server.listen(0, '127.0.0.1', () => {
  writeFileSync(kubeconfig, kubeconfigFor((server.address() as AddressInfo).port), { mode: 0o600 });
  process.send?.('ready');
});
