import type { NamedRef } from '../api/index.ts';
import { type Client, createClient } from '../client/index.ts';
import { type CrashStore, CrashWatch, findsPoison } from '../controller/index.ts';
import type { Clock } from '../internal/index.ts';
import { Lease } from '../k8s/coordination/v1.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import type { Transport } from '../transport/index.ts';
import type { Candidate } from './candidate.ts';
import type { ResolvedOperatorOptions } from './options.ts';

const annotation = 'kilter.dev/reign';

/** Beside the Lease of the election, whose writes must not meet others. */
export function crashLeaseOf(lease: string): string {
  return `${lease}-crashes`;
}

/** The record of crashes as an annotation of its own Lease: operators have rights to Leases anyway. */
export function crashStore(client: Client, ref: Required<NamedRef>): CrashStore {
  /** The version that was read or written last: a record somebody else has written since is not written over. */
  let seen: string | undefined;
  return {
    read: async (signal) => {
      const found = await client.find(Lease, ref, { signal });
      seen = found?.metadata.resourceVersion;
      return found?.metadata.annotations?.[annotation];
    },
    write: async (text, signal) => {
      const metadata = { annotations: { [annotation]: text } };
      const stored: Lease =
        seen === undefined
          ? await client.create(Lease.build({ ...ref, ...metadata }), { signal })
          : await client.patch(Lease, ref, { metadata: { ...metadata, resourceVersion: seen } }, { signal });
      seen = stored.metadata.resourceVersion;
    },
  };
}

export interface CrashParts {
  /** Not the one that ends with work: that nobody ended this replica is written once all work has ended. */
  readonly wire: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Only with a Lease it is clear whose reign it is; only where a controller wants to know. */
export function crashWatchOf(
  { name, controllers }: ResolvedOperatorOptions,
  { election, namespace, identity, writeLimit }: Candidate,
  { wire, ...parts }: CrashParts,
): CrashWatch | undefined {
  if (election === undefined || !controllers.some(({ spec }) => findsPoison(spec))) return undefined;
  // Guarded: a former leader does not write into the record of the present one.
  const client = createClient(wire, { manager: name, guarded: true, writeDeadline: writeLimit, ...parts });
  const store = crashStore(client, { name: crashLeaseOf(election.lease), namespace });
  return new CrashWatch({ store, holder: identity, clock: parts.clock, logger: parts.logger });
}
