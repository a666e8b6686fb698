import type { Duration, NamedRef } from '../api/index.ts';
import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { parseDuration, toMilliseconds } from '../internal/index.ts';
import type { Fairness, WorkQueueOptions } from '../queue/index.ts';

/** How fast a failing key is retried. */
export interface BackoffOptions {
  /**
   * The first delay. Default: 5 ms, as in controller-runtime. A controller's own value takes precedence over the
   * operator's. Raise it for reconcilers that call slow or metered systems.
   */
  base?: Duration | undefined;
  /**
   * The longest delay. Default: 1000 s. A controller's own value takes precedence over the operator's. Lower it to
   * recover sooner from long outages.
   */
  cap?: Duration | undefined;
  /**
   * Each delay is shortened by up to this fraction of it, so that keys that fail together do not retry together.
   * Default: 0.1. A controller's own value takes precedence over the operator's. Raise it to spread the load on a
   * system that all of them call; 0 makes delays exact.
   */
  jitter?: number | undefined;
  /**
   * Your own rate limiter: how long the n-th retry in a row (from 1) of this object waits, instead of base, cap and
   * jitter. Default: none. A controller's own takes precedence over the operator's. Use it for retries that share a
   * budget or depend on the object. If it throws or returns no duration, that is logged once and the other options
   * apply.
   */
  delay?: ((retry: number, ref: NamedRef) => Duration) | undefined;
}

/** The order and the pace in which keys run. */
export interface QueueTuning {
  backoff?: BackoffOptions | undefined;
  /**
   * After this time, a waiting key gets the priority of a change, so that a stream of changes cannot hold up an initial
   * list or a resync for ever. Default: 30 s. A controller's own value takes precedence over the operator's. Raise it
   * if changes must always come first.
   */
  ageing?: Duration | undefined;
  /**
   * Which keys take turns: those of different namespaces, those for which a function returns different values, or none
   * ('off'). Default: 'namespace', so that a burst in one namespace does not hold up the others. A controller's own
   * value takes precedence over the operator's. Use a function for tenants that have several namespaces or share one.
   */
  fairness?: Fairness | undefined;
}

const backoffNames: OptionNames<BackoffOptions> = { base: true, cap: true, jitter: true, delay: true };
const tuningNames: OptionNames<QueueTuning> = { backoff: true, ageing: true, fairness: true };

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

/** An option that is misspelled would be one that is not given. */
function* unknownIn(own: QueueTuning, operator: QueueTuning): Generator<string> {
  if (own.backoff !== undefined) yield* optionMistakes('backoff', own.backoff, backoffNames);
  yield* optionMistakes('queue', operator, tuningNames);
  const { backoff } = operator ?? {};
  if (backoff !== undefined) yield* optionMistakes('queue.backoff', backoff, backoffNames);
}

/** What is wrong with the options as they will be used together. */
export function tuningProblems(own: QueueTuning, operator: QueueTuning = {}): string[] {
  const unknown = [...unknownIn(own, operator)];
  return unknown.length > 0 ? unknown : [...problemsOf(merged(own, operator))];
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
