import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { type ReadFile, readRequired, readTextFile } from './environment.ts';

/** What is sent to prove who asks. */
export interface Credentials {
  /** The value of the `authorization` header, if there is one. */
  authorization(): Promise<string | undefined>;
  /** Certificates, those in files and of plugins read again as they age. */
  tls(): Promise<TlsMaterial>;
  /** The `impersonate-*` headers, in lower case; fixed. */
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>;
  /** After a 401: the next `authorization` reads its source again. False where there is no source to read. */
  renew(): Promise<boolean>;
}

/** What a TLS handshake needs, as it is now. */
export interface TlsMaterial {
  /** The same number: the same material. Another one: open new connections, and let the old ones drain. */
  readonly version: number;
  /** PEM. */
  readonly ca?: string | undefined;
  /** PEM. */
  readonly cert?: string | undefined;
  /** PEM. */
  readonly key?: string | undefined;
}

export interface CredentialsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly readFile?: ReadFile | undefined;
}

// The kubelet replaces a service account's token well before it ends; client-go reads it every minute too.
const tokenAge = 60_000;

// A line break inside would end the header: such a token is refused, and not shown.
function bearer(token: string, where: string): string {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new KilterError('CONFIG_MALFORMED', `the token of ${where} is empty or holds blanks or control characters`);
  }
  return `Bearer ${trimmed}`;
}

/** The credentials of a configuration, those in files read again as they age. */
export function credentials(config: ConnectionConfig, options: CredentialsOptions): Credentials {
  const { token, tokenFile, ca, clientCertificate: cert, clientKey: key } = config;
  const certificates = { tls: () => Promise.resolve({ version: 0, ca, cert, key }), impersonation: {} };
  if (tokenFile === undefined) {
    const fixed = token === undefined ? undefined : bearer(token, 'the configuration');
    return { ...certificates, authorization: () => Promise.resolve(fixed), renew: () => Promise.resolve(false) };
  }
  const read = options.readFile ?? readTextFile;
  /** The last header made from the file; forgotten after a 401, so that a refused token is never sent again unread. */
  let held: { readonly header: string; readonly at: number } | undefined;
  return {
    ...certificates,
    authorization: async () => {
      const now = options.clock.monotonic();
      if (held !== undefined && now - held.at < tokenAge) return held.header;
      const header = bearer(await readRequired(tokenFile, read, 'the configuration'), tokenFile);
      held = { header, at: now };
      return header;
    },
    renew: () => {
      held = undefined;
      return Promise.resolve(true);
    },
  };
}
