import { delimiter, join } from 'node:path';
import { KilterError } from '../errors/index.ts';
import { type LoadedConfig, parseServer } from './connection-config.ts';
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
import { parseKubeconfig } from './kubeconfig.ts';
import { settingsFromEnvironment } from './settings.ts';

export interface LoadConfigOptions {
  /** This file and no other. Default: `--kubeconfig`, `$KILTER_KUBECONFIG`, then the search. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: `--context`, `$KILTER_CONTEXT`, its current one. */
  readonly context?: string | undefined;
  /** Where none is given. Default: `--namespace`, `$KILTER_NAMESPACE`, that of the context or pod, `default`. */
  readonly namespace?: string | undefined;
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

/** The one file to look for. */
function candidate({ kubeconfig, env, home }: Search): { path: string; namedBy: string } {
  if (kubeconfig !== undefined) return { path: kubeconfig, namedBy: '--kubeconfig' };
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 1) {
    throw new KilterError('CONFIG_UNSUPPORTED', `$KUBECONFIG names ${listed.length} files (${listed.join(', ')})`, {
      cure: 'name one file; `kubectl config view --flatten` merges several into one',
    });
  }
  const [path] = listed;
  return path === undefined
    ? { path: join(home, '.kube', 'config'), namedBy: 'the default' }
    : { path, namedBy: '$KUBECONFIG' };
}

async function fromFile(search: Search, path: string): Promise<LoadedConfig | undefined> {
  const content = await readIfPresent(path, search.readFile);
  if (content === undefined) return undefined;
  return parseKubeconfig({ path, content, context: search.context, readFile: search.readFile });
}

function notFound(places: readonly string[]): KilterError {
  return new KilterError('CONFIG_NOT_FOUND', `no kubeconfig: looked at ${places.join(', then ')}`);
}

async function firstFound(search: Search): Promise<LoadedConfig> {
  const { path, namedBy } = candidate(search);
  const found = await fromFile(search, path);
  if (found !== undefined) return found;
  const places = [`${path} (${namedBy})`];
  // A file that was asked for by name is not replaced by the pod's identity, which may have other rights.
  if (search.kubeconfig !== undefined) throw notFound(places);
  const pod = await inClusterConfig(search.env, search.readFile);
  if (pod === undefined) throw notFound([...places, `the service account of a pod (${serviceAccount.token})`]);
  return pod;
}

/** Proxies of the environment are what kubectl would go through: whoever set one must learn that it is not used. */
function proxyWarnings(server: string, env: Environment): string[] {
  const { protocol } = parseServer(server);
  const names = protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  return names.filter((name) => (env[name] ?? '') !== '').map((name) => `$${name} is set and not used`);
}

/**
 * Where the API server is, in kubectl's order: the file named, `$KUBECONFIG`, `~/.kube/config`, the pod's own
 * service account. What is found first is used alone; several files are not merged.
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
  return {
    ...config,
    namespace: options.namespace ?? given.namespace ?? config.namespace,
    warnings: [...config.warnings, ...proxyWarnings(config.server, env)],
  };
}
