import { tls } from '../internal/index.ts';

let held: readonly string[] | undefined;

/**
 * The authorities for a server whose kubeconfig names none: those of Node and, as for kubectl, those installed on the
 * system (`SSL_CERT_FILE` and `SSL_CERT_DIR` say where else). PEM, read once: it takes a fifth of a second.
 */
export function commonAuthorities(): readonly string[] {
  const { getCACertificates } = tls();
  held ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return held;
}
