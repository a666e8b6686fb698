import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { KilterError } from '../errors/index.ts';
import { http, https } from '../internal/index.ts';
import { commonAuthorities } from './common-authorities.ts';
import { identityProblem } from './server-identity.ts';

export interface TunnelOptions {
  /** `http:`, `https:` or `socks5:`; may hold a user and a password, which no message shows. */
  readonly proxy: URL;
  /** `host:port`. */
  readonly target: string;
  /** Trusted for the proxy as well, beside those everybody trusts: PEM. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
  readonly signal: AbortSignal;
  /** Told of the socket to the proxy before it is connected. Default: nobody. */
  readonly opened?: ((socket: Socket) => void) | undefined;
}

const refusals: Readonly<Record<number, string>> = {
  403: 'allow the API server in the rules of the proxy, or leave the proxy out with NO_PROXY',
  407: 'put a user and a password the proxy accepts into proxy-url: http://user:password@host:port',
};

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain, 'utf8').toString('base64')}` };
}

function start({ proxy, target, ca, insecure }: TunnelOptions): ClientRequest {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const common = {
    method: 'CONNECT',
    host,
    path: target,
    agent: false,
    headers: { host: target, ...authorization(proxy) },
  } as const;
  if (proxy.protocol === 'http:') return http.request({ ...common, port: proxy.port === '' ? 80 : Number(proxy.port) });
  return https().request({
    ...common,
    port: proxy.port === '' ? 443 : Number(proxy.port),
    rejectUnauthorized: !insecure,
    ...(isIP(host) === 0 && { servername: host }),
    checkServerIdentity: (_, certificate) => identityProblem(host, certificate),
    ca: [...commonAuthorities(), ...(ca === undefined ? [] : [ca])],
    allowPartialTrustChain: true,
  });
}

/** A socket that leads through a proxy to the target. What it carries is not the proxy's to read: TLS goes inside. */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, target, signal } = options;
  return new Promise((resolve, reject) => {
    const outgoing = start(options);
    if (options.opened !== undefined) outgoing.once('socket', options.opened);
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', abort);
      outgoing.destroy();
      reject(error as Error);
    };
    const abort = (): void => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code ?? cause.message;
      fail(new KilterError('TRANSPORT_PROXY', `the proxy ${proxy.host} cannot be used: ${why}`, { cause }));
    });
    outgoing.once('connect', (answer: IncomingMessage, socket: Socket, head: Buffer) => {
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 299) {
        socket.destroy();
        const message = `the proxy ${proxy.host} refused a tunnel to ${target}: ${status} ${answer.statusMessage ?? ''}`;
        fail(new KilterError('TRANSPORT_PROXY', message.trimEnd(), { cure: refusals[status] }));
        return;
      }
      signal.removeEventListener('abort', abort);
      // Bytes of the target that came with the proxy's answer.
      if (head.length > 0) socket.unshift(head);
      socket.setNoDelay(true);
      resolve(socket);
    });
    outgoing.end();
  });
}
