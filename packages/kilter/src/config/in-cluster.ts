import { KilterError } from '../errors/index.ts';
import { bearer } from './authorization.ts';
import { type LoadedConfig, parseServer } from './connection-config.ts';
import { type Environment, processEnvironment, readIfPresent, type ReadFile, readTextFile } from './environment.ts';
import { readAuthorities } from './pem.ts';

const mounted = '/var/run/secrets/kubernetes.io/serviceaccount';
/** The files the kubelet mounts into every pod with a service account. */
export const serviceAccount: { readonly token: string; readonly ca: string; readonly namespace: string } = {
  token: `${mounted}/token`,
  ca: `${mounted}/ca.crt`,
  namespace: `${mounted}/namespace`,
};

async function mountedFile(path: string, read: ReadFile): Promise<string> {
  const text = await readIfPresent(path, read);
  if (text !== undefined) return text;
  throw new KilterError('CONFIG_UNREADABLE', `this is a pod, but ${path} does not exist`, {
    cure: 'give the pod a service account and leave automountServiceAccountToken on, or name a kubeconfig',
  });
}

/** The configuration of a pod, or undefined outside of one. */
export async function inClusterConfig(env: Environment, read: ReadFile): Promise<LoadedConfig | undefined> {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const port = env.KUBERNETES_SERVICE_PORT ?? '';
  if (host === '' || port === '') return undefined;
  // Read once here, so that a pod without them fails at start and says why; the files are read again as they age.
  bearer(await mountedFile(serviceAccount.token, read), serviceAccount.token);
  const { warnings } = readAuthorities(await mountedFile(serviceAccount.ca, read), serviceAccount.ca);
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  parseServer(server, '$KUBERNETES_SERVICE_HOST with $KUBERNETES_SERVICE_PORT');
  return {
    server,
    caFile: serviceAccount.ca,
    tokenFile: serviceAccount.token,
    namespace: (await readIfPresent(serviceAccount.namespace, read))?.trim() || 'default',
    source: 'the service account of this pod',
    warnings,
  };
}

export interface PodNamespaceOptions {
  readonly env?: Environment | undefined;
  readonly readFile?: ReadFile | undefined;
  /** The namespace of the kubeconfig context, or of the connection. */
  readonly context?: string | undefined;
}

/** The namespace this program runs in: `POD_NAMESPACE`, the service account's file, the context's, `default`. */
export async function podNamespace(options: PodNamespaceOptions = {}): Promise<string> {
  const declared = (options.env ?? processEnvironment()).POD_NAMESPACE?.trim();
  if (declared !== undefined && declared !== '') return declared;
  const file = await readIfPresent(serviceAccount.namespace, options.readFile ?? readTextFile);
  return file?.trim() || options.context || 'default';
}
