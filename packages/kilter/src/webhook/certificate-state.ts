import { type Authority, createAuthority, issue } from '../certificates/index.ts';
import { x509 } from '../internal/index.ts';
import type { ServingCertificate } from './webhook-server.ts';

/** What all replicas share: who signs, who is trusted, and the certificate they serve with. */
export interface CertificateState {
  readonly signer: Authority;
  /** To sign next, trusted already. `seen`: since when every configuration was found to trust it. */
  readonly next?: { readonly authority: Authority; readonly seen?: number | undefined } | undefined;
  /** Signed before, and trusted until nobody can serve with a certificate of it any more. */
  readonly previous?: { readonly certificate: string; readonly until: number } | undefined;
  readonly leaf: ServingCertificate;
}

/** Lifetimes in milliseconds. */
export interface CertificatePlan {
  /** The common name of authorities; at most 64 characters count. */
  readonly name: string;
  /** What the server is called by. */
  readonly hosts: { readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] };
  readonly authorityLifetime: number;
  readonly leafLifetime: number;
  /** How long a new authority is trusted everywhere before it signs: API servers learn of it a little later. */
  readonly settle: number;
}

const day = 86_400_000;
// Of replicas that come and go with their own name each, the oldest are forgotten.
const mostNames = 50;

const ends = (certificate: string): number => x509(certificate).validToDate.getTime();

/** Made by a clock that ran ahead, or by one that was set back since: nobody accepts it yet. */
const isEarly = (certificate: string, now: number): boolean => x509(certificate).validFromDate.getTime() > now;

/** Renewed when two thirds are over: what is left is for an operator that was down. */
const isDue = (certificate: string, lifetime: number, now: number): boolean => ends(certificate) - now < lifetime / 3;

// Certificates know whole seconds.
const second = 1000;

/** A leaf ends with its signer at the latest: where the signer is about to end, a new one would not be better. */
function isLeafDue({ leaf, signer }: CertificateState, { leafLifetime }: CertificatePlan, now: number): boolean {
  if (isEarly(leaf.certificate, now)) return true;
  return isDue(leaf.certificate, leafLifetime, now) && ends(leaf.certificate) + second < ends(signer.certificate);
}

function authority({ name, authorityLifetime }: CertificatePlan, now: number): Authority {
  // A number of its own: two authorities with one name would be taken for one another.
  const common = `${name.slice(0, 45)} ${now.toString(36)}`;
  return createAuthority({ name: common, now, days: authorityLifetime / day });
}

function leafOf(signer: Authority, { name, hosts, leafLifetime }: CertificatePlan, now: number): ServingCertificate {
  const common = (hosts.dnsNames[0] ?? hosts.ipAddresses[0] ?? name).slice(0, 64);
  return issue(signer, { name: common, ...hosts, usage: 'server', now, days: leafLifetime / day });
}

/** Whether a leaf is of this signer. */
function isSignedBy({ certificate }: ServingCertificate, signer: Authority): boolean {
  const [leaf, authority] = [x509(certificate), x509(signer.certificate)];
  return leaf.checkIssued(authority) && leaf.verify(authority.publicKey);
}

/** Whether a leaf is for all of these names. */
function isNamed({ certificate }: ServingCertificate, { hosts }: CertificatePlan): boolean {
  const leaf = x509(certificate);
  const named = hosts.dnsNames.every((name) => leaf.checkHost(name) !== undefined);
  return named && hosts.ipAddresses.every((address) => leaf.checkIP(address) !== undefined);
}

/**
 * The names of a plan with those that a leaf has already. Replicas of two versions, or on two machines, are called by different names:
 * a leaf for one's names alone would be replaced by the other, back and forth.
 */
function withNamesOf({ certificate }: ServingCertificate, plan: CertificatePlan): CertificatePlan {
  const names = (x509(certificate).subjectAltName ?? '').split(', ');
  const after = (prefix: string): string[] =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const all = (given: readonly string[], before: readonly string[]): string[] =>
    [...new Set([...given, ...before])].slice(0, mostNames);
  const hosts = {
    dnsNames: all(plan.hosts.dnsNames, after('DNS:')),
    ipAddresses: all(plan.hosts.ipAddresses, after('IP Address:')),
  };
  return { ...plan, hosts };
}

function fresh(plan: CertificatePlan, now: number): CertificateState {
  const signer = authority(plan, now);
  return { signer, leaf: leafOf(signer, plan, now) };
}

/**
 * One step towards what the certificates should be at this time; the same state where there is nothing to do. A new authority is
 * announced, seen in every configuration, and only then signs; the one before stays trusted for as long as a certificate of it may
 * be served. `trusted`: every configuration was just seen to hold the whole of `bundleOf(state)`.
 */
export function stepCertificates(
  state: CertificateState | undefined,
  { plan, now, trusted }: { readonly plan: CertificatePlan; readonly now: number; readonly trusted: boolean },
): CertificateState {
  // Nothing that is left of an authority that ended is of any use, nor what one signed that is not valid yet.
  if (state === undefined || ends(state.signer.certificate) <= now || isEarly(state.signer.certificate, now)) {
    return fresh(plan, now);
  }
  const { signer, next, previous, leaf } = state;
  if (previous !== undefined && previous.until <= now) return { ...state, previous: undefined };
  const longest = now + plan.leafLifetime;
  if (previous !== undefined && previous.until > longest)
    return { ...state, previous: { ...previous, until: longest } };
  if (next !== undefined && isEarly(next.authority.certificate, now)) return { ...state, next: undefined };
  if (next === undefined && isDue(signer.certificate, plan.authorityLifetime, now)) {
    return { ...state, next: { authority: authority(plan, now) } };
  }
  // Seen at a time that is yet to come: the switch would have to wait for it.
  const isSeen = next?.seen !== undefined && next.seen <= now;
  if (next !== undefined && !isSeen && trusted) return { ...state, next: { ...next, seen: now } };
  if (next?.seen !== undefined && now - next.seen >= plan.settle) {
    const retired = { certificate: signer.certificate, until: longest };
    return { signer: next.authority, previous: retired, leaf: leafOf(next.authority, plan, now) };
  }
  if (!isSignedBy(leaf, signer) || isLeafDue(state, plan, now)) {
    return { ...state, leaf: leafOf(signer, plan, now) };
  }
  if (!isNamed(leaf, plan)) return { ...state, leaf: leafOf(signer, withNamesOf(leaf, plan), now) };
  return state;
}

/** Everyone who is to be trusted, as PEM: the signer first. */
export function bundleOf({ signer, next, previous }: CertificateState): string {
  return [signer.certificate, next?.authority.certificate, previous?.certificate]
    .filter((certificate) => certificate !== undefined)
    .map((certificate) => `${certificate.trim()}\n`)
    .join('');
}

/** When the certificates end, in milliseconds since 1970. */
export function endsOf({ signer, leaf }: CertificateState): { readonly authority: number; readonly leaf: number } {
  return { authority: ends(signer.certificate), leaf: ends(leaf.certificate) };
}
