// Test support: every row, with the certificates its words stand for.
import { clusterRows } from './rows-cluster.test-support.ts';
import { fileRows } from './rows-file.test-support.ts';
import { proxyRows } from './rows-proxy.test-support.ts';
import type { Row } from './row.test-support.ts';
import { tlsRows } from './rows-tls.test-support.ts';
import { userRows } from './rows-user.test-support.ts';
import type { Pair, Servers } from './world.test-support.ts';

/** The maker of unusual certificates, handed in: only test files may enter its room from here. */
type Make<M extends Pair> = (options: {
  readonly name: string;
  readonly issuer?: M | undefined;
  readonly authority?: boolean | undefined;
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  readonly usages?: readonly string[] | undefined;
  readonly now: number;
}) => M;

export const rows: readonly Row[] = [...clusterRows, ...userRows, ...fileRows, ...tlsRows, ...proxyRows];
/** For `test.each`: the title, the row, and the name of the object it asks for. */
export const table: readonly (readonly [title: string, row: Row, id: string])[] = rows.map((row, i) => [
  row.title,
  row,
  `row-${i}`,
]);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Fresh certificates, as servers and as words. */
export function material<M extends Pair>(
  make: Make<M>,
  now: number,
): { readonly servers: Servers; readonly words: Readonly<Record<string, string>> } {
  const ca = make({ name: 'authority', authority: true, now });
  const otherCa = make({ name: 'other', authority: true, now });
  const root = make({ name: 'root', authority: true, now });
  const intermediate = make({ name: 'intermediate', authority: true, issuer: root, now });
  const server = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1', '::1'], now };
  const leaf = make({ name: 'leaf', issuer: intermediate, dnsNames: ['localhost'], now });
  const self = make({ name: 'self', ...server });
  const client = make({ name: 'alice', issuer: ca, usages: ['1.3.6.1.5.5.7.3.2'], now });
  const other = make({ name: 'bob', issuer: ca, usages: ['1.3.6.1.5.5.7.3.2'], now });
  const wild = ['*.shop.test', '*.local', 'web*.part.test'];

  const servers = {
    SERVER: make({ name: 'server', issuer: ca, ...server }),
    OTHER: make({ name: 'server', issuer: otherCa, ...server }),
    CHAIN: { ...leaf, certificate: leaf.certificate + intermediate.certificate },
    LEAF_ALONE: leaf,
    SELF: self,
    NAME_ONLY: make({ name: 'localhost', issuer: ca, now }),
    ADDRESS_ONLY: make({ name: 'localhost', issuer: ca, ipAddresses: ['127.0.0.1'], now }),
    ENDED: make({ name: 'server', issuer: ca, ...server, now: now - 3 * 86_400_000 }),
    FOR_CLIENTS: make({ name: 'server', issuer: ca, ...server, usages: ['1.3.6.1.5.5.7.3.2'] }),
    WILD: make({ name: 'server', issuer: ca, dnsNames: wild, now }),
  };
  const bad = '-----BEGIN CERTIFICATE-----\nMIIBhello\n-----END CERTIFICATE-----\n';
  const bundles = {
    CA: ca.certificate,
    OTHER_CA: otherCa.certificate,
    BUNDLE: otherCa.certificate + ca.certificate,
    BAD_FIRST: bad + ca.certificate,
    BAD_LAST: ca.certificate + bad,
    CUT_LAST: ca.certificate + otherCa.certificate.slice(0, 300),
    BAD_ONLY: bad,
    COMMENTED: `# our authority\nsubject=x\n${ca.certificate}\nthe end\n`,
    WITH_KEY: client.key + ca.certificate,
    ROOT: root.certificate,
    INTERMEDIATE: intermediate.certificate,
    LEAF: leaf.certificate,
    SELF_CA: self.certificate,
    CERT: client.certificate,
    KEY: client.key,
    OTHER_KEY: other.key,
  };
  const words = Object.fromEntries([
    ...Object.entries(bundles).map(([word, pem]) => [word, base64(pem)]),
    ['CA_PEM', ca.certificate],
    ['CERT_PEM', client.certificate],
    ['KEY_PEM', client.key],
  ]) as Record<string, string>;
  return { servers, words };
}
