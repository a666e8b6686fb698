import { hasCode, KilterError } from '../errors/index.ts';
import { forbiddenAddress } from './address-guard.ts';
import { type LoadedConfig, parseServer } from './connection-config.ts';
import { type Environment, processEnvironment } from './environment.ts';
import { environmentProxy } from './proxy.ts';
import { discreet } from './redaction.ts';

/** What a kubeconfig that somebody else wrote may ask for only where the program allows it. */
export type AllowedField = 'basic auth' | 'http' | 'impersonate' | 'insecure' | 'local addresses' | 'proxy-url';

export interface ForeignKubeconfig {
  /** The kubeconfig itself, as text: the decoded value of a Secret. */
  readonly text: string;
  /** Default: nothing but a server, its CA, a token and a client certificate, all of them inline. */
  readonly allow?: readonly AllowedField[] | undefined;
  /** A context of it. Default: its current one. */
  readonly context?: string | undefined;
  /** The namespace used where none is given. Default: that of the context. */
  readonly namespace?: string | undefined;
  readonly env?: Environment | undefined;
}

const name = 'the kubeconfig';

function refused(what: string, cure: string): KilterError {
  return new KilterError('CONFIG_FOREIGN_REFUSED', `${name} ${what}`, { cure });
}

const cure = (field: AllowedField): string => `leave it out, or allow it: allow: ['${field}']`;
const loginCure = 'use a token or a client certificate';
const inline = 'put the content itself into it, as …-data';

/** Programs and files of this process are never at the disposal of the author of the text: nothing allows them. */
function checkNever(config: LoadedConfig): void {
  if (config.exec !== undefined) throw refused('runs a program (exec)', loginCure);
  const files = {
    caFile: 'certificate-authority',
    tokenFile: 'tokenFile',
    clientCertificateFile: 'client-certificate',
  };
  for (const [field, written] of Object.entries({ ...files, clientKeyFile: 'client-key' })) {
    if (config[field as keyof LoadedConfig] !== undefined) throw refused(`names a file (${written})`, inline);
  }
}

function checkAllowed(config: LoadedConfig, allow: ReadonlySet<AllowedField>): void {
  const { protocol } = parseServer(config.server);
  const asked: readonly (readonly [AllowedField, boolean, string])[] = [
    ['http', protocol !== 'https:', 'has a server that is not https'],
    ['insecure', config.insecure === true, 'does not check certificates (insecure-skip-tls-verify)'],
    ['proxy-url', config.proxyUrl !== undefined, 'sends requests through a proxy (proxy-url)'],
    ['basic auth', config.username !== undefined || config.password !== undefined, 'logs in with a password'],
    ['impersonate', config.impersonate !== undefined, 'impersonates somebody else (as)'],
  ];
  for (const [field, isAsked, what] of asked) if (isAsked && !allow.has(field)) throw refused(what, cure(field));
}

/**
 * The configuration of a kubeconfig that somebody else wrote: who may write a Secret must not run programs, read files or
 * reach addresses of this process by it. Names are checked again when they are resolved.
 */
export async function loadForeign(given: ForeignKubeconfig): Promise<LoadedConfig> {
  const env = given.env ?? processEnvironment();
  const allow = new Set(given.allow ?? []);
  // An anchor is all it takes to make a small text large.
  if (/(^|[\s[{,:-])[&*][^\s,[\]{}]/m.test(withoutQuotes(given.text))) {
    throw refused('has anchors or aliases', 'write the values out');
  }
  let named: KilterError | undefined;
  const readFile = (): Promise<never> => Promise.reject((named ??= refused('names a file', inline)));
  const { parseKubeconfig } = await import('./kubeconfig.ts');
  const parsing = parseKubeconfig({
    files: [{ path: name, content: given.text }],
    context: given.context,
    readFile,
  });
  const config = await parsing.catch((error: unknown) => {
    if (named !== undefined) throw named;
    // Its own cure is a program, which is not for strangers either.
    if (hasCode(error, 'CONFIG_AUTH_PROVIDER')) throw refused('logs in by an auth-provider', loginCure);
    throw error;
  });
  checkNever(config);
  checkAllowed(config, allow);
  const guardAddress = allow.has('local addresses') ? undefined : forbiddenAddress(env);
  const server = parseServer(config.server);
  const why = guardAddress?.(server.hostname.replace(/^\[|\]$/g, ''));
  if (why !== undefined) throw refused(`leads to ${server.hostname}: ${why}`, cure('local addresses'));
  return discreet({
    ...config,
    guardAddress,
    proxyUrl: config.proxyUrl ?? environmentProxy(server, env),
    namespace: given.namespace ?? config.namespace,
  });
}

/** Keys and tokens may hold any sign. */
function withoutQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/gs, '""');
}
