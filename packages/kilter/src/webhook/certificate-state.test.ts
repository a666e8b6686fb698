import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  bundleOf,
  type CertificatePlan,
  type CertificateState,
  endsOf,
  stepCertificates,
} from './certificate-state.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const plan: CertificatePlan = {
  name: 'op',
  hosts: { dnsNames: ['a.b.svc'], ipAddresses: [] },
  authorityLifetime: 90 * day,
  leafLifetime: 9 * day,
  settle: 60_000,
};

/** Steps until nothing is left to do. */
function settled(state: CertificateState | undefined, now: number, trusted = false): CertificateState {
  const next = stepCertificates(state, { plan, now, trusted });
  return next === state ? next : settled(next, now, trusted);
}
const authorities = (state: CertificateState): number => bundleOf(state).split('BEGIN CERTIFICATE').length - 1;
const isSignedBy = ({ leaf }: CertificateState, certificate: string): boolean =>
  new X509Certificate(leaf.certificate).checkIssued(new X509Certificate(certificate));

describe('shared certificates', () => {
  const first = settled(undefined, start);

  test('begin with an authority and a leaf of it, and stay as they are while nothing is due', () => {
    expect(authorities(first)).toBe(1);
    expect(isSignedBy(first, first.signer.certificate)).toBe(true);
    expect(endsOf(first)).toEqual({ authority: start + 90 * day, leaf: start + 9 * day });
    expect(settled(first, start + 5 * day)).toBe(first);
  });

  test('B-22 a leaf is renewed by the same authority when two thirds are over', () => {
    const later = settled(first, start + 6.5 * day);
    expect(later.signer).toBe(first.signer);
    expect(endsOf(later).leaf).toBe(start + 15.5 * day);
  });

  test('a leaf for other names is replaced at once', () => {
    const moved = { ...plan, hosts: { dnsNames: [], ipAddresses: ['127.0.0.1'] } };
    const next = stepCertificates(first, { plan: moved, now: start, trusted: false });
    expect(new X509Certificate(next.leaf.certificate).checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(stepCertificates(next, { plan: moved, now: start, trusted: false })).toBe(next);
  });

  test('replicas that are called by different names share a leaf for the names of all', () => {
    const other = { ...plan, hosts: { dnsNames: [], ipAddresses: ['127.0.0.1', '::1'] } };
    const both = stepCertificates(first, { plan: other, now: start, trusted: false });
    const leaf = new X509Certificate(both.leaf.certificate);
    expect([leaf.checkHost('a.b.svc'), leaf.checkIP('127.0.0.1'), leaf.checkIP('::1')]).not.toContain(undefined);
    // Neither has anything left to do.
    expect(settled(both, start)).toBe(both);
    expect(stepCertificates(both, { plan: other, now: start, trusted: false })).toBe(both);
  });

  test('B-22 a leaf that ends with its signer is not made again and again', () => {
    // Nobody trusts the next one yet, so the signer signs to its end.
    const late = settled(first, start + 89 * day);
    expect(endsOf(late).leaf).toBe(endsOf(first).authority);
    expect(settled(late, start + 89.5 * day)).toBe(late);
  });

  test('a leaf of another authority of the same name is replaced', () => {
    const forger = settled(undefined, start);
    const forged = { ...first, leaf: forger.leaf };
    expect(isSignedBy(settled(forged, start), first.signer.certificate)).toBe(true);
    expect(settled(forged, start).leaf).not.toEqual(forger.leaf);
  });

  test('C-05 CW-3 a new authority signs only after everybody was seen to trust it, and the old one is trusted on', () => {
    const due = start + 61 * day;
    const announced = settled(first, due);
    const next = announced.next?.authority.certificate ?? '';
    expect(authorities(announced)).toBe(2);
    expect(announced.signer).toBe(first.signer);
    // However long it takes: while one configuration lacks it, it signs nothing.
    const waiting = settled(announced, due + 10 * day);
    expect(isSignedBy(waiting, first.signer.certificate)).toBe(true);
    const seen = settled(announced, due + 1000, true);
    expect(isSignedBy(seen, first.signer.certificate)).toBe(true);
    expect(isSignedBy(settled(seen, due + 60_999, true), first.signer.certificate)).toBe(true);
    const switched = settled(seen, due + 61_000, true);
    expect(switched.signer.certificate).toBe(next);
    expect(isSignedBy(switched, next)).toBe(true);
    expect(bundleOf(switched)).toContain(first.signer.certificate.trim());
    // Nobody can serve with a leaf of the old one any more.
    const end = due + 61_000 + 9 * day;
    expect(authorities(settled(switched, end - 1))).toBe(2);
    expect(bundleOf(settled(switched, end))).toBe(next);
  });

  test('B-22 what ended while nobody was there is made anew', () => {
    const late = settled(first, start + 91 * day);
    expect(late.signer).not.toEqual(first.signer);
    expect(authorities(late)).toBe(1);
    expect(isSignedBy(late, late.signer.certificate)).toBe(true);
  });

  describe('made by a clock that ran ahead', () => {
    const ahead = start + 400 * day;

    test('B-22 an authority that is not valid yet is replaced: nobody trusts what it signs', () => {
      const early = settled(undefined, ahead);
      const healed = settled(early, start);
      expect(healed.signer).not.toEqual(early.signer);
      expect(new X509Certificate(healed.leaf.certificate).validFromDate.getTime()).toBeLessThanOrEqual(start);
      expect(isSignedBy(healed, healed.signer.certificate)).toBe(true);
    });

    test('B-22 a leaf that is not valid yet is issued anew by the same authority', () => {
      const early = settled(first, start + 40 * day);
      const healed = settled(early, start + day);
      expect(healed.signer).toBe(first.signer);
      expect(new X509Certificate(healed.leaf.certificate).validFromDate.getTime()).toBeLessThanOrEqual(start + day);
    });

    test('C-05 an authority that was announced from the future never signs; one that is due is announced in its place', () => {
      const early = settled(first, start + 80 * day);
      expect(early.next).toBeDefined();
      expect(settled(early, start + day, true).next).toBeUndefined();
      const again = settled(early, start + 61 * day);
      expect(again.next?.authority).not.toEqual(early.next?.authority);
      expect(authorities(again)).toBe(2);
    });

    test('C-05 a sighting from the future does not put the switch off: it is seen again', () => {
      const due = start + 61 * day;
      const seen = settled(settled(first, due), due + 1000, true);
      const strange = { ...seen, next: seen.next && { ...seen.next, seen: due + 300 * day } };
      const again = settled(strange, due + 2000, true);
      expect(again.next?.seen).toBe(due + 2000);
      expect(settled(again, due + 62_000, true).signer).toEqual(seen.next?.authority);
    });

    test('C-05 who was to be trusted until long after is trusted no longer than a leaf of it may be served', () => {
      const due = start + 61 * day;
      const seen = settled(settled(first, due), due + 1000, true);
      const switched = settled(seen, due + 61_000, true);
      const strange = { ...switched, previous: switched.previous && { ...switched.previous, until: due + 900 * day } };
      const again = settled(strange, due + 62_000);
      expect(again.previous?.until).toBe(due + 62_000 + 9 * day);
      expect(settled(again, due + 62_000)).toBe(again);
    });
  });
});
