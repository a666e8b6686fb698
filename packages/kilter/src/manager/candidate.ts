import { hostname } from 'node:os';
import { createClient } from '../client/index.ts';
import { podNamespace } from '../config/index.ts';
import { createElection, type Election } from '../election/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import type { Gate, Transport } from '../transport/index.ts';
import type { ResolvedElection, ResolvedOperatorOptions } from './options.ts';

/** Who this replica is, and how it stands for election. */
export interface Candidate {
  /** Unique to this start: `<hostname>_<uuid>` unless given. */
  readonly identity: string;
  /** Undefined without election. */
  readonly election: ResolvedElection | undefined;
  readonly namespace: string;
  /** What a guarded write may take, so that it has ended before a successor may act. */
  readonly writeLimit: number | undefined;
}

export async function candidateOf(
  { leaderElection }: ResolvedOperatorOptions,
  { runtime, contextNamespace }: { runtime: Runtime; contextNamespace: string },
): Promise<Candidate> {
  const identity = leaderElection?.identity ?? `${hostname()}_${runtime.uuid()}`;
  const namespace = leaderElection?.namespace ?? (await podNamespace({ context: contextNamespace }));
  const writeLimit = leaderElection && leaderElection.leaseDuration - leaderElection.renewDeadline;
  return { identity, election: leaderElection, namespace, writeLimit };
}

export interface ElectionParts {
  readonly wire: Transport;
  readonly manager: string;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly recorder: Recorder;
  /** Called after every Lease write that succeeded. */
  readonly reached: () => void;
}

/** The election of a candidate, over connections of its own: nothing else delays a renewal. */
export function electionOf(candidate: Candidate, { wire, manager, ...parts }: ElectionParts): Election | undefined {
  const { logger, metrics } = parts;
  if (candidate.election === undefined) return undefined;
  const { lease, leaseDuration, renewDeadline, retryPeriod, labels } = candidate.election;
  return createElection({
    ...parts,
    // Half of the renew deadline: a request that hangs leaves time for another.
    client: createClient(wire, {
      manager,
      session: 'lease',
      deadline: Math.max(renewDeadline / 2, 1000),
      logger,
      metrics,
      clock: parts.runtime.clock,
    }),
    lease: { name: lease, namespace: candidate.namespace },
    identity: candidate.identity,
    leaseDuration,
    renewDeadline,
    retryPeriod,
    labels,
  });
}

/** A gate that follows the election once there is one: the transport is before the election can. */
export class ElectionGate implements Gate {
  /** Undefined without election, and while the parts are put together: nothing writes then. */
  election: Election | undefined = undefined;

  /** Why nothing may be written any more, whatever the election says. */
  #shut: string | undefined = undefined;

  /** For good. */
  shut(reason: string): void {
    this.#shut ??= reason;
  }

  closed(): string | undefined {
    if (this.#shut !== undefined) return this.#shut;
    return this.election?.closed();
  }
}
