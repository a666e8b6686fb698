import { KilterError } from '../errors/index.ts';
import { bearer } from './authorization.ts';
import type { ConnectionConfig, Impersonation } from './connection-config.ts';
import { readRequired } from './environment.ts';
import { impersonationHeaders } from './impersonation.ts';
import { type Cluster, material } from './kubeconfig-cluster.ts';
import { execPluginOf } from './kubeconfig-exec.ts';
import { type Entry, fromFolderOf } from './kubeconfig-files.ts';
import { checkPair } from './pem.ts';
import { child, malformed, type Mapping, place, says, text, texts, unknownFields } from './yaml-document.ts';

const known = [
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'token',
  'tokenFile',
  'username',
  'password',
  'as',
  'as-uid',
  'as-groups',
  'as-user-extra',
  'auth-provider',
  'exec',
  'extensions',
];

/** What a user says of a connection. */
export type UserPart = Omit<Partial<ConnectionConfig>, 'server' | 'namespace'>;

export interface User {
  readonly connection: UserPart;
  readonly warnings: readonly string[];
}

// The plugin that took the place of each provider.
const successors: ReadonlyMap<string, string> = new Map([
  ['gcp', 'gke-gcloud-auth-plugin: run `gcloud container clusters get-credentials` with it installed'],
  ['azure', 'kubelogin of Azure: run `kubelogin convert-kubeconfig`'],
  ['oidc', 'kubectl oidc-login (kubelogin): run `kubectl oidc-login setup`, which prints the exec entry to write'],
  ['openstack', 'client-keystone-auth of cloud-provider-openstack'],
]);

function refuseAuthProvider(user: Mapping): void {
  if (!says(user, 'auth-provider')) return;
  const name = text(child(user, 'auth-provider'), 'name') ?? '';
  const plugin = successors.get(name);
  const which = plugin === undefined ? 'an auth-provider' : `the auth-provider ${name}`;
  throw new KilterError('CONFIG_AUTH_PROVIDER', `${user.where} logs in by ${which}`, {
    cure: plugin === undefined ? undefined : `use the exec plugin ${plugin}`,
  });
}

async function certificatePart(entry: Entry): Promise<UserPart> {
  const { fields } = entry;
  const cert = await material(entry, 'client-certificate');
  if (cert.now === undefined) return {};
  const key = await material(entry, 'client-key');
  if (key.now === undefined) {
    throw malformed(`${fields.where} has a client-certificate and no client-key`, 'give both or neither');
  }
  checkPair({ cert: cert.now.pem, key: key.now.pem }, { cert: cert.now.where, key: key.now.where });
  return {
    clientCertificate: cert.data,
    clientCertificateFile: cert.file,
    clientKey: key.data,
    clientKeyFile: key.file,
  };
}

async function tokenPart({ fields, file, readFile }: Entry): Promise<UserPart> {
  const token = text(fields, 'token');
  const path = text(fields, 'tokenFile');
  if (token !== undefined) bearer(token, place(fields, 'token'));
  if (path === undefined) return token === undefined ? {} : { token };
  const tokenFile = fromFolderOf(file, path);
  // With a token beside it the file may come later, as in kubectl.
  if (token !== undefined) return { token, tokenFile };
  bearer(await readRequired(tokenFile, readFile, place(fields, 'tokenFile')), tokenFile);
  return { tokenFile };
}

function basicPart(fields: Mapping): UserPart {
  const username = text(fields, 'username');
  const password = text(fields, 'password');
  if (username === undefined && password === undefined) return {};
  if (username === undefined) throw malformed(`${place(fields, 'username')} is missing`, 'a password needs one');
  return { username, password: password ?? '' };
}

function extraOf(fields: Mapping): Record<string, string[]> {
  const extra = child(fields, 'as-user-extra');
  return Object.fromEntries([...extra.fields.keys()].map((key) => [key, texts(extra, key)]));
}

function impersonationPart(fields: Mapping): UserPart {
  const user = text(fields, 'as');
  const uid = text(fields, 'as-uid');
  const groups = texts(fields, 'as-groups');
  const extra = extraOf(fields);
  const hasExtra = Object.keys(extra).length > 0;
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && !hasExtra) return {};
    throw malformed(`${fields.where} has as-uid, as-groups or as-user-extra without as`, 'say whom to act as');
  }
  const impersonate: Impersonation = {
    user,
    ...(uid !== undefined && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(hasExtra && { extra }),
  };
  impersonationHeaders(impersonate);
  return { impersonate };
}

/** As in kubectl: without a certificate nobody looks at the key. */
function loneKey(fields: Mapping): string[] {
  if (says(fields, 'client-certificate') || says(fields, 'client-certificate-data')) return [];
  const keys = ['client-key', 'client-key-data'].filter((key) => says(fields, key));
  return keys.map((key) => `${place(fields, key)} is not used: there is no client-certificate`);
}

/** As in kubectl, and in every browser: what is in the address comes before other ways to fill the header. */
function withAddress({ connection, warnings }: User, login: NonNullable<Cluster['login']>, where: string): User {
  const { token, tokenFile, exec, username, password: _, ...rest } = connection;
  const others = [token, tokenFile, exec, username].some((other) => other !== undefined);
  const warning = `${where}: the user and password in the server's address are used, not these credentials`;
  return { connection: { ...rest, ...login }, warnings: others ? [...warnings, warning] : warnings };
}

/** kubectl's rules: a header holds one of token and password, and either or a certificate comes before a plugin. */
function combined(fields: Mapping, parts: readonly UserPart[]): UserPart {
  const fixed: UserPart = Object.assign({}, ...parts);
  const hasToken = fixed.token !== undefined || fixed.tokenFile !== undefined;
  if (hasToken && fixed.username !== undefined) {
    throw malformed(`${fields.where} has a token and a user name with password`, 'remove one of the two');
  }
  return fixed;
}

export async function userOf(entry: Entry, cluster: Cluster): Promise<User> {
  const { fields, file } = entry;
  refuseAuthProvider(fields);
  const login = combined(fields, [await certificatePart(entry), await tokenPart(entry), basicPart(fields)]);
  const warnings = [...unknownFields(fields, known), ...loneKey(fields)];
  const exec = says(fields, 'exec') ? execPluginOf(child(fields, 'exec'), file, cluster.forPlugins) : undefined;
  const loggedIn = Object.keys(login).length > 0;
  if (loggedIn && exec !== undefined)
    warnings.push(`${place(fields, 'exec')} is not run: other credentials come first`);
  if (!loggedIn && exec === undefined && cluster.login === undefined) {
    warnings.push(`${fields.where} contains no credentials: requests are anonymous`);
  }
  const connection = { ...login, ...impersonationPart(fields), ...(!loggedIn && exec !== undefined && { exec }) };
  const user = { connection, warnings };
  return cluster.login === undefined ? user : withAddress(user, cluster.login, fields.where);
}
