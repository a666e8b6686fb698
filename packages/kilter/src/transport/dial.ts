import { connect as connectSocket, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { TlsMaterial } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { tls } from '../internal/index.ts';
import { commonAuthorities } from './common-authorities.ts';
import { FencedSocket } from './fenced-socket.ts';
import { guardedLookup } from './guarded-lookup.ts';
import { openTunnel } from './proxy-tunnel.ts';
import { identityProblem, nameInHandshake } from './server-identity.ts';
import { openSocksTunnel } from './socks-tunnel.ts';
import { socketFailure } from './socket-failure.ts';

/** Where a socket leads. */
export interface Destination {
  readonly server: URL;
  /** The name the certificate is checked against. Default: the host of the server. */
  readonly tlsServerName: string | undefined;
  /** Accept any certificate. */
  readonly insecure: boolean;
  readonly proxy: URL | undefined;
  /** Why an address must not be reached; undefined: it may be. Default: all may. */
  readonly guardAddress?: ((address: string) => string | undefined) | undefined;
  /** Told when a socket begins to connect to a host; what it returns is called once the name is resolved. Default: nobody wants to know. */
  readonly timeLookup?: ((host: string) => (() => void) | undefined) | undefined;
}

export interface DialOptions {
  readonly material: TlsMaterial;
  /** In order of preference: 'h2', 'http/1.1'. */
  readonly protocols: readonly string[];
  readonly signal: AbortSignal;
  /** TLS runs on a socket that asks about requests in the moment their bytes leave. */
  readonly fenced?: boolean | undefined;
}

/** An open socket, handshakes done, and what is spoken on it. */
export interface Dialed {
  readonly socket: Socket;
  readonly fence?: FencedSocket | undefined;
  readonly protocol: 'h2' | 'http/1.1';
}

// The system's own probes keep tables of balancers and address translators from forgetting a silent connection.
const keepAliveDelay = 30_000;

/** An IPv6 address is in brackets in an address, and without them in a socket. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : +port);

type Authorities = string | readonly string[] | undefined;

function secureContext({ cert, key }: Pick<TlsMaterial, 'cert' | 'key'>, ca: Authorities): SecureContext {
  try {
    // As in Go, an authority is whatever is named as one: a root, an intermediate or the server's own certificate.
    const authorities = typeof ca === 'string' || ca === undefined ? ca : [...ca];
    return tls().createSecureContext({ ca: authorities, cert, key, allowPartialTrustChain: true });
  } catch (cause) {
    throw new KilterError('TRANSPORT_TLS', 'the authority, client certificate or client key is not usable PEM', {
      cause,
    });
  }
}

/** Refuses material that no handshake could use. */
export function checkMaterial({ ca, cert, key }: Omit<TlsMaterial, 'version'>): void {
  secureContext({ cert, key }, ca);
}

// Made once for each material: with the authorities of a system in it, one takes a tenth of a second.
const contexts = new WeakMap<TlsMaterial, SecureContext>();

function contextOf(material: TlsMaterial): SecureContext {
  const known = contexts.get(material) ?? secureContext(material, material.ca ?? commonAuthorities());
  contexts.set(material, known);
  return known;
}

/** Waits until a socket says it is ready. It is destroyed by anything else. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown): void => {
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', settle);
      socket.removeListener('close', ended);
      if (error === undefined) {
        resolve();
        return;
      }
      // A late failure of a socket that nobody waits for is not news.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error as Error);
    };
    const ended = (): void => settle(Object.assign(new Error('closed during the handshake'), { code: 'ECONNRESET' }));
    const abort = (): void => settle(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', settle);
    socket.once('close', ended);
    socket.once(event, () => settle());
  });
}

/** An address is not looked up, and nothing is reported about it. */
function watchLookup(socket: Socket, host: string, { timeLookup }: Destination): void {
  const resolved = timeLookup?.(host);
  if (resolved !== undefined) socket.once('lookup', resolved);
}

async function plainSocket(to: Destination, options: DialOptions): Promise<Socket> {
  const { server, proxy, insecure, guardAddress } = to;
  const host = bare(server.hostname);
  const port = portOf(server);
  const { signal } = options;
  if (proxy !== undefined) {
    const opened = (socket: Socket): void => watchLookup(socket, bare(proxy.hostname), to);
    const tunnel = { proxy, target: `${server.hostname}:${port}`, ca: options.material.ca, insecure, signal, opened };
    return proxy.protocol.startsWith('socks') ? openSocksTunnel(tunnel) : openTunnel(tunnel);
  }
  const guarded = guardAddress === undefined ? {} : guardedLookup(host, guardAddress);
  const kept = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay };
  const socket = connectSocket({ host, port, ...kept, ...guarded });
  watchLookup(socket, host, to);
  await ready(socket, 'connect', signal);
  return socket;
}

async function secured(to: Destination, options: DialOptions & { context: SecureContext }): Promise<Dialed> {
  const socket = await plainSocket(to, options);
  const fence = options.fenced === true ? new FencedSocket(socket) : undefined;
  const host = bare(to.server.hostname);
  const expected = to.tlsServerName ?? host;
  const name = nameInHandshake(expected);
  const secure = tls().connect({
    socket: fence ?? socket,
    host,
    secureContext: options.context,
    rejectUnauthorized: !to.insecure,
    checkServerIdentity: (_, certificate) => identityProblem(expected, certificate),
    ALPNProtocols: [...options.protocols],
    ...(name !== undefined && { servername: name }),
  });
  // The tunnel below is closed with the socket above it, whatever ends that one.
  secure.once('close', () => socket.destroy());
  await ready(secure, 'secureConnect', options.signal);
  return { socket: secure, fence, protocol: secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1' };
}

/** Opens one socket, through the proxy where there is one. Rejects with a coded error. */
export async function dial(to: Destination, options: DialOptions): Promise<Dialed> {
  try {
    if (to.server.protocol === 'http:') return { socket: await plainSocket(to, options), protocol: 'http/1.1' };
    return await secured(to, { ...options, context: contextOf(options.material) });
  } catch (cause) {
    if (cause instanceof KilterError || options.signal.aborted) throw cause;
    throw socketFailure({ host: to.server.host, method: '', sent: false, closed: false }, cause);
  }
}
