import { isIP } from 'node:net';
import { createAuthority, issue } from 'kilter/certificates';
import type { ClientAuthority } from './client-authority.ts';
import { listen, type Listener, type ListenOptions, type ServerRequest, type ServerResponse } from './http/index.ts';

/** The options of a server on a socket, with or without TLS. */
export interface ServeOptions extends ListenOptions {
  /** Plain HTTP/1.1 instead of TLS. Default: false, with a certificate made for this listener unless one is given. */
  readonly plain?: boolean | undefined;
}

/** A listener with the authority of its certificate; undefined for plain HTTP and for a certificate that was given. */
export interface Serving {
  readonly listener: Listener;
  readonly ca: string | undefined;
}

/** What a listener is served with unless its options say otherwise. */
export interface ServingDefaults {
  readonly authority: ServingAuthority;
  readonly clients: ClientAuthority;
}

type Handle = (request: ServerRequest) => Promise<ServerResponse>;

const days = 30;

/** Signs the certificates of a server's listeners; made when the first of them needs one. */
export class ServingAuthority {
  readonly #now: () => number;
  #authority: ReturnType<typeof createAuthority> | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Its certificate, in PEM; empty as long as nothing is served by it. */
  get published(): string {
    return this.#authority?.certificate ?? '';
  }

  pair(host: string): { cert: string; key: string; ca: string } {
    const now = this.#now();
    const authority = (this.#authority ??= createAuthority({ name: 'kilter-apiserver', now, days: 3650 }));
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
}

/** Serves on a socket, over TLS unless the options say otherwise. */
export async function serve(
  handle: Handle,
  options: ServeOptions,
  { authority, clients }: ServingDefaults,
): Promise<Serving> {
  const { plain = false, host = '127.0.0.1', cert, key, ...given } = options;
  const rest = plain ? given : { ...given, clientCa: given.clientCa ?? clients.certificate };
  if (plain) return { listener: await listen(handle, { ...rest, host }), ca: undefined };
  if (cert !== undefined && key !== undefined) {
    return { listener: await listen(handle, { ...rest, host, cert, key }), ca: undefined };
  }
  const own = authority.pair(host);
  return { listener: await listen(handle, { ...rest, host, cert: own.cert, key: own.key }), ca: own.ca };
}
