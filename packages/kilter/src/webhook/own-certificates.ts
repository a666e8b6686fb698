import { KilterError } from '../errors/index.ts';
import type { CertificateSecret } from './certificate-secret.ts';
import { bundleOf, type CertificatePlan, type CertificateState, stepCertificates } from './certificate-state.ts';

// Replicas that start together write at the same time: with each try one of them succeeds, and the others find what it wrote.
const tries = 10;
// Announced, seen, switched, retired, reissued: no more steps than that can be due at one time.
const steps = 8;

export interface SettleOptions {
  readonly plan: CertificatePlan;
  readonly now: () => number;
  /** Whether every configuration was seen to hold this bundle. */
  readonly isTrusted: (bundle: string) => boolean;
  /** What this replica serves with. Where the Secret was deleted, it comes back: the API server trusts nobody else yet. */
  readonly known?: CertificateState | undefined;
}

/** Brings the shared certificates to what they should be now; gives what exists in the end, whoever wrote it. */
export async function settledCertificates(
  secret: CertificateSecret,
  { plan, now, isTrusted, known }: SettleOptions,
): Promise<CertificateState> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const stored = await secret.read();
    let state = stored.state ?? known;
    // A clock that is behind the server's would take what others made for not valid yet.
    const time = Math.max(now(), stored.written);
    for (let step = 0; step < steps; step += 1) {
      const trusted = state !== undefined && isTrusted(bundleOf(state));
      const next = stepCertificates(state, { plan, now: time, trusted });
      if (next === state) break;
      state = next;
    }
    if (state !== undefined && state === stored.state) return state;
    if (state !== undefined && (await secret.write(stored, state, bundleOf(state)))) return state;
  }
  throw new KilterError(
    'WEBHOOK_SECRET_CONTESTED',
    `each of ${tries} writes of the webhook certificates was overtaken by another`,
  );
}
