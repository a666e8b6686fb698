import { isIP } from 'node:net';
import { createAuthority, issue } from 'kilter/certificates';
import { listen, type Listener, type ListenOptions, type ServerRequest, type ServerResponse } from './http/index.ts';

export interface ServeOptions extends ListenOptions {
  /** Plain HTTP/1.1 instead of TLS. Default: false, with a certificate made for this listener unless one is given. */
  readonly plain?: boolean | undefined;
}

/** A listener with the authority of its certificate; undefined for plain HTTP and for a certificate that was given. */
export interface Serving {
  readonly listener: Listener;
  readonly ca: string | undefined;
}

type Handle = (request: ServerRequest) => Promise<ServerResponse>;

const days = 30;

function ownPair(now: number, host: string): { cert: string; key: string; ca: string } {
  const authority = createAuthority({ name: 'kilter-apiserver', now, days });
  const leaf = issue(authority, {
    name: 'localhost',
    dnsNames: [...new Set(['localhost', ...(isIP(host) === 0 ? [host] : [])])],
    ipAddresses: [...new Set(['127.0.0.1', ...(isIP(host) === 0 ? [] : [host])])],
    now,
    days,
    usage: 'server',
  });
  return { cert: leaf.certificate, key: leaf.key, ca: authority.certificate };
}

/** Serves on a socket, over TLS unless told otherwise. */
export async function serve(handle: Handle, options: ServeOptions, now: number): Promise<Serving> {
  const { plain = false, host = '127.0.0.1', cert, key, ...rest } = options;
  if (plain) return { listener: await listen(handle, { ...rest, host }), ca: undefined };
  if (cert !== undefined && key !== undefined) {
    return { listener: await listen(handle, { ...rest, host, cert, key }), ca: undefined };
  }
  const own = ownPair(now, host);
  return { listener: await listen(handle, { ...rest, host, cert: own.cert, key: own.key }), ca: own.ca };
}
