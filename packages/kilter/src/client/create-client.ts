import type { Logger, Metrics } from '../telemetry/index.ts';
import type { Session, Transport } from '../transport/index.ts';
import type { Client } from './client.ts';
import { reading } from './reading.ts';
import { writing } from './writing.ts';

export interface ClientOptions {
  /** The field manager of writes that name none. Default: the user agent's, chosen by the server. */
  readonly manager?: string | undefined;
  /** Every write but a dry run is leader-only work: the transport's gate is asked before each attempt. Default: false. */
  readonly guarded?: boolean | undefined;
  /** The pool of connections for all requests but watches. Default: 'default'. */
  readonly session?: Session | undefined;
  /** For each request, over all its attempts, in milliseconds. Default: the transport's. */
  readonly deadline?: number | undefined;
  /** For writes, in milliseconds; the server is told it too. Default: `deadline`. */
  readonly writeDeadline?: number | undefined;
  /** Told of what a watch sends and is no change. Default: silent. */
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
  /** What disposing the client closes. Default: nothing, because a transport is shared. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** Typed verbs over a transport. Holds nothing but the kinds it has discovered. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  return {
    ...reading(transport, options),
    ...writing(transport, options),
    [Symbol.asyncDispose]: () => options.close?.() ?? Promise.resolve(),
  };
}
