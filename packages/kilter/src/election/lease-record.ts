import { formatMicroTime } from '../api/index.ts';
import { Lease, type LeaseSpec } from '../k8s/coordination/v1.ts';
import type { ElectionRules } from './options.ts';

/** Undefined when nobody holds it. */
export function holderOf({ spec }: Lease): string | undefined {
  return spec?.holderIdentity === '' ? undefined : spec?.holderIdentity;
}

/** One holder's time from winning to losing: what tells it from another one of the same name. */
export function termOf({ spec }: Lease): string {
  return `${spec?.leaseTransitions ?? 0} since ${spec?.acquireTime ?? ''}`;
}

type TermField = 'acquireTime' | 'leaseTransitions';

const missingOf = ({ spec }: Lease): readonly TermField[] =>
  (['acquireTime', 'leaseTransitions'] as const).filter((field) => spec?.[field] === undefined);

const editedText = (missing: readonly string[]): string =>
  `somebody has edited it: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`;

/** Nobody but its holder gives a Lease back: one that suddenly has none was edited. */
export const editedAway = (found: Lease): string => editedText(['holderIdentity', ...missingOf(found)]);

/**
 * What shows that no manager began this term, but somebody edited the record of the one before: who begins a term writes both fields,
 * and another time of winning.
 */
export function editedInTerm(found: Lease, known: Lease): string | undefined {
  const missing = missingOf(found);
  if (missing.length > 0) return editedText(missing);
  if (found.spec?.acquireTime !== known.spec?.acquireTime) return undefined;
  const [is, was] = [found, known].map(({ spec }) => spec?.leaseTransitions);
  return `somebody has edited it: leaseTransitions is ${is}, and was ${was}`;
}

/** How long its holder may be silent, in milliseconds; a record that does not say so gets our own duration. */
export function durationOf({ spec }: Lease, rules: ElectionRules): number {
  const seconds = spec?.leaseDurationSeconds;
  return seconds === undefined || !(seconds > 0) ? rules.leaseDuration : seconds * 1000;
}

/** Everything the record does not speak of is kept: labels and annotations of others, fields we do not know. */
function withSpec(lease: Lease, spec: LeaseSpec, { labels }: ElectionRules): Lease {
  const { metadata } = lease;
  const merged = Object.keys(labels).length === 0 ? metadata.labels : { ...metadata.labels, ...labels };
  return {
    ...lease,
    metadata: { ...metadata, ...(merged !== undefined && { labels: merged }) },
    spec: { ...lease.spec, ...spec },
  };
}

function held({ identity, leaseDuration }: ElectionRules, wall: number): LeaseSpec {
  return {
    holderIdentity: identity,
    leaseDurationSeconds: leaseDuration / 1000,
    renewTime: formatMicroTime(wall),
  };
}

export function firstLease(rules: ElectionRules, wall: number): Lease {
  const { name, namespace } = rules.lease;
  const spec = { ...held(rules, wall), acquireTime: formatMicroTime(wall), leaseTransitions: 0 };
  return withSpec(Lease.build({ name, namespace }), spec, rules);
}

/** Another term begins. Its number is greater than any that was counted, also where somebody has edited the record since. */
export function takenOver(
  { lease, counted }: { readonly lease: Lease; readonly counted: number },
  rules: ElectionRules,
  wall: number,
): Lease {
  const leaseTransitions = Math.max(lease.spec?.leaseTransitions ?? 0, counted) + 1;
  return withSpec(lease, { ...held(rules, wall), acquireTime: formatMicroTime(wall), leaseTransitions }, rules);
}

/** The same term continues. */
export function renewed(lease: Lease, rules: ElectionRules, wall: number): Lease {
  return withSpec(lease, held(rules, wall), rules);
}

/** As its own object, for the place of one that was deleted. */
export function anew({ metadata, spec }: Lease): Lease {
  const { name, namespace, labels, annotations } = metadata;
  return Lease.build({ name, namespace, labels, annotations, spec });
}

/** Nobody's; the short duration helps candidates that look at it. */
export function givenBack(lease: Lease, rules: ElectionRules, wall: number): Lease {
  const time = formatMicroTime(wall);
  return withSpec(lease, { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time }, rules);
}
