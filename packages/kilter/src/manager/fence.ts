import { KilterError, OutsideError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Gate } from '../transport/index.ts';

export interface FenceOptions {
  readonly clock: Clock;
  readonly gate: Gate;
  /** What an effect may take while a lease guards it, in milliseconds; undefined without election. */
  readonly limit: number | undefined;
}

/** Runs effects outside the cluster under the write guard: refused when the gate is closed, aborted in time. */
export function fenceOf({ clock, gate, limit }: FenceOptions) {
  return async <R>(effect: (signal: AbortSignal) => Promise<R>, signal: AbortSignal): Promise<R> => {
    const reason = gate.closed();
    if (reason !== undefined) throw new KilterError('TRANSPORT_GATE_CLOSED', `an effect was not started: ${reason}`);
    signal.throwIfAborted();
    if (limit === undefined) return effect(signal);
    const over = new AbortController();
    const timer = clock.timer(limit, () =>
      over.abort(new OutsideError('unreachable', `no answer within ${limit} ms`, { service: 'the service' })),
    );
    try {
      return await effect(AbortSignal.any([signal, over.signal]));
    } finally {
      timer.cancel();
    }
  };
}
