import { KilterError } from '../errors/index.ts';
import type { CertificateSecret } from './certificate-secret.ts';
import { bundleOf, type CertificatePlan, type CertificateState, stepCertificates } from './certificate-state.ts';

// Replicas that start together write at the same time; each try one of them succeeds.
const tries = 50;
// Announced, seen, switched, retired, reissued: no more steps than that can be due at one time.
const steps = 8;

/** Brings the shared certificates to what they should be now; gives what is there in the end, whoever wrote it. */
export async function settledCertificates(
  secret: CertificateSecret,
  { plan, now, isTrusted }: { plan: CertificatePlan; now: () => number; isTrusted: (bundle: string) => boolean },
): Promise<CertificateState> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const stored = await secret.read();
    let state = stored.state;
    for (let step = 0; step < steps; step += 1) {
      const trusted = state !== undefined && isTrusted(bundleOf(state));
      const next = stepCertificates(state, { plan, now: now(), trusted });
      if (next === state) break;
      state = next;
    }
    if (state !== undefined && state === stored.state) return state;
    if (state !== undefined && (await secret.write(stored, state, bundleOf(state)))) return state;
  }
  throw new KilterError(
    'WEBHOOK_SECRET_FOREIGN',
    `the webhook certificates were changed by others ${tries} times in a row`,
  );
}
