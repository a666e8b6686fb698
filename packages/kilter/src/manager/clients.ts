import { type Client, createClient, type WithRawReads } from '../client/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import type { Transport } from '../transport/index.ts';
import { transportUntil } from './working-transport.ts';

export interface ClientsOptions {
  /** Of the operator; its controllers and parts have names of their own. */
  readonly manager: string;
  /** Ends the requests of runs and parts. */
  readonly work: AbortSignal;
  /** In milliseconds, of the leader's writes. */
  readonly writeLimit: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** The clients of an operator, over one transport. */
export interface Clients {
  /** The framework's own. */
  readonly live: Client & WithRawReads;
  /** Asks about scrapers, each of which waits for the answer. */
  readonly reviewer: Client;
  /** What runs and parts read the server with. */
  readonly reader: Client;
  /** What a controller or a part writes with; `guarded`: only as the leader. */
  readonly clientOf: (manager: string, guarded: boolean) => Client;
  /** The framework's own, for work of which the signal is the end. */
  readonly clientUntil: (signal: AbortSignal) => Client;
}

export function clientsOn(wire: Transport, { manager: name, work, writeLimit, ...told }: ClientsOptions): Clients {
  const working = transportUntil(wire, work);
  const ofLeader = { guarded: true, writeDeadline: writeLimit };
  return {
    live: createClient(wire, { manager: name, ...told }),
    reviewer: createClient(wire, { manager: name, deadline: 10_000, ...told }),
    reader: createClient(working, { manager: name, ...told }),
    clientOf: (manager, guarded) =>
      createClient(working, { manager, editConflict: 'again', ...(guarded && ofLeader), ...told }),
    clientUntil: (signal) => createClient(transportUntil(wire, signal), { manager: name, ...told }),
  };
}
