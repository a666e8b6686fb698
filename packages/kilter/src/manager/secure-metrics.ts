import type { Permission } from '../api/index.ts';
import { createAuthority, issue } from '../certificates/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import { CertificateFiles, type MountedCertificates, type ServingCertificate } from '../webhook/index.ts';

/** How metrics are served securely. */
export interface SecureMetrics {
  /**
   * Certificate files, as cert-manager mounts them; a new pair is used within ten seconds. Default: a certificate that
   * the operator signs itself at each start, which scrapers cannot verify. Overridden by `--metrics-cert-path`,
   * `--metrics-cert-name` and `--metrics-cert-key`.
   */
  certificates?: MountedCertificates | undefined;
}

/** The certificate an HTTPS server begins with, and how it learns of others. */
export interface ServerCertificate {
  readonly first: ServingCertificate;
  follow(use: (certificate: ServingCertificate) => void): void;
  close(): void;
}

export interface CertificateSource {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Without a Secret to share it in, each start has its own: a year is longer than any of them. */
function selfSigned(now: number): ServerCertificate {
  const authority = createAuthority({ name: 'kilter-metrics', now, days: 365 });
  const leaf = issue(authority, { name: 'kilter-metrics', dnsNames: ['localhost'], usage: 'server', now, days: 365 });
  return { first: leaf, follow: () => undefined, close: () => undefined };
}

export async function metricsCertificate(
  { certificates }: SecureMetrics,
  { clock, logger, metrics }: CertificateSource,
): Promise<ServerCertificate> {
  if (certificates === undefined) return selfSigned(clock.now());
  const { directory, certificate = 'tls.crt', key = 'tls.key' } = certificates;
  let tell: (next: ServingCertificate) => void = () => undefined;
  const changed = (next: ServingCertificate): void => tell(next);
  const files = await CertificateFiles.open({ directory, certificate, key }, { clock, logger, metrics, changed });
  return { first: files.current, follow: (use) => void (tell = use), close: () => files.close() };
}

/** What asking about scrapers needs. */
export function metricsPermissions(secure: SecureMetrics | undefined): Permission[] {
  if (secure === undefined) return [];
  const about = { verb: 'create', namespaces: undefined, occasional: true, why: 'who may read metrics' };
  return [
    { ...about, group: 'authentication.k8s.io', resource: 'tokenreviews' },
    { ...about, group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
  ];
}
