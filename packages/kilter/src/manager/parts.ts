import type { SharedCache } from '../cache/index.ts';
import type { CrashWatch } from '../controller/index.ts';
import type { Election } from '../election/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { WebhookPart } from '../webhook/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { ResolvedElection } from './options.ts';
import type { PartGroup } from './part-group.ts';
import type { RunnerGroup } from './runner-group.ts';

/** The parts of one started operator, in the order they stand on each other. */
export interface Parts {
  readonly cache: SharedCache;
  /** Controllers of the leader. */
  readonly runners: RunnerGroup;
  /** Controllers of every replica: they do not wait for the Lease. */
  readonly replicaRunners: RunnerGroup;
  /** The user's own work, on every replica and on the leader. */
  readonly replicaParts: PartGroup;
  readonly leaderParts: PartGroup;
  readonly election: Election | undefined;
  /** Who ends the process; undefined where nobody finds out. */
  readonly crashes: Pick<CrashWatch, 'begin' | 'end'> | undefined;
  readonly hooks: Pick<ResolvedElection, 'onStartedLeading' | 'onStoppedLeading'> | undefined;
  /** Undefined where there is nothing to answer. */
  readonly webhooks: Pick<WebhookPart, 'start' | 'close'> | undefined;
  /** Rejects with what nobody caught. Undefined: nobody looks. */
  readonly uncaught?: Promise<never> | undefined;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gracefulStop: number;
  /** Aborts what runs, with every request it has made: near the end of a stop, or at once when leadership is lost. */
  readonly work: AbortController;
  /** Asks whether the operator may do what it declares; rejects where it may not even read it. Undefined: nobody asks. */
  readonly review: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Opens the metrics and probe servers; none unless asked for. */
  readonly openEndpoints: () => Promise<readonly Endpoint[]>;
}
