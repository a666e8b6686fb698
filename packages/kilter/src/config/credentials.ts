import { KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import { basic, bearer } from './authorization.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { atTerminal, type Environment, processEnvironment, type ReadFile, readTextFile } from './environment.ts';
import { runPlugin, type RunPlugin } from './exec-process.ts';
import { ExecSource } from './exec-source.ts';
import { authoritySource, type FileTools, pairSource, sparing, tokenSource } from './file-sources.ts';
import { impersonationHeaders } from './impersonation.ts';
import type { CertificatePair } from './pem.ts';

/** What is sent to prove who asks. */
export interface Credentials {
  /** The value of the `authorization` header, if there is one. */
  authorization(): Promise<string | undefined>;
  /** Certificates, those in files and of plugins read again as they age. */
  tls(): Promise<TlsMaterial>;
  /**
   * What `authorization` and `tls` would give, where nothing has aged: a request then leaves in the turn it was made.
   * Undefined where something must be read or asked for first.
   */
  now(): HeldCredentials | undefined;
  /** The `impersonate-*` headers, in lower case; fixed. */
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>;
  /**
   * After a 401: the next `authorization` reads its source again, whatever its age. False where there is no source to read.
   * With the header that was refused, nothing is read where another one is held by now: of a hundred requests that
   * fail together, one renews. A plugin is not run again within a second, and more and more rarely (at most 30 s
   * apart) while its credentials are refused at once.
   */
  renew(refused?: string): Promise<boolean>;
  /** Nobody asks any more: an exec plugin under way is ended, with all it started, and none is run again. */
  close(): void;
}

/** Credentials at hand. */
export interface HeldCredentials {
  readonly authorization: string | undefined;
  readonly material: TlsMaterial;
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
  readonly clock: Pick<Clock, 'monotonic' | 'now' | 'timer'>;
  readonly readFile?: ReadFile | undefined;
  /**
   * Called when a file cannot be read, or is not whole, and its last good content is used on; at most once a minute for
   * each file. Default: not reported.
   */
  readonly warn?: ((message: string) => void) | undefined;
  /**
   * Milliseconds an exec plugin has to answer before it is ended with all it started. Default: 60,000, and 300,000
   * where it may ask a person at the terminal. Longer for slow identity providers.
   */
  readonly execTimeout?: number | undefined;
  /** How an exec plugin is run. Default: as a child process. */
  readonly runPlugin?: RunPlugin | undefined;
  /** What an exec plugin finds in its environment. Default: that of the process. */
  readonly env?: Environment | undefined;
  /** Whether a person sits at the terminal, for exec plugins. Default: whether the standard input is one. */
  readonly terminal?: (() => boolean) | undefined;
}

const here = 'the configuration';

/** Numbers the material: the number grows when any of it changes. */
function numbered(): (material: Omit<TlsMaterial, 'version'>) => TlsMaterial {
  let last: TlsMaterial = { version: 0 };
  let first = true;
  return ({ ca, cert, key }) => {
    if (!first && last.ca === ca && last.cert === cert && last.key === key) return last;
    last = { version: first ? 0 : last.version + 1, ca, cert, key };
    first = false;
    return last;
  };
}

/** Each of the two may be at hand without waiting (`…Now`). */
interface Login {
  authorization(): Promise<string | undefined>;
  authorizationNow(): { readonly value: string | undefined } | undefined;
  pair(): Promise<CertificatePair | undefined>;
  pairNow(): { readonly value: CertificatePair | undefined } | undefined;
  renew(refused: string | undefined): boolean;
  close?(): void;
}

function headerOf({ token, username, password }: ConnectionConfig): string | undefined {
  if (token !== undefined) return bearer(token, here);
  return username === undefined ? undefined : basic(username, password ?? '');
}

type TokenLogin = Omit<Login, 'pair' | 'pairNow'>;

function tokenFileLogin(config: ConnectionConfig, tokenFile: string, tools: FileTools): TokenLogin {
  const source = tokenSource(tokenFile, headerOf(config), tools);
  /** The header last handed out; compared with the one a server refused. */
  let last: string | undefined;
  return {
    authorization: async () => (last = await source.get()),
    authorizationNow: () => {
      const held = source.now();
      last = held?.value ?? last;
      return held;
    },
    renew: (refused) => {
      if (refused === undefined || refused === last) source.forget();
      return true;
    },
  };
}

function fixedLogin(config: ConnectionConfig, tools: FileTools): Login {
  const pair = pairSource(config, tools);
  const header = { value: headerOf(config) };
  const token: TokenLogin =
    config.tokenFile === undefined
      ? { authorization: () => Promise.resolve(header.value), authorizationNow: () => header, renew: () => false }
      : tokenFileLogin(config, config.tokenFile, tools);
  return {
    authorization: token.authorization,
    authorizationNow: token.authorizationNow,
    pair: () => pair.get(),
    pairNow: () => pair.now(),
    renew: (refused) => {
      // A certificate that has ended is refused with 401, too; its files may hold the next one.
      pair.expire?.();
      return token.renew(refused) || pair.expire !== undefined;
    },
  };
}

function checkLogin({ token, tokenFile, username, password }: ConnectionConfig): void {
  if (password !== undefined && username === undefined) {
    throw new KilterError('CONFIG_MALFORMED', `${here} has a password and no user name`, { cure: 'add the user name' });
  }
  if (username === undefined || (token === undefined && tokenFile === undefined)) return;
  throw new KilterError('CONFIG_MALFORMED', `${here} has a token and a user name with password`, {
    cure: 'remove one of the two',
  });
}

/** kubectl's rule: a plugin is asked only where nothing else logs in. */
function loginOf(config: ConnectionConfig, tools: FileTools, exec: () => ExecSource | undefined): Login {
  checkLogin(config);
  const { token, tokenFile, username, clientCertificate, clientCertificateFile } = config;
  const others = [token, tokenFile, username, clientCertificate, clientCertificateFile];
  const plugin = others.every((other) => other === undefined) ? exec() : undefined;
  if (plugin === undefined) return fixedLogin(config, tools);
  return {
    authorization: async () => (await plugin.get()).authorization,
    authorizationNow: () => {
      const held = plugin.now();
      return held && { value: held.value.authorization };
    },
    pair: async () => (await plugin.get()).pair,
    pairNow: () => {
      const held = plugin.now();
      return held && { value: held.value.pair };
    },
    renew: (refused) => {
      plugin.refuse(refused);
      return true;
    },
    close: () => plugin.close(),
  };
}

/** The credentials of a configuration, those in files and of plugins renewed as they age. */
export function credentials(config: ConnectionConfig, options: CredentialsOptions): Credentials {
  const { clock, env = processEnvironment(), terminal = atTerminal } = options;
  const tools: FileTools = { clock, read: options.readFile ?? readTextFile, warn: options.warn ?? (() => undefined) };
  const authority = authoritySource(config, tools);
  const ca = (): Promise<string | undefined> => authority.get();
  const run = options.runPlugin ?? runPlugin;
  const timeout = options.execTimeout;
  const login = loginOf(config, tools, () =>
    config.exec === undefined
      ? undefined
      : new ExecSource(config.exec, { clock, run, env, terminal, timeout, ca, warn: sparing(tools) }),
  );
  const version = numbered();
  return {
    impersonation: impersonationHeaders(config.impersonate),
    authorization: () => login.authorization(),
    tls: async () => {
      const pair = await login.pair();
      return version({ ca: await ca(), cert: pair?.cert, key: pair?.key });
    },
    now: () => {
      const authorization = login.authorizationNow();
      const pair = login.pairNow();
      const authorityNow = authority.now();
      if (authorization === undefined || pair === undefined || authorityNow === undefined) return undefined;
      const material = version({ ca: authorityNow.value, cert: pair.value?.cert, key: pair.value?.key });
      return { authorization: authorization.value, material };
    },
    renew: (refused) => Promise.resolve(login.renew(refused)),
    close: () => login.close?.(),
  };
}
