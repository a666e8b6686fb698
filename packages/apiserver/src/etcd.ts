#!/usr/bin/env node
// Takes the place of the etcd that envtest starts. The kube-apiserver next to it keeps everything in memory, so this only answers GET /health.
import { createServer } from 'node:http';
import { flagIn, readFlags } from './envtest-flags.ts';

const help = `Usage: etcd [flags]

Takes the place of the etcd that envtest starts: it answers GET /health, stores nothing, and serves until it is interrupted.

  --listen-client-urls URL     where to listen; default: http://127.0.0.1:2379
  --advertise-client-urls URL  accepted and ignored
  --listen-peer-urls URL       accepted and ignored
  --data-dir DIR               accepted and ignored
  --unsafe-no-fsync            accepted and ignored
`;

function serve(url: string): void {
  const { hostname, port } = new URL(url);
  const server = createServer((request, response) => {
    const known = request.url === '/health';
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
    response.end(known ? '{"health":"true","reason":""}' : '404 page not found\n');
  });
  server.once('error', (error) => {
    process.stderr.write(`--listen-client-urls ${url}: ${error.message}\n`);
    process.exitCode = 1;
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  server.listen(Number(port || '80'), hostname);
}

const flags = readFlags(process.argv.slice(2));
const url = (flagIn(flags, 'listen-client-urls') ?? 'http://127.0.0.1:2379').split(',', 1)[0] ?? '';
if (flags.has('help')) process.stdout.write(help);
else if (URL.canParse(url)) serve(url);
else {
  process.stderr.write(`--listen-client-urls ${url} is not a URL: give one such as http://127.0.0.1:2379\n`);
  process.exitCode = 2;
}
