import { KilterError } from '../errors/index.ts';

/** Where an API server is and how to log in. Contains secrets: log only the result of `redacted`. */
export interface ConnectionConfig {
  /** `https://host:port`, with a path if the server is behind a prefix. */
  readonly server: string;
  /** PEM of the authorities to trust. Default: those of Node and of the system; kubectl trusts the system's, too. */
  readonly ca?: string | undefined;
  /** Takes precedence over `ca`; read again at least every minute. */
  readonly caFile?: string | undefined;
  readonly token?: string | undefined;
  /** Takes precedence over `token`; read again at least every minute. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A program that logs in; its token or certificate is kept until it expires or is refused. */
  readonly exec?: ExecPlugin | undefined;
  /** PEM. */
  readonly clientCertificate?: string | undefined;
  /** PEM. */
  readonly clientKey?: string | undefined;
  /** Takes precedence over `clientCertificate`; read again at least every minute. */
  readonly clientCertificateFile?: string | undefined;
  /** Takes precedence over `clientKey`. */
  readonly clientKeyFile?: string | undefined;
  /** The name the server's certificate is checked against. Default: the host of `server`. */
  readonly tlsServerName?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
  /**
   * `http://host:port` or `https://host:port` of a proxy that understands CONNECT, or `socks5://host:port`; may contain
   * a user and a password.
   */
  readonly proxyUrl?: string | undefined;
  /** Do not ask for compressed answers. Default: false. */
  readonly disableCompression?: boolean | undefined;
  /** Impersonate somebody else. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * Called for every address before a socket is opened to it; returns why the address is refused. Default: all are
   * allowed.
   */
  readonly guardAddress?: ((address: string) => string | undefined) | undefined;
  /** The namespace used where none is given. */
  readonly namespace: string;
}

/** Whom to act as: the `Impersonate-*` headers. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A credential plugin as a kubeconfig describes it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string | undefined;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** The cluster as JSON, for plugins that ask for it. */
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
}

/** A configuration, where it was found, and its warnings. */
export interface LoadedConfig extends ConnectionConfig {
  /** Where it was found, for messages. */
  readonly source: string;
  /** Settings that are ignored or dangerous; log them at start. */
  readonly warnings: readonly string[];
}

// Stricter than the parser of URLs, which drops blanks and line breaks, turns backslashes and takes `https:host`.
const httpAddress = /^https?:\/\/[^\s\\]+$/i;

function addressOf(server: string, where: string): URL {
  if (httpAddress.test(server) && URL.canParse(server)) return new URL(server);
  throw new KilterError('CONFIG_MALFORMED', `${where} is not an address of HTTP`, {
    cure: 'write it as https://host:port, with its scheme',
  });
}

/** A server's address, and the user and password that stood in it. */
export interface ServerAddress {
  readonly server: string;
  readonly login: { readonly username: string; readonly password: string } | undefined;
}

/** Takes user and password out of an address: every request carries them in its header, and no message shows them. */
export function splitServer(server: string, where: string): ServerAddress {
  const { username, password } = addressOf(server, where);
  if (username === '' && password === '') return { server, login: undefined };
  const plain = server.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
  try {
    return {
      server: plain,
      login: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
    };
  } catch {
    throw new KilterError('CONFIG_MALFORMED', `${where} contains a user or password that is not percent-encoded`, {
      cure: 'write % as %25',
    });
  }
}

/** The server's address; refused where it is no `http(s)://` address or carries a password. */
export function parseServer(server: string, where = 'server'): URL {
  const url = addressOf(server, where);
  if (url.username !== '' || url.password !== '') {
    throw new KilterError('CONFIG_UNSUPPORTED', `${where} contains a user name or password`, {
      cure: 'give them as username and password, or use a token or a client certificate',
    });
  }
  return url;
}
