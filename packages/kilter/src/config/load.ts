import { delimiter, join } from 'node:path';
import { KilterError } from '../errors/index.ts';
import { nextTurn } from '../internal/index.ts';
import { type Impersonation, type LoadedConfig, parseServer } from './connection-config.ts';
import {
  type Environment,
  homeDirectory,
  processEnvironment,
  readIfPresent,
  type ReadFile,
  readTextFile,
} from './environment.ts';
import { parseFlags } from './flags.ts';
import { inClusterConfig, serviceAccount } from './in-cluster.ts';
import type { KubeconfigFile } from './kubeconfig-files.ts';
import { environmentProxy } from './proxy.ts';
import { discreet } from './redaction.ts';
import { settingsFromEnvironment } from './settings.ts';

/** Where to look for a configuration. */
export interface LoadConfigOptions {
  /** Only this file. Default: `--kubeconfig`, `$KILTER_KUBECONFIG`, then the search. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: `--context`, `$KILTER_CONTEXT`, its current one. */
  readonly context?: string | undefined;
  /**
   * The namespace used where none is given. Default: `--namespace`, `$KILTER_NAMESPACE`, that of the context or pod,
   * `default`.
   */
  readonly namespace?: string | undefined;
  /** Impersonate somebody else, like `kubectl --as`. Default: what the kubeconfig says. */
  readonly impersonate?: Impersonation | undefined;
  /** The arguments of the program. Default: none. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Environment | undefined;
  readonly readFile?: ReadFile | undefined;
  /** Default: the user's home folder. */
  readonly home?: string | undefined;
}

interface Search {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly env: Environment;
  readonly readFile: ReadFile;
  readonly home: string;
}

/** The files to look for, and who names them. */
function candidates({ kubeconfig, env, home }: Search): { paths: readonly string[]; namedBy: string } {
  if (kubeconfig !== undefined) return { paths: [kubeconfig], namedBy: '--kubeconfig' };
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length === 0
    ? { paths: [join(home, '.kube', 'config')], namedBy: 'the default' }
    : { paths: [...new Set(listed)], namedBy: '$KUBECONFIG' };
}

async function presentFiles(paths: readonly string[], readFile: ReadFile): Promise<KubeconfigFile[]> {
  const files = await Promise.all(paths.map(async (path) => ({ path, content: await readIfPresent(path, readFile) })));
  return files.flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]));
}

function notFound(places: readonly string[]): KilterError {
  const unexpanded = places.some((path) => path.startsWith('~'));
  return new KilterError('CONFIG_NOT_FOUND', `no kubeconfig: looked at ${places.join(', then ')}`, {
    cure: unexpanded ? 'write the path in full: it is the shell that expands ~, and it did not do so here' : undefined,
  });
}

async function firstFound(search: Search): Promise<LoadedConfig> {
  const { context, readFile } = search;
  const { paths, namedBy } = candidates(search);
  const files = await presentFiles(paths, readFile);
  if (files.length > 0) {
    // A pod has no kubeconfig: it does not load what reads YAML.
    const { parseKubeconfig } = await import('./kubeconfig.ts');
    await nextTurn();
    return parseKubeconfig({ files, context, readFile });
  }
  const places = [`${paths.join(', ')} (${namedBy})`];
  // A file that was asked for by name is not replaced by the pod's identity, which may have other rights.
  if (search.kubeconfig !== undefined) throw notFound(places);
  const pod = await inClusterConfig(search.env, readFile);
  if (pod === undefined) throw notFound([...places, `the service account of a pod (${serviceAccount.token})`]);
  if (context === undefined) return pod;
  throw new KilterError(
    'CONFIG_NAME_UNKNOWN',
    `the context ${JSON.stringify(context)} needs a kubeconfig, and there is none`,
  );
}

/** The proxy of the kubeconfig, else the one the environment names. */
function proxyOf({ proxyUrl, server }: LoadedConfig, env: Environment): string | undefined {
  return proxyUrl ?? environmentProxy(parseServer(server), env);
}

/**
 * Where the API server is and how to log in, in kubectl's order: the file named, those of `$KUBECONFIG` merged,
 * `~/.kube/config`, the pod's own service account. The first one found is used, without the others. `JSON.stringify`
 * and `console.log` of the result hide its secrets, as does `redacted`.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  const env = options.env ?? processEnvironment();
  const given = { ...settingsFromEnvironment(env), ...parseFlags(options.args ?? []) };
  const config = await firstFound({
    kubeconfig: options.kubeconfig ?? given.kubeconfig,
    context: options.context ?? given.context,
    env,
    readFile: options.readFile ?? readTextFile,
    home: options.home ?? homeDirectory(),
  });
  return discreet({
    ...config,
    proxyUrl: proxyOf(config, env),
    impersonate: options.impersonate ?? config.impersonate,
    namespace: options.namespace ?? given.namespace ?? config.namespace,
  });
}
