import { type LoadedConfig, parseServer } from './connection-config.ts';
import type { ReadFile } from './environment.ts';
import { type Cluster, clusterOf } from './kubeconfig-cluster.ts';
import { chosenContext, type Kubeconfig, type KubeconfigFile, mergeKubeconfigs } from './kubeconfig-files.ts';
import { userOf, type User } from './kubeconfig-user.ts';
import { malformed, type Mapping, place, required, text, unknownFields } from './yaml-document.ts';

export interface KubeconfigOptions {
  /** Those that exist, in the order of precedence. */
  readonly files: readonly KubeconfigFile[];
  /** Default: the first `current-context`. */
  readonly context?: string | undefined;
  readonly readFile: ReadFile;
}

const known = ['cluster', 'user', 'namespace', 'extensions'];
const namespaceName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** What would lead a request elsewhere. */
const otherPath = /[/%]|^\.{1,2}$/;

function namespaceOf(context: Mapping): { readonly namespace: string; readonly warnings: readonly string[] } {
  const namespace = text(context, 'namespace') ?? 'default';
  const where = place(context, 'namespace');
  if (otherPath.test(namespace)) {
    throw malformed(`${where} cannot be a namespace`, 'write a-z, 0-9 and -, at most 63 characters');
  }
  const usual = namespaceName.test(namespace);
  return { namespace, warnings: usual ? [] : [`${where} is not a name a namespace can have: is it spelled right?`] };
}

const nobody = (context: Mapping, login: Cluster['login']): User => ({
  connection: { ...login },
  warnings: login === undefined ? [`${context.where} names no user: requests are anonymous`] : [],
});

/** As kubectl: what proves who asks is not sent in the clear, unless it is in the address itself. */
function withoutLogin(user: User, { connection: { server }, login }: Cluster): User {
  const { impersonate, ...others } = user.connection;
  if (login !== undefined) return { connection: { impersonate, ...login }, warnings: user.warnings };
  if (Object.keys(others).length === 0) return user;
  const warning = `${server} is not https: no credentials are sent`;
  return { connection: { impersonate }, warnings: [...user.warnings, warning] };
}

async function userFor(config: Kubeconfig, context: Mapping, cluster: Cluster): Promise<User> {
  const name = text(context, 'user');
  if (name === undefined) return nobody(context, cluster.login);
  const user = await userOf(config.entry('users', name), cluster);
  return parseServer(cluster.connection.server).protocol === 'https:' ? user : withoutLogin(user, cluster);
}

/** The configuration one context of a kubeconfig describes. */
export async function parseKubeconfig(options: KubeconfigOptions): Promise<LoadedConfig> {
  const config = mergeKubeconfigs(options.files, options.readFile);
  const { name, entry } = chosenContext(config, options.context);
  const cluster = await clusterOf(config.entry('clusters', required(entry.fields, 'cluster')));
  const user = await userFor(config, entry.fields, cluster);
  const { namespace, warnings } = namespaceOf(entry.fields);
  return {
    ...cluster.connection,
    ...user.connection,
    namespace,
    source: `context ${name} of ${entry.file}`,
    warnings: [
      ...config.warnings,
      ...unknownFields(entry.fields, known),
      ...warnings,
      ...cluster.warnings,
      ...user.warnings,
    ],
  };
}
