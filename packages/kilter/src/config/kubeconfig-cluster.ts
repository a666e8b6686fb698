import { type ConnectionConfig, type ServerAddress, splitServer } from './connection-config.ts';
import { type Entry, fromFolderOf } from './kubeconfig-files.ts';
import { readRequired } from './environment.ts';
import { readAuthorities } from './pem.ts';
import { parseProxyUrl } from './proxy.ts';
import {
  asYaml11,
  children,
  flag,
  malformed,
  type Mapping,
  place,
  required,
  text,
  unknownFields,
} from './yaml-document.ts';

const known = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
  'extensions',
];

/** What a cluster says of a connection. */
export type ClusterPart = Pick<
  ConnectionConfig,
  'server' | 'ca' | 'caFile' | 'insecure' | 'tlsServerName' | 'proxyUrl' | 'disableCompression'
>;

export interface Cluster {
  readonly connection: ClusterPart;
  /** The user and password in the server's address. */
  readonly login: ServerAddress['login'];
  /** The cluster as an exec plugin receives it, if it asks for it. */
  readonly forPlugins: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

const base64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** The text behind `<key>-data`. */
function decoded(part: Mapping, key: string): string | undefined {
  const data = text(part, `${key}-data`);
  if (data === undefined) return undefined;
  const where = place(part, `${key}-data`);
  if (!base64.test(data)) throw malformed(`${where} is not base64`, 'write it in one line without other characters');
  return Buffer.from(data, 'base64').toString('utf8');
}

/** PEM from a kubeconfig: inline, or in a file. */
export interface Material {
  readonly data: string | undefined;
  readonly file: string | undefined;
  /** The PEM itself, wherever it came from, and where that is. */
  readonly now: { readonly pem: string; readonly where: string } | undefined;
}

/** `<key>-data` (base64) or `<key>` (a path, relative to the kubeconfig); kubectl refuses both at once, too. */
export async function material({ fields, file, readFile }: Entry, key: string): Promise<Material> {
  const data = decoded(fields, key);
  const path = text(fields, key);
  if (data !== undefined && path !== undefined) {
    throw malformed(`${fields.where} has both ${key} and ${key}-data`, 'remove one of the two');
  }
  if (data !== undefined) return { data, file: undefined, now: { pem: data, where: place(fields, `${key}-data`) } };
  if (path === undefined) return { data, file: undefined, now: undefined };
  const full = fromFolderOf(file, path);
  const pem = await readRequired(full, readFile, place(fields, key));
  return { data, file: full, now: { pem, where: full } };
}

/** Reserved by Kubernetes: what stands there is meant for the exec plugin. */
const execExtension = 'client.authentication.k8s.io/exec';

function pluginConfig(cluster: Mapping): unknown {
  const found = children(cluster, 'extensions').find((extension) => text(extension, 'name') === execExtension);
  return asYaml11(found?.fields.get('extension'));
}

function forPlugins(part: ClusterPart, ca: string | undefined, config: unknown): Record<string, unknown> {
  return {
    server: part.server,
    ...(part.tlsServerName !== undefined && { 'tls-server-name': part.tlsServerName }),
    ...(part.insecure === true && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca, 'utf8').toString('base64') }),
    ...(part.proxyUrl !== undefined && { 'proxy-url': part.proxyUrl }),
    ...(part.disableCompression === true && { 'disable-compression': true }),
    ...(config !== undefined && { config }),
  };
}

function warningsOf(fields: Mapping, insecure: boolean): string[] {
  return [
    ...(insecure ? [`${fields.where}: certificates are not checked (insecure-skip-tls-verify)`] : []),
    ...unknownFields(fields, known),
  ];
}

export async function clusterOf(entry: Entry): Promise<Cluster> {
  const { fields } = entry;
  const { server, login } = splitServer(required(fields, 'server'), place(fields, 'server'));
  const insecure = flag(fields, 'insecure-skip-tls-verify');
  const ca = await material(entry, 'certificate-authority');
  if (insecure && ca.now !== undefined) {
    throw malformed(`${fields.where} has an authority and insecure-skip-tls-verify`, 'remove one of the two');
  }
  const trusted = ca.now === undefined ? undefined : readAuthorities(ca.now.pem, ca.now.where);
  const proxy = text(fields, 'proxy-url');
  const connection: ClusterPart = {
    server,
    ca: ca.data === undefined ? undefined : trusted?.pem,
    caFile: ca.file,
    insecure,
    tlsServerName: text(fields, 'tls-server-name'),
    proxyUrl: proxy === undefined ? undefined : parseProxyUrl(proxy, place(fields, 'proxy-url')),
    disableCompression: flag(fields, 'disable-compression'),
  };
  return {
    connection,
    login,
    forPlugins: forPlugins(connection, ca.now?.pem, pluginConfig(fields)),
    warnings: [...warningsOf(fields, insecure), ...(trusted?.warnings ?? [])],
  };
}
