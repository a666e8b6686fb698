import { isIP } from 'node:net';
import type { Duration } from '../api/index.ts';
import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import type { CertificatePaths } from './certificate-files.ts';
import type { WebhookEndpoint } from './configurations.ts';
import type { WebhookHandler } from './handler.ts';

/** Certificate files that something else maintains, such as cert-manager. */
export interface MountedCertificates {
  /** Where they are mounted. Overridden by `--webhook-cert-path`. A new pair is used within ten seconds. */
  directory: string;
  /** Default: 'tls.crt'. Overridden by `--webhook-cert-name`. */
  certificate?: string | undefined;
  /** Default: 'tls.key'. Overridden by `--webhook-cert-key`. */
  key?: string | undefined;
}

/** Certificates that the operator makes and renews itself, shared by its replicas in a Secret. */
export interface OwnCertificates {
  /** The name of the Secret, in the operator's namespace. Default: `<operator>-webhook-certificates`. */
  secret?: string | undefined;
  /** How long an authority is valid; a new one is introduced after two thirds of that. Default: '365d'. */
  authorityLifetime?: Duration | undefined;
  /**
   * How long a serving certificate is valid; renewed after two thirds of that. Default: '30d'. At most a third of
   * `authorityLifetime`.
   */
  leafLifetime?: Duration | undefined;
  /**
   * How long a new authority is in every configuration before it signs. Default: '1m'. API servers learn of it with a
   * delay.
   */
  settle?: Duration | undefined;
  /** How often certificates and configurations are checked. Default: '30s'. */
  checkEvery?: Duration | undefined;
}

/** How webhooks are served and how the API server finds them. */
export interface WebhookServing {
  /** Where it listens. Default: ':9443'. Overridden by `--webhook-bind-address`. */
  address?: string | undefined;
  /**
   * The Service in front of all replicas. Default: `<operator>-webhook` in the operator's namespace, port 443. It needs
   * `publishNotReadyAddresses: true`: objects are converted before an operator that reads them can be ready.
   */
  service?: { name?: string | undefined; namespace?: string | undefined; port?: number | undefined } | undefined;
  /**
   * Instead of a Service, for an operator outside the cluster: `https://host:port`; without a port, the one of
   * `address`. Default: none. Overridden by `--webhook-url`.
   */
  url?: string | undefined;
  /** Default: its own. */
  certificates?: MountedCertificates | OwnCertificates | undefined;
  /**
   * Whether the operator writes its webhook configurations and the conversions of its definitions itself. Default:
   * true. Set it to false if manifests contain them: then their `caBundle` must be maintained elsewhere, too.
   */
  register?: boolean | undefined;
}

/** Webhooks that are not served over sockets: a server in the same process calls the handler. */
export interface WebhookGround {
  open(operator: string, handler: WebhookHandler): { readonly endpoint: WebhookEndpoint; close(): void };
}

/** Like `WebhookServing`, for code that starts an operator: the URL may depend on the chosen port. */
export type WebhookPlace = Omit<WebhookServing, 'url'> & { url?: string | ((port: number) => string) | undefined };

export interface ResolvedServing {
  readonly address: string;
  readonly service: { readonly name: string; readonly namespace: string | undefined; readonly port: number };
  readonly url: string | ((port: number) => string) | undefined;
  readonly certificates:
    | { readonly mounted: CertificatePaths }
    | {
        readonly secret: string;
        readonly authorityLifetime: number;
        readonly leafLifetime: number;
        readonly settle: number;
      };
  readonly checkEvery: number;
  readonly register: boolean;
}

/** What certificate files are given by. */
export const mountedNames: OptionNames<MountedCertificates> = { directory: true, certificate: true, key: true };
const ownNames: OptionNames<OwnCertificates> = {
  secret: true,
  authorityLifetime: true,
  leafLifetime: true,
  settle: true,
  checkEvery: true,
};
const serviceNames: OptionNames<NonNullable<WebhookServing['service']>> = { name: true, namespace: true, port: true };
const servingNames: OptionNames<WebhookServing> = {
  address: true,
  service: true,
  url: true,
  certificates: true,
  register: true,
};

/** A misspelled option would be one that is not given: the operator would make certificates of its own where it was given files. */
function checkNames<O extends object>(what: string, given: O, known: OptionNames<O>): void {
  const [mistake] = optionMistakes(what, given, known);
  if (mistake !== undefined) throw new KilterError('WEBHOOK_OPTION_INVALID', mistake);
}

function milliseconds(what: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms !== undefined && ms > 0) return ms;
  throw invalid(`${what} must be a duration above zero, not ${JSON.stringify(duration)}`);
}

const invalid = (message: string): KilterError => new KilterError('WEBHOOK_OPTION_INVALID', `webhookServer.${message}`);

const isMounted = (given: MountedCertificates | OwnCertificates): given is MountedCertificates =>
  typeof given === 'object' && given !== null && 'directory' in given;

function resolveCertificates(
  operator: string,
  given: MountedCertificates | OwnCertificates,
): ResolvedServing['certificates'] {
  if (isMounted(given)) {
    checkNames('webhookServer.certificates, as files,', given, mountedNames);
    const { directory, certificate = 'tls.crt', key = 'tls.key' } = given;
    return { mounted: { directory, certificate, key } };
  }
  checkNames('webhookServer.certificates, as made by the operator,', given, ownNames);
  const authorityLifetime = milliseconds('certificates.authorityLifetime', given.authorityLifetime ?? '365d');
  const leafLifetime = milliseconds('certificates.leafLifetime', given.leafLifetime ?? '30d');
  if (leafLifetime > authorityLifetime / 3) {
    throw invalid(
      'certificates.leafLifetime must be at most a third of authorityLifetime, so that certificates do not outlive a change of authority',
    );
  }
  const settle = milliseconds('certificates.settle', given.settle ?? '1m');
  return { secret: given.secret ?? `${operator}-webhook-certificates`, authorityLifetime, leafLifetime, settle };
}

function checkUrl(url: WebhookPlace['url']): WebhookPlace['url'] {
  if (typeof url !== 'string' || (URL.canParse(url) && url.startsWith('https://'))) return url;
  throw invalid(`url is ${JSON.stringify(url)}; it takes https://host or https://host:port`);
}

/** What the user gave, with defaults, checked. */
export function resolveServing(operator: string, given: WebhookPlace = {}): ResolvedServing {
  checkNames('webhookServer', given, servingNames);
  if (given.service !== undefined) checkNames('webhookServer.service', given.service, serviceNames);
  const { service = {}, certificates = {} } = given;
  const every = isMounted(certificates) ? undefined : certificates.checkEvery;
  return {
    address: given.address ?? ':9443',
    // A Service's name has no dots and at most 63 characters.
    service: {
      name: service.name ?? `${operator.replaceAll('.', '-').slice(0, 55)}-webhook`,
      namespace: service.namespace,
      port: service.port ?? 443,
    },
    url: checkUrl(given.url),
    certificates: resolveCertificates(operator, certificates),
    checkEvery: milliseconds('certificates.checkEvery', every ?? '30s'),
    register: given.register ?? true,
  };
}

/** What the API server calls the webhooks by: what their certificate must be for. */
export function hostsOf({ service, url }: WebhookEndpoint): { dnsNames: string[]; ipAddresses: string[] } {
  if (service !== undefined) {
    const { name, namespace } = service;
    const base = `${name}.${namespace}.svc`;
    return { dnsNames: [base, `${base}.cluster.local`, `${name}.${namespace}`], ipAddresses: [] };
  }
  const host = new URL(url ?? 'https://localhost').hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? { dnsNames: [host], ipAddresses: [] } : { dnsNames: [], ipAddresses: [host] };
}
