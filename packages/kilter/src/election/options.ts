import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';

export interface ElectionOptions {
  /** Its requests have their own session and are not guarded. */
  readonly client: Pick<Client, 'find' | 'create' | 'update' | 'watch'>;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Default: nowhere. */
  readonly metrics?: Metrics | undefined;
  /** Gets an Event on the Lease for each win and loss. Default: none. */
  readonly recorder?: Pick<Recorder, 'record'> | undefined;
  /** Called after every write of the Lease that succeeded, and as a candidate when it is seen renewed: the server is there. Default: nothing is called. */
  readonly reached?: (() => void) | undefined;
  readonly lease: { readonly name: string; readonly namespace: string };
  /** Tells candidates apart: new with every start. */
  readonly identity: string;
  /**
   * How long candidates wait for a silent leader, in milliseconds: whole seconds. Default: 15 s, as client-go. Longer
   * rides out longer outages of the API server; shorter hands over sooner after a crash.
   */
  readonly leaseDuration?: number | undefined;
  /** A leader without a successful renewal for so long gives up, in milliseconds. Default: 10 s. */
  readonly renewDeadline?: number | undefined;
  /** Between renewals, and between tries, in milliseconds. Default: 2 s. */
  readonly retryPeriod?: number | undefined;
  /** Merged into the Lease's labels. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** What the state machine needs to know. Times in milliseconds. */
export interface ElectionRules {
  readonly lease: { readonly name: string; readonly namespace: string };
  readonly identity: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly labels: Readonly<Record<string, string>>;
}

export function electionRules(options: ElectionOptions): ElectionRules {
  const rules: ElectionRules = {
    lease: options.lease,
    identity: options.identity,
    leaseDuration: options.leaseDuration ?? 15_000,
    renewDeadline: options.renewDeadline ?? 10_000,
    retryPeriod: options.retryPeriod ?? 2000,
    labels: options.labels ?? {},
  };
  const problem = problemOf(rules);
  if (problem !== undefined) throw new KilterError('ELECTION_OPTION_INVALID', problem);
  return rules;
}

function problemOf({
  lease,
  identity,
  leaseDuration: d,
  renewDeadline: r,
  retryPeriod: p,
}: ElectionRules): string | undefined {
  if (lease.name === '' || lease.namespace === '') return 'the Lease needs a name and a namespace';
  // An empty holder means that nobody holds the Lease.
  if (identity === '') return 'the identity is empty';
  // The record holds whole seconds: a fraction would be lost on the way to the other candidates.
  if (!(d >= 1000 && d % 1000 === 0)) return `leaseDuration must be whole seconds and at least 1 s, not ${d} ms`;
  if (!(p > 0)) return `retryPeriod must be above 0 ms, not ${p} ms`;
  if (!(p + r < d)) return `retryPeriod + renewDeadline must be below leaseDuration: ${p} + ${r} ms against ${d} ms`;
  if (!(1.2 * p < r)) return `1.2 x retryPeriod must be below renewDeadline: 1.2 x ${p} ms against ${r} ms`;
  return undefined;
}

/** The time limit of one Lease request: a renewal can be tried twice before leadership is lost. */
export function requestTimeout({ renewDeadline }: ElectionRules): number {
  return Math.max(renewDeadline / 2, 1000);
}
