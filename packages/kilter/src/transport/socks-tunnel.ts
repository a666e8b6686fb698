import { connect, isIP, isIPv4, type Socket } from 'node:net';
import { KilterError } from '../errors/index.ts';
import type { TunnelOptions } from './proxy-tunnel.ts';

// RFC 1928, section 6.
const replies: readonly (readonly [why: string, cure?: string])[] = [
  ['granted'],
  ['a failure of the proxy itself'],
  ['its rules do not allow it', 'allow the API server in the rules of the proxy, or leave the proxy out with NO_PROXY'],
  ['it cannot reach that network'],
  ['it cannot reach that host', 'check the host name of the server address: the proxy resolves it'],
  ['the server refused the connection', 'check host and port of the server address, as seen from the proxy'],
  ['the time to live expired'],
  ['it does not know the command'],
  ['it does not know that type of address'],
];

function refused({ proxy, target }: TunnelOptions, why: string, cure?: string): KilterError {
  const message = `the proxy ${proxy.host} refused a tunnel to ${target}: ${why}`;
  return new KilterError('TRANSPORT_PROXY', message, { cure });
}

/** The bytes of a socket, as many at a time as are asked for. */
class Inbox {
  readonly #socket: Socket;
  readonly #ended: Promise<never>;
  /** Read and not yet asked for. The socket itself is kept empty: it would call again and again for what is in it. */
  #held: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, ended: Promise<never>) {
    this.#socket = socket;
    this.#ended = ended;
  }

  async take(length: number): Promise<Buffer> {
    while (this.#held.length < length) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk !== null) this.#held = Buffer.concat([this.#held, chunk]);
      else await Promise.race([this.#ended, new Promise((resolve) => this.#socket.once('readable', resolve))]);
    }
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Gives back what nobody asked for: it is the target's. */
  close(): void {
    if (this.#held.length > 0) this.#socket.unshift(this.#held);
  }
}

function loginOf({ username, password }: URL): readonly [user: Buffer, password: Buffer] | undefined {
  if (username === '' && password === '') return undefined;
  return [Buffer.from(decodeURIComponent(username)), Buffer.from(decodeURIComponent(password))];
}

const withLength = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.of(bytes.length), bytes]);

/** Says hello, and who asks where the proxy wants to know (RFC 1929). */
async function greet(socket: Socket, inbox: Inbox, options: TunnelOptions): Promise<void> {
  const login = loginOf(options.proxy);
  socket.write(login === undefined ? Buffer.of(5, 1, 0) : Buffer.of(5, 2, 0, 2));
  const [version, method] = await inbox.take(2);
  if (version !== 5) throw refused(options, 'it does not speak SOCKS5', 'check scheme and port of the proxy');
  if (method === 0) return;
  const cure = 'put a user and a password the proxy accepts into its address: socks5://user:password@host:port';
  if (method !== 2 || login === undefined) throw refused(options, 'it requires a user and a password', cure);
  const [user, password] = login;
  if (user.length > 255 || password.length > 255) throw refused(options, 'user and password have 255 bytes at most');
  socket.write(Buffer.concat([Buffer.of(1), withLength(user), withLength(password)]));
  const [, status] = await inbox.take(2);
  if (status !== 0) throw refused(options, 'it does not accept the user and password', cure);
}

/** The groups of an IPv6 address, written out by the URL parser beforehand. */
function octetsOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from(host.split('.').map(Number));
  const [head = '', tail] = host.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0');
  return Buffer.from(
    [...before, ...zeros, ...after].flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 0xff];
    }),
  );
}

/** Names are resolved by the proxy: it may know some that this machine does not. */
function addressOf(target: string): Buffer {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
  const kind = isIP(host);
  const address = kind === 0 ? withLength(Buffer.from(host, 'ascii')) : octetsOf(host);
  return Buffer.concat([
    Buffer.of(kind === 0 ? 3 : kind === 4 ? 1 : 4),
    address,
    Buffer.of(Number(port) >> 8, Number(port) & 0xff),
  ]);
}

async function ask(socket: Socket, inbox: Inbox, options: TunnelOptions): Promise<void> {
  socket.write(Buffer.concat([Buffer.of(5, 1, 0), addressOf(options.target)]));
  const [version, status = 1, , kind] = await inbox.take(4);
  const [why, cure] = replies[status] ?? ['an unknown reason'];
  if (version !== 5 || status !== 0) throw refused(options, why, cure);
  // The address the proxy itself uses: of no interest, but in the way.
  await inbox.take((kind === 4 ? 16 : kind === 3 ? ((await inbox.take(1))[0] ?? 0) : 4) + 2);
}

/** A promise that only fails: when the signal aborts, or the socket ends. */
function ending(socket: Socket, { proxy, signal }: TunnelOptions): { failed: Promise<never>; forget: () => void } {
  let forget: () => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    const broken = (cause?: NodeJS.ErrnoException): void => {
      const why = cause?.code ?? cause?.message ?? 'it closed the connection';
      reject(new KilterError('TRANSPORT_PROXY', `the proxy ${proxy.host} cannot be used: ${why}`, { cause }));
    };
    const abort = (): void => reject(signal.reason as Error);
    const closed = (): void => broken();
    forget = () => {
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', broken).removeListener('end', closed).removeListener('close', closed);
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', broken).once('end', closed).once('close', closed);
  });
  // Looked at only by those who wait; afterwards its failure is not news.
  failed.catch(() => undefined);
  return { failed, forget };
}

/** A socket that leads through a SOCKS5 proxy (RFC 1928) to the target. */
export async function openSocksTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy } = options;
  options.signal.throwIfAborted();
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: proxy.port === '' ? 1080 : Number(proxy.port), noDelay: true });
  options.opened?.(socket);
  const { failed, forget } = ending(socket, options);
  try {
    await Promise.race([failed, new Promise((resolve) => socket.once('connect', resolve))]);
    const inbox = new Inbox(socket, failed);
    await greet(socket, inbox, options);
    await ask(socket, inbox, options);
    inbox.close();
    return socket;
  } catch (error) {
    // A late failure of a socket that nobody waits for is not news.
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  } finally {
    forget();
  }
}
