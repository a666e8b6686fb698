// The stub of the measurements, in its own process: LIST and WATCH of prepared bytes at full speed, over TLS by HTTP/2 or
// HTTP/1.1. It knows nothing of Kubernetes but how its answers look, so that what is measured is the client.
import { createServer as createHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createTls, type TLSSocket } from 'node:tls';
import { createAuthority, issue } from 'kilter/certificates';
import { type ObjectKind, resources, unsent } from './objects.ts';
import { bookmark, changes, type Encoding, firstVersion, initialEvents, listParts, protobufOf } from './prepared.ts';
import { TappedConnection } from './tapped-connection.ts';
import { drained, type OpenWatch, overHttp1, overHttp2 } from './watches.ts';

/** What the stub is told, each with one answer. */
export type StubOrder =
  | {
      readonly order: 'serve';
      readonly kind: ObjectKind;
      readonly count: number;
      readonly encoder?: string | undefined;
    }
  | {
      readonly order: 'prepare';
      readonly kind: ObjectKind;
      readonly count: number;
      readonly encoder?: string | undefined;
    }
  | { readonly order: 'burst'; readonly kind: ObjectKind }
  | { readonly order: 'pace'; readonly kind: ObjectKind; readonly rate: number }
  | { readonly order: 'stats' };

export interface StubStats {
  readonly requests: number;
  readonly watches: number;
  readonly encodings: readonly Encoding[];
}

type Prepared = Partial<Record<Encoding, readonly Buffer[]>>;
type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

const [, , kubeconfig = ''] = process.argv;
const kinds = Object.keys(resources) as ObjectKind[];
/** All that was ever asked for; what is served is its beginning. */
const initial: Record<ObjectKind, { json: Buffer[]; protobuf: Buffer[] }> = {
  pods: { json: [], protobuf: [] },
  widgets: { json: [], protobuf: [] },
};
const served: Record<ObjectKind, number> = { pods: 0, widgets: 0 };
const ready: Record<ObjectKind, Prepared> = { pods: {}, widgets: {} };
const ends: Record<string, Buffer[]> = {};
const watches = new Set<OpenWatch>();
let requests = 0;
let version = firstVersion + 1;

const contentTypes = {
  json: 'application/json',
  protobuf: 'application/vnd.kubernetes.protobuf;stream=watch',
} as const;

function encodingFor(request: Request, kind: ObjectKind | undefined): Encoding {
  const wanted = String(request.headers.accept ?? '').includes('application/vnd.kubernetes.protobuf');
  return kind !== undefined && wanted && initial[kind].protobuf.length >= served[kind] && served[kind] > 0
    ? 'protobuf'
    : 'json';
}

/** The kind of a collection nobody prepared: it is empty, and stays so. */
function strangerOf(path: string): { apiVersion: string; kind: string } {
  const [, , group = '', v = '', plural = ''] = path.split('/');
  const kindOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1, -1);
  return path.startsWith('/api/')
    ? { apiVersion: group, kind: kindOf(v) }
    : { apiVersion: `${group}/${v}`, kind: kindOf(plural) };
}

function openWatch(request: Request, response: Response, url: URL): void {
  const kind = kinds.find((one) => resources[one].path === url.pathname);
  const encoding = encodingFor(request, kind);
  const stream = 'stream' in response ? response.stream : undefined;
  const tap = stream?.session === undefined ? undefined : current.get(stream.session);
  const id = stream?.id;
  response.setHeader('content-type', contentTypes[encoding]);
  let send: OpenWatch['send'];
  if (tap !== undefined && id !== undefined) {
    tap.take(id);
    send = overHttp2(tap, id);
  } else send = overHttp1(response as ServerResponse);
  const watch: OpenWatch = { path: url.pathname, encoding, send };
  watches.add(watch);
  response.once('close', () => {
    watches.delete(watch);
    if (tap !== undefined && id !== undefined) tap.release(id);
  });
  (response as ServerResponse).flushHeaders();
  if (url.searchParams.get('sendInitialEvents') !== 'true') return;
  if (kind !== undefined && served[kind] > 0) send(initial[kind][encoding].slice(0, served[kind]));
  send(
    encoding === 'protobuf'
      ? (ends['protobuf'] ?? [])
      : [bookmark(kind === undefined ? strangerOf(url.pathname) : resources[kind])],
  );
}

async function list(response: Response, url: URL): Promise<void> {
  const kind = kinds.find((one) => resources[one].path === url.pathname);
  response.setHeader('content-type', contentTypes.json);
  if (kind === undefined) {
    const { apiVersion, kind: plural } = strangerOf(url.pathname);
    const metadata = { resourceVersion: String(firstVersion) };
    response.end(JSON.stringify({ apiVersion, kind: `${plural}List`, metadata, items: [] }));
    return;
  }
  const limit = Number(url.searchParams.get('limit') ?? 0) || Infinity;
  const parts = listParts(kind, initial[kind].json.slice(0, served[kind]), {
    from: Number(url.searchParams.get('continue') ?? 0),
    limit,
  });
  for (let at = 0; at < parts.length; at += 100) {
    if (response.destroyed) return;
    if (!(response as ServerResponse).write(Buffer.concat(parts.slice(at, at + 100)))) {
      await drained(response);
    }
  }
  response.end();
}

function handle(request: Request, response: Response): void {
  requests += 1;
  const url = new URL(request.url ?? '/', 'https://stub');
  if (url.searchParams.has('watch')) openWatch(request, response, url);
  else if (request.method === 'GET') void list(response, url);
  else {
    // Events and the like: taken, and forgotten.
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.setHeader('content-type', contentTypes.json);
      response.statusCode = 201;
      response.end(Buffer.concat(parts));
    });
  }
}

async function serve({ kind, count, encoder }: Extract<StubOrder, { order: 'serve' }>): Promise<void> {
  served[kind] = count;
  const { json, protobuf } = initial[kind];
  const missing = initialEvents(kind, json.length, Math.max(0, count - json.length));
  for (const line of missing) json.push(line);
  if (encoder === undefined || kind !== 'pods') return;
  ends['protobuf'] ??= await protobufOf(encoder, [bookmark(resources.pods)]);
  for (const frame of await protobufOf(encoder, json.slice(protobuf.length))) protobuf.push(frame);
}

async function prepare({ kind, count, encoder }: Extract<StubOrder, { order: 'prepare' }>): Promise<void> {
  const json = changes(kind, count, version);
  version += count;
  ready[kind] = {
    json,
    ...(encoder !== undefined && kind === 'pods' && { protobuf: await protobufOf(encoder, json) }),
  };
}

const watchers = (kind: ObjectKind): OpenWatch[] => [...watches].filter(({ path }) => path === resources[kind].path);
const eventsFor = (kind: ObjectKind, { encoding }: OpenWatch): readonly Buffer[] => ready[kind][encoding] ?? [];

function burst(kind: ObjectKind): void {
  for (const watch of watchers(kind)) watch.send(eventsFor(kind, watch));
}

function stamped(event: Buffer): Buffer {
  const at = event.indexOf(unsent);
  const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
  if (at >= 0) event.write(String(micros).padStart(unsent.length, '0'), at, 'latin1');
  return event;
}

/** So many events a second, each with the time it was sent at. */
async function pace(kind: ObjectKind, rate: number): Promise<void> {
  const start = performance.now();
  const open = watchers(kind);
  const total = Math.max(0, ...open.map((watch) => eventsFor(kind, watch).length));
  for (let i = 0; i < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * rate) / 1000) + 1);
    for (; i < due; i += 1) {
      for (const watch of open) {
        const event = eventsFor(kind, watch)[i];
        if (event !== undefined) watch.send([stamped(event)]);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function obey(given: StubOrder): Promise<StubStats> {
  switch (given.order) {
    case 'serve':
      await serve(given);
      break;
    case 'prepare':
      await prepare(given);
      break;
    case 'burst':
      burst(given.kind);
      break;
    case 'pace':
      await pace(given.kind, given.rate);
      break;
    case 'stats':
      break;
  }
  return { requests, watches: watches.size, encodings: [...watches].map(({ encoding }) => encoding) };
}

const now = Date.now();
const authority = createAuthority({ name: 'bench', now, days: 1 });
const leaf = issue(authority, { name: 'bench', ipAddresses: ['127.0.0.1'], now, days: 1, usage: 'server' });
const http1 = createHttp1(handle);
const http2 = createHttp2({ settings: { maxConcurrentStreams: 250 } }, handle);
/** The tap of each session: sessions are made synchronously for the connection that was handed over last. */
const current = new WeakMap<object, TappedConnection>();
let opening: TappedConnection | undefined;
http2.on('session', (session) => {
  if (opening !== undefined) current.set(session, opening);
});
const server = createTls(
  { cert: leaf.certificate, key: leaf.key, ALPNProtocols: ['h2', 'http/1.1'] },
  (socket: TLSSocket) => {
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    if (socket.alpnProtocol !== 'h2') {
      http1.emit('connection', socket);
      return;
    }
    opening = new TappedConnection(socket);
    http2.emit('connection', opening.inner);
    opening = undefined;
  },
);

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

process.on('message', (text: string) => {
  obey(JSON.parse(text) as StubOrder).then(
    (stats) => process.send?.(stats),
    (error: unknown) => process.send?.({ failure: `the stub: ${String(error)}` }),
  );
});
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', () => {
  writeFileSync(kubeconfig, kubeconfigFor((server.address() as AddressInfo).port), { mode: 0o600 });
  process.send?.('ready');
});
