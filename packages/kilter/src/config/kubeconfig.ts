import { dirname, resolve } from 'node:path';
import { KilterError } from '../errors/index.ts';
import { type LoadedConfig, parseServer } from './connection-config.ts';
import { type ReadFile, readRequired } from './environment.ts';
import { child, children, flag, malformed, type Mapping, parseMapping, says, text } from './yaml-document.ts';

export interface KubeconfigFile {
  readonly path: string;
  readonly content: string;
  /** Default: the file's `current-context`. */
  readonly context?: string | undefined;
  readonly readFile: ReadFile;
}

const unsupportedInCluster = {
  'proxy-url': 'a proxy (proxy-url)',
} as const;
const unsupportedInUser = {
  exec: 'a login by an exec plugin (exec)',
  'auth-provider': 'a login by an auth provider (auth-provider)',
  username: 'basic authentication (username, password)',
  password: 'basic authentication (username, password)',
  as: 'impersonation (as)',
  'as-uid': 'impersonation (as-uid)',
  'as-groups': 'impersonation (as-groups)',
  'as-user-extra': 'impersonation (as-user-extra)',
} as const;

function refuseUnsupported(part: Mapping, unsupported: Readonly<Record<string, string>>): void {
  for (const [key, what] of Object.entries(unsupported)) {
    if (says(part, key)) throw new KilterError('CONFIG_UNSUPPORTED', `${part.where} asks for ${what}`);
  }
}

function unknownName(message: string, there: readonly string[]): KilterError {
  const names = there.length === 0 ? 'it has none' : `it has ${there.join(', ')}`;
  return new KilterError('CONFIG_NAME_UNKNOWN', `${message}; ${names}`);
}

/** The entry of that name in one of the lists of named things. */
function named(file: Mapping, list: 'contexts' | 'clusters' | 'users', name: string): Mapping {
  const entries = children(file, list);
  const found = entries.find((entry) => text(entry, 'name') === name);
  const one = list.slice(0, -1);
  if (found !== undefined) return child(found, one);
  const there = entries.flatMap((entry) => text(entry, 'name') ?? []);
  throw unknownName(`${file.where} there is no ${one} ${JSON.stringify(name)}`, there);
}

/** The context to use, with its name. */
function chosenContext(file: Mapping, wanted: string | undefined): { name: string; context: Mapping } {
  const name = wanted ?? text(file, 'current-context');
  if (name !== undefined) return { name, context: named(file, 'contexts', name) };
  const there = children(file, 'contexts').flatMap((entry) => text(entry, 'name') ?? []);
  throw unknownName(`${file.where} no current-context is set`, there);
}

function required(part: Mapping, key: string): string {
  const value = text(part, key);
  if (value === undefined) throw malformed(`${part.where}.${key} is missing`);
  return value;
}

/** `<key>-data` (base64) before `<key>` (a path, relative to the kubeconfig). */
async function pem(part: Mapping, key: string, file: KubeconfigFile): Promise<string | undefined> {
  const data = text(part, `${key}-data`);
  const path = text(part, key);
  if (data === undefined) return path === undefined ? undefined : readNamed(path, `${part.where}.${key}`, file);
  const decoded = Buffer.from(data, 'base64').toString('utf8');
  if (!decoded.includes('-----BEGIN ')) throw malformed(`${part.where}.${key}-data is no base64 of PEM`);
  return decoded;
}

const fromFolderOf = (file: KubeconfigFile, path: string): string => resolve(dirname(file.path), path);

function readNamed(path: string, namedBy: string, file: KubeconfigFile): Promise<string> {
  return readRequired(fromFolderOf(file, path), file.readFile, namedBy);
}

async function clusterPart(
  cluster: Mapping,
  file: KubeconfigFile,
): Promise<Partial<LoadedConfig> & { server: string }> {
  refuseUnsupported(cluster, unsupportedInCluster);
  const server = required(cluster, 'server');
  parseServer(server, `${cluster.where}.server`);
  const insecure = flag(cluster, 'insecure-skip-tls-verify');
  const ca = await pem(cluster, 'certificate-authority', file);
  if (insecure && ca !== undefined) {
    throw malformed(`${cluster.where} has an authority and insecure-skip-tls-verify`, 'remove one of the two');
  }
  return { server, ca, insecure, tlsServerName: text(cluster, 'tls-server-name') };
}

async function userPart(user: Mapping, file: KubeconfigFile): Promise<Partial<LoadedConfig>> {
  refuseUnsupported(user, unsupportedInUser);
  const clientCertificate = await pem(user, 'client-certificate', file);
  const clientKey = await pem(user, 'client-key', file);
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw malformed(`${user.where} has only one of client-certificate and client-key`, 'give both or neither');
  }
  const tokenFile = text(user, 'tokenFile');
  return {
    clientCertificate,
    clientKey,
    token: text(user, 'token'),
    tokenFile: tokenFile === undefined ? undefined : fromFolderOf(file, tokenFile),
  };
}

/** The configuration one context of a kubeconfig file describes. */
export async function parseKubeconfig(file: KubeconfigFile): Promise<LoadedConfig> {
  const document = parseMapping(file.content, file.path);
  const { name, context } = chosenContext(document, file.context);
  const cluster = await clusterPart(named(document, 'clusters', required(context, 'cluster')), file);
  const userName = text(context, 'user');
  const user = userName === undefined ? {} : await userPart(named(document, 'users', userName), file);
  return {
    ...cluster,
    ...user,
    namespace: text(context, 'namespace') ?? 'default',
    source: `context ${name} of ${file.path}`,
    warnings:
      cluster.insecure === true ? [`${file.path}: certificates are not checked (insecure-skip-tls-verify)`] : [],
  };
}
