// Test support: loopback servers that say what arrives, with every certificate the rows need, and proxies before them.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Arrival } from './row.test-support.ts';

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}
/** Servers by the word that stands for their address; the first is `$SERVER`. */
export type Servers = Readonly<Record<string, Pair>>;

/** What arrived, by the name of the object that was asked for. */
export type Arrivals = Map<string, Arrival>;

const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'v1',
  resources: [{ name: 'configmaps', singularName: 'configmap', namespaced: true, kind: 'ConfigMap', verbs: ['get'] }],
};
const documents: readonly (readonly [RegExp, object])[] = [
  [/\/version$/, { major: '1', minor: '32', gitVersion: 'v1.32.0' }],
  [/\/api$/, { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }],
  [/\/apis$/, { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }],
  [/\/api\/v1$/, resources],
];
const object = /^(?<prefix>.*)\/api\/v1\/namespaces\/(?<namespace>[^/]+)\/configmaps\/(?<name>[^/]+)$/;

function impersonated({ rawHeaders }: IncomingMessage): string | undefined {
  const said: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [, key] = /^impersonate-(.+)$/i.exec(rawHeaders[at] ?? '') ?? [];
    if (key !== undefined) said.push(`${key.toLowerCase()}=${rawHeaders[at + 1] ?? ''}`);
  }
  return said.length === 0 ? undefined : said.toSorted().join(' ');
}

function arrivalOf(
  request: IncomingMessage,
  groups: Record<string, string | undefined>,
  via: string | undefined,
): Arrival {
  const socket = request.socket as Partial<TLSSocket>;
  const { prefix = '', namespace = '' } = groups;
  const cert = socket.getPeerCertificate?.()?.subject?.CN;
  const name = typeof cert === 'string' ? cert : undefined;
  const { servername } = socket;
  const as = impersonated(request);
  return {
    namespace: decodeURIComponent(namespace),
    ...(prefix !== '' && { prefix }),
    ...(request.headers.authorization !== undefined && { auth: request.headers.authorization }),
    ...(as !== undefined && { as }),
    ...(name !== undefined && { cert: name }),
    ...(socket.encrypted === true && { sni: typeof servername === 'string' ? servername.toLowerCase() : '' }),
    ...(via !== undefined && { via }),
  };
}

/** How a connection came to a server: proxies write down the ports they come from. */
type Ports = Map<number, string>;

function answering(arrivals: Arrivals, ports: Ports): RequestListener {
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const found = object.exec(path)?.groups;
    const via = ports.get(request.socket.remotePort ?? 0);
    if (found?.name !== undefined) arrivals.set(found.name, arrivalOf(request, found, via));
    const { name, namespace } = found ?? {};
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, resourceVersion: '1' } };
    const body = found === undefined ? documents.find(([pattern]) => pattern.test(path))?.[1] : configMap;
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }));
  };
}

/** A connection through a proxy: wherever it was to lead, it leads to the port on this machine. */
function through(near: Socket, target: string, { ports, via }: { ports: Ports; via: string }): Promise<Socket> {
  const far = connect(Number(target.split(':').at(-1)), '127.0.0.1');
  const gone = (): void => {
    near.destroy();
    far.destroy();
  };
  near.on('error', gone).on('close', gone);
  far.on('error', gone).on('close', gone);
  return once(far, 'connect').then(() => {
    ports.set(far.localPort ?? 0, via);
    near.pipe(far).pipe(near);
    return far;
  });
}

function httpProxy(ports: Ports, answer: RequestListener): Server {
  // Asked for a whole address, it fetches that itself: what curl and Go do for plain HTTP.
  const fetched: RequestListener = (request, response) => {
    const { hostname, pathname } = new URL(request.url ?? '', 'http://none');
    ports.set(request.socket.remotePort ?? 0, `http fetches ${hostname}`);
    request.url = pathname;
    answer(request, response);
  };
  return createHttpServer(fetched).on('connect', ({ url = '', headers }, near: Socket, head: Buffer) => {
    const login = headers['proxy-authorization'];
    const name = url.replace(/:\d+$/, '');
    const via = `http ${name}${login === undefined ? '' : ` ${login}`}`;
    void through(near, url, { ports, via }).then((far) => {
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      far.write(head);
    });
  });
}

/** Reads whole messages off a socket, one after the other. */
function reader(socket: Socket): (length: number) => Promise<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  return async (length) => {
    while (held.length < length) {
      const chunk = socket.read() as Buffer | null;
      if (chunk !== null) held = Buffer.concat([held, chunk]);
      else await once(socket, 'readable');
    }
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}

/** RFC 1928 and 1929, with or without a password. */
async function socks(near: Socket, ports: Ports): Promise<void> {
  const read = reader(near);
  const methods = await read((await read(2))[1] ?? 0);
  let login = '';
  if (methods.includes(2)) {
    near.write(Buffer.of(5, 2));
    const user = (await read((await read(2))[1] ?? 0)).toString();
    const password = (await read((await read(1))[0] ?? 0)).toString();
    login = ` ${user}:${password}`;
    near.write(Buffer.of(1, 0));
  } else near.write(Buffer.of(5, 0));
  const [, , , type] = await read(4);
  const length = type === 1 ? 4 : type === 4 ? 16 : ((await read(1))[0] ?? 0);
  const address = await read(length);
  const host = type === 3 ? address.toString() : [...address].join('.');
  const port = (await read(2)).readUInt16BE();
  await through(near, `${host}:${port}`, { ports, via: `socks5 ${host}${login}` });
  near.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
}

function socksProxy(ports: Ports): TcpServer {
  return createTcpServer((near) => {
    near.on('error', () => undefined);
    socks(near, ports).catch(() => near.destroy());
  });
}

async function portOf(server: TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export interface KubeconfigWorld extends AsyncDisposable {
  readonly arrivals: Arrivals;
  /** What words of a row stand for: `$SERVER` and the other servers, `$PORT`, `$PLAIN`, `$HTTP_PROXY_PORT`, `$SOCKS_PORT`. */
  readonly words: Readonly<Record<string, string>>;
}

export async function openKubeconfigWorld(servers: Servers): Promise<KubeconfigWorld> {
  const arrivals: Arrivals = new Map();
  const ports: Ports = new Map();
  const answer = answering(arrivals, ports);
  const open: TcpServer[] = [];
  const words: Record<string, string> = {};
  const start = async (server: TcpServer): Promise<number> => {
    open.push(server);
    return portOf(server);
  };
  for (const [word, { certificate: cert, key }] of Object.entries(servers)) {
    const options = { cert, key, requestCert: true, rejectUnauthorized: false };
    const port = await start(createHttpsServer(options, answer));
    words[word] = `https://localhost:${port}`;
    words[`${word}_PORT`] = String(port);
  }
  words.PLAIN_PORT = String(await start(createHttpServer(answer)));
  words.HTTP_PROXY_PORT = String(await start(httpProxy(ports, answer)));
  words.SOCKS_PORT = String(await start(socksProxy(ports)));
  return {
    arrivals,
    words,
    [Symbol.asyncDispose]: async () => {
      for (const server of open) {
        if ('closeAllConnections' in server) (server as Server).closeAllConnections();
        server.close();
      }
      await Promise.resolve();
    },
  };
}
