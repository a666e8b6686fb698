import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type Authority, createAuthority, issue } from 'kilter/certificates';
import type { ClusterFiles, EtcdFiles } from './flags.ts';

export interface TokenUser {
  readonly name: string;
  readonly groups?: readonly string[] | undefined;
}

// Longer than any test, and short enough that a copy left somewhere is soon worth nothing.
const days = 7;

/** Only its owner may read it. */
export function writePrivate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The table kube-apiserver reads: token, user, uid, groups. */
export function tokenTable(tokens: Readonly<Record<string, TokenUser>>): string {
  const rows = Object.entries(tokens).map(([token, { name, groups = [] }]) => {
    // An empty column would be a group without a name.
    const columns = [token, name, name, ...(groups.length === 0 ? [] : [groups.join(',')])];
    return columns.map(quoted).join(',');
  });
  return `${rows.join('\n')}\n`;
}

function serverCertificate(authority: Authority, now: number): { certificate: string; key: string } {
  return issue(authority, {
    name: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '10.0.0.1'],
    usage: 'server',
    now,
    days,
  });
}

export function clientCertificate(
  authority: Authority,
  user: { readonly name: string; readonly groups: readonly string[]; readonly now: number },
): { certificate: string; key: string } {
  const { certificate, key } = issue(authority, {
    name: user.name,
    organizations: user.groups,
    usage: 'client',
    now: user.now,
    days,
  });
  return { certificate, key };
}

/** Writes what the servers of a cluster need to know each other; gives the authority that signed it. */
export function writeClusterCredentials(files: ClusterFiles, now: number): Authority {
  const authority = createAuthority({ name: 'kilter-control-plane', now, days });
  const server = serverCertificate(authority, now);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivate(files.authority, authority.certificate);
  writePrivate(files.authorityKey, authority.key);
  writePrivate(files.certificate, server.certificate);
  writePrivate(files.key, server.key);
  // The form Kubernetes reads: SEC 1 for keys on a curve.
  writePrivate(files.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }).toString());
  return authority;
}

export interface TlsIdentity {
  readonly ca: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Writes what etcd and its users need; gives what this process needs to ask it. */
export function writeEtcdCredentials(files: EtcdFiles, now: number): TlsIdentity {
  const authority = createAuthority({ name: 'kilter-etcd', now, days });
  const server = issue(authority, { name: 'etcd', ipAddresses: ['127.0.0.1'], usage: 'server', now, days });
  const client = issue(authority, { name: 'kube-apiserver', usage: 'client', now, days });
  writePrivate(files.authority, authority.certificate);
  writePrivate(files.certificate, server.certificate);
  writePrivate(files.key, server.key);
  writePrivate(files.clientCertificate, client.certificate);
  writePrivate(files.clientKey, client.key);
  return { ca: authority.certificate, cert: client.certificate, key: client.key };
}
