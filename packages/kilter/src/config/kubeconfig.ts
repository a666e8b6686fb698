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

function namespaceOf(context: Mapping): string {
  const namespace = text(context, 'namespace') ?? 'default';
  if (!namespaceName.test(namespace)) {
    throw malformed(
      `${place(context, 'namespace')} is no name of a namespace`,
      'write a-z, 0-9 and -, at most 63 of them',
    );
  }
  return namespace;
}

const nobody = (context: Mapping): User => ({
  connection: {},
  warnings: [`${context.where} names no user: requests are anonymous`],
});

/** As kubectl: what proves who asks is not sent in the clear. */
function withoutLogin(user: User, server: string): User {
  const { impersonate, ...login } = user.connection;
  if (Object.keys(login).length === 0) return user;
  const warning = `${server} is not https: no credentials are sent`;
  return { connection: { impersonate }, warnings: [...user.warnings, warning] };
}

async function userFor(config: Kubeconfig, context: Mapping, cluster: Cluster): Promise<User> {
  const name = text(context, 'user');
  if (name === undefined) return nobody(context);
  const user = await userOf(config.entry('users', name), cluster);
  const { server } = cluster.connection;
  return parseServer(server).protocol === 'https:' ? user : withoutLogin(user, server);
}

/** The configuration one context of a kubeconfig describes. */
export async function parseKubeconfig(options: KubeconfigOptions): Promise<LoadedConfig> {
  const config = mergeKubeconfigs(options.files, options.readFile);
  const { name, entry } = chosenContext(config, options.context);
  const cluster = await clusterOf(config.entry('clusters', required(entry.fields, 'cluster')));
  const user = await userFor(config, entry.fields, cluster);
  return {
    ...cluster.connection,
    ...user.connection,
    namespace: namespaceOf(entry.fields),
    source: `context ${name} of ${entry.file}`,
    warnings: [...unknownFields(entry.fields, known), ...cluster.warnings, ...user.warnings],
  };
}
