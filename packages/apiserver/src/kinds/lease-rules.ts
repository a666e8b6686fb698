import type { JsonObject } from 'kilter/api';
import { invalidValue, negative } from '../status/index.ts';
import { type Issue, objectIfIn } from '../values/index.ts';

export function leaseIssues(lease: JsonObject): Issue[] {
  const { leaseDurationSeconds: seconds, leaseTransitions } = objectIfIn(lease, 'spec') ?? {};
  const short = typeof seconds === 'number' && seconds <= 0;
  return [
    ...(short ? [invalidValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0')] : []),
    ...negative('spec.leaseTransitions', leaseTransitions),
  ];
}

/** Coordinated election is off on a server that nobody configured: what only it reads is not kept. */
export function dropCoordination(lease: JsonObject): void {
  const spec = objectIfIn(lease, 'spec');
  delete spec?.['strategy'];
  delete spec?.['preferredHolder'];
}
