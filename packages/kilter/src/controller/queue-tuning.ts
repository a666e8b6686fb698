import type { Duration, NamedRef } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { parseDuration, toMilliseconds } from '../internal/index.ts';
import type { Fairness, WorkQueueOptions } from '../queue/index.ts';

/** How fast a failing key is retried. */
export interface BackoffOptions {
  /**
   * The first delay. Default: 5 ms, as controller-runtime. A controller's own wins over the operator's. A larger one suits
   * reconcilers that call slow or metered systems.
   */
  base?: Duration | undefined;
  /** The longest delay. Default: 1000 s. A controller's own wins over the operator's. A shorter one heals sooner after long outages. */
  cap?: Duration | undefined;
  /**
   * Each delay is shortened by up to this part of it, so that keys failing together do not retry together. Default: 0.1. A
   * controller's own wins over the operator's. More of it spreads the load on what all of them call; 0 makes times exact.
   */
  jitter?: number | undefined;
  /**
   * A rate limiter of one's own: how long the n-th retry in a row (from 1) of this object waits, in place of base, cap and jitter. Default: none.
   * A controller's own wins over the operator's. For retries that share a budget, or depend on the object. What is not a
   * duration, and what throws, is told once, and the others hold.
   */
  delay?: ((retry: number, ref: NamedRef) => Duration) | undefined;
}

/** The order and the pace in which keys run. */
export interface QueueTuning {
  backoff?: BackoffOptions | undefined;
  /**
   * A key that waits gains the rank of a change for each such period, so that an initial list or a resync is not kept waiting for
   * ever by a stream of changes. Default: 30 s. A controller's own wins over the operator's. Longer where changes must always
   * come first.
   */
  ageing?: Duration | undefined;
  /**
   * Whose keys take turns: those of different namespaces, of what a function says of a key, or nobody's ('off'). Default:
   * 'namespace', so that a burst in one does not hold up the others. A controller's own wins over the operator's. A function
   * suits tenants that have several namespaces, or share one.
   */
  fairness?: Fairness | undefined;
}

export type ResolvedTuning = Required<Pick<WorkQueueOptions, 'backoff' | 'jitter' | 'ageing' | 'fairness'>> &
  Pick<WorkQueueOptions, 'retryDelay'>;

interface Merged extends Required<Omit<BackoffOptions, 'delay'>>, Pick<BackoffOptions, 'delay'> {
  readonly ageing: Duration;
  readonly fairness: Fairness;
}

/** A controller's own options over the operator's over the defaults. */
function merged(own: QueueTuning, operator: QueueTuning): Merged {
  const pick = <K extends keyof BackoffOptions>(key: K): BackoffOptions[K] =>
    own.backoff?.[key] ?? operator.backoff?.[key];
  return {
    base: pick('base') ?? '5ms',
    cap: pick('cap') ?? '1000s',
    jitter: pick('jitter') ?? 0.1,
    delay: pick('delay'),
    ageing: own.ageing ?? operator.ageing ?? '30s',
    fairness: own.fairness ?? operator.fairness ?? 'namespace',
  } as Merged;
}

function* problemsOf({ base, cap, jitter, delay, ageing, fairness }: Merged): Generator<string> {
  for (const [what, duration] of Object.entries({ 'backoff.base': base, 'backoff.cap': cap, ageing })) {
    const ms = parseDuration(duration as Duration);
    if (ms === undefined || ms <= 0) yield `${what} must be a duration above zero, not ${inShort(duration)}`;
  }
  const [from, to] = [parseDuration(base as Duration), parseDuration(cap as Duration)];
  if (from !== undefined && to !== undefined && to > 0 && to < from) {
    yield `backoff.cap (${to} ms) is below backoff.base (${from} ms)`;
  }
  if (!((jitter as number) >= 0 && (jitter as number) < 1)) {
    yield `backoff.jitter must be from 0 to below 1, not ${inShort(jitter)}`;
  }
  if (delay !== undefined && typeof delay !== 'function') {
    yield `backoff.delay must be a function, not ${inShort(delay)}`;
  }
  if (typeof fairness !== 'function' && fairness !== 'namespace' && fairness !== 'off') {
    yield `fairness must be 'namespace', 'off' or a function, not ${inShort(fairness)}`;
  }
}

/** What is wrong with the options as they will be used together. */
export function tuningProblems(own: QueueTuning, operator: QueueTuning = {}): string[] {
  return [...problemsOf(merged(own, operator))];
}

/** Complete and checked. */
export function resolveTuning(own: QueueTuning, operator: QueueTuning = {}): ResolvedTuning {
  const [problem] = tuningProblems(own, operator);
  if (problem !== undefined) throw new KilterError('CONTROLLER_OPTION_INVALID', problem);
  const { base, cap, jitter, delay, ageing, fairness } = merged(own, operator);
  const backoff = { base: toMilliseconds(base as Duration), cap: toMilliseconds(cap as Duration) };
  const retryDelay: ResolvedTuning['retryDelay'] =
    delay &&
    ((retry, ref) => {
      const given = delay(retry, { ...ref });
      // The queue looks at it, whatever it is, and tells what it was.
      return parseDuration(given) ?? (given as number);
    });
  return { backoff, jitter: jitter as number, ageing: toMilliseconds(ageing), fairness, retryDelay };
}
