import type { NamedRef } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Backoff, Runtime } from '../internal/index.ts';
import { type Logger, type Metrics, silentLogger } from '../telemetry/index.ts';

/** Whose keys take turns: those of different namespaces, of what a function says, or nobody's. */
export type Fairness = 'namespace' | 'off' | ((ref: NamedRef) => string);

/** Milliseconds before the n-th retry in a row of a key. */
export type RetryDelay = (retry: number, ref: NamedRef) => number;

export interface WorkQueueOptions {
  /** The controller's name: a label of the metrics. */
  readonly name: string;
  readonly runtime: Runtime;
  /** Where depth, durations and counts are registered. Default: nowhere. */
  readonly metrics?: Metrics | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
  /**
   * Delay of the n-th retry in a row. Default: 5 ms, doubled up to 1000 s, as client-go. A larger base suits
   * reconcilers that call slow or metered systems.
   */
  readonly backoff?: Partial<Backoff> | undefined;
  /**
   * Milliseconds before the n-th retry in a row of a key, instead of `backoff`, without jitter. What is not a time,
   * and what throws, is
   * told once, and `backoff` holds. Default: none.
   */
  readonly retryDelay?: RetryDelay | undefined;
  /** Shortens each delay by up to this part of it, so that keys failing together do not retry together. Default: 0.1. */
  readonly jitter?: number | undefined;
  /** A ready key rises by 100 for each such period in milliseconds, so that none starves. Default: 30 s. */
  readonly ageing?: number | undefined;
  /** Default: 'namespace', so that a burst in one namespace does not hold up the others. */
  readonly fairness?: Fairness | undefined;
}

export interface ResolvedQueueOptions {
  readonly name: string;
  readonly runtime: Runtime;
  readonly metrics: Metrics | undefined;
  readonly logger: Logger;
  readonly backoff: Backoff;
  readonly retryDelay: RetryDelay | undefined;
  readonly jitter: number;
  readonly ageing: number;
  readonly fairness: Fairness;
}

export function resolveQueueOptions(given: WorkQueueOptions): ResolvedQueueOptions {
  const resolved: ResolvedQueueOptions = {
    name: given.name,
    runtime: given.runtime,
    metrics: given.metrics,
    logger: given.logger ?? silentLogger,
    backoff: {
      base: given.backoff?.base ?? 5,
      factor: given.backoff?.factor ?? 2,
      cap: given.backoff?.cap ?? 1_000_000,
    },
    retryDelay: given.retryDelay,
    jitter: given.jitter ?? 0.1,
    ageing: given.ageing ?? 30_000,
    fairness: given.fairness ?? 'namespace',
  };
  const problem = problemOf(resolved);
  if (problem !== undefined) throw new KilterError('QUEUE_OPTION_INVALID', `queue ${given.name}: ${problem}`);
  return resolved;
}

function problemOf({ backoff: { base, factor, cap }, jitter, ageing }: ResolvedQueueOptions): string | undefined {
  if (!(base > 0)) return `backoff.base must be above 0 ms, not ${base}`;
  if (!(factor >= 1)) return `backoff.factor must be at least 1, not ${factor}`;
  if (!(cap >= base)) return `backoff.cap must be at least backoff.base (${base} ms), not ${cap}`;
  if (!(jitter >= 0 && jitter < 1)) return `jitter must be from 0 to below 1, not ${jitter}`;
  if (!(ageing > 0)) return `ageing must be above 0 ms, not ${ageing}`;
  return undefined;
}
