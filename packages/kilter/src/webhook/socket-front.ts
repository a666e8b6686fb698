import type { Client } from '../client/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import { CertificateFiles, type CertificatePaths } from './certificate-files.ts';
import { CertificateSecret } from './certificate-secret.ts';
import { bundleOf, type CertificatePlan, type CertificateState, endsOf } from './certificate-state.ts';
import type { WebhookEndpoint } from './configurations.ts';
import type { WebhookFront } from './front.ts';
import type { WebhookHandler } from './handler.ts';
import { settledCertificates } from './own-certificates.ts';
import { dialOwn } from './own-dial.ts';
import { hostsOf, type ResolvedServing } from './serving.ts';
import { type ServingCertificate, WebhookServer } from './webhook-server.ts';

export interface SocketFrontOptions {
  readonly operator: string;
  readonly handler: WebhookHandler;
  readonly serving: ResolvedServing;
  readonly bind: { readonly host?: string | undefined; readonly port: number };
  /** Of the operator: where its Service and its Secret are. */
  readonly namespace: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** When certificates end, for alerts: seconds since 1970. */
function tellEnds(metrics: Metrics, read: () => Readonly<Record<string, number>>): void {
  metrics.observed(
    'kilter_webhook_certificate_expiry_timestamp_seconds',
    'When the certificates of the webhook server expire, in seconds since 1970.',
    () => Object.entries(read()).map(([certificate, ms]) => [{ certificate }, ms / 1000] as const),
  );
}

/** A URL that names no port means the one that is listened on, which may have been chosen. */
const withPort = (url: string, port: number): string =>
  /:\d+\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}:${port}`;

function endpointOf({ serving, namespace }: SocketFrontOptions, port: number): WebhookEndpoint {
  const { url, service } = serving;
  if (url !== undefined) return { url: typeof url === 'string' ? withPort(url, port) : url(port) };
  return { service: { name: service.name, namespace: service.namespace ?? namespace, port: service.port } };
}

/** Runs `work` with a server that is closed again where it fails. */
async function withServer(
  { bind, handler, logger }: SocketFrontOptions,
  work: (server: WebhookServer) => Promise<WebhookFront>,
): Promise<WebhookFront> {
  const server = await WebhookServer.open({ host: bind.host, port: bind.port, handler, logger });
  try {
    return await work(server);
  } catch (error) {
    server.destroy();
    throw error;
  }
}

const dial = (server: WebhookServer, { bind, clock }: SocketFrontOptions): Promise<string | undefined> =>
  dialOwn({ host: bind.host, port: server.port, clock });

/** Serves with certificate files that somebody else keeps. */
async function mountedFront(
  options: SocketFrontOptions,
  server: WebhookServer,
  paths: CertificatePaths,
): Promise<WebhookFront> {
  const { clock, logger, metrics } = options;
  const changed = (certificate: ServingCertificate): void => server.use(certificate);
  const files = await CertificateFiles.open(paths, { clock, logger, metrics, changed });
  server.use(files.current);
  tellEnds(metrics, () => ({ leaf: files.current.ends }));
  const base = endpointOf(options, server.port);
  return {
    get endpoint() {
      return { ...base, caBundle: files.current.authority };
    },
    refresh: () => Promise.resolve(),
    readiness: () => dial(server, options),
    close: () => {
      files.close();
      return server.close();
    },
  };
}

/** Serves with certificates of the operator's own, which all replicas share. */
async function ownFront(
  options: SocketFrontOptions,
  server: WebhookServer,
  own: Exclude<ResolvedServing['certificates'], { mounted: unknown }>,
): Promise<WebhookFront> {
  const { operator, namespace, client, clock, metrics, logger } = options;
  const base = endpointOf(options, server.port);
  const secret = new CertificateSecret(client, { name: own.secret, namespace, operator });
  const plan: CertificatePlan = { name: operator, hosts: hostsOf(base), ...own };
  let state: CertificateState | undefined;
  const refresh = async (trusted: string | undefined): Promise<void> => {
    const isTrusted = (bundle: string): boolean => bundle === trusted;
    const before = state;
    state = await settledCertificates(secret, { plan, now: () => clock.now(), isTrusted, known: before });
    if (state.leaf.certificate === before?.leaf.certificate) return;
    server.use(state.leaf);
    if (before !== undefined) logger.info('webhooks are served with a new certificate');
  };
  await refresh(undefined);
  tellEnds(metrics, () => (state === undefined ? {} : endsOf(state)));
  return {
    get endpoint() {
      return state === undefined ? base : { ...base, caBundle: bundleOf(state) };
    },
    refresh,
    readiness: () => dial(server, options),
    close: () => server.close(),
  };
}

/** Opens the socket, and serves once there are certificates. */
export function openSocketFront(options: SocketFrontOptions): Promise<WebhookFront> {
  const { certificates } = options.serving;
  return withServer(options, (server) =>
    'mounted' in certificates
      ? mountedFront(options, server, certificates.mounted)
      : ownFront(options, server, certificates),
  );
}
