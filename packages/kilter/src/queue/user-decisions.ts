import { keyOfRef, type NamedRef } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { isPromise } from '../internal/index.ts';
import type { ResolvedQueueOptions } from './options.ts';

type Own = Pick<ResolvedQueueOptions, 'name' | 'logger' | 'fairness' | 'retryDelay'>;

/** A question to a function of the user, and what can be used of its answer. */
interface Question<T> {
  readonly option: string;
  readonly wanted: string;
  readonly ask: () => T;
  readonly fits: (answer: T) => boolean;
}

const isText = (answer: unknown): boolean => typeof answer === 'string';
const isTime = (answer: number): boolean => Number.isFinite(answer) && answer >= 0;

/**
 * What functions of the user decide for a queue. One that throws, or answers what cannot be used, costs no key: the default holds
 * for that key. It is reported once: such a function is asked for each key, and the same is wrong with all of them.
 */
export class UserDecisions {
  readonly #options: Own;
  readonly #told = new Set<string>();

  constructor(options: Own) {
    this.#options = options;
  }

  /** The fairness key that this one takes turns under. */
  laneOf(ref: NamedRef): string {
    const { fairness } = this.#options;
    const namespace = ref.namespace ?? '';
    if (fairness === 'off') return '';
    if (fairness === 'namespace') return namespace;
    const question = { option: 'fairness', wanted: 'a text', ask: () => fairness(ref), fits: isText };
    return this.#answer(question, ref) ?? namespace;
  }

  /** Milliseconds before the n-th retry in a row; undefined where nobody decides it. */
  retryDelay(n: number, ref: NamedRef): number | undefined {
    const { retryDelay } = this.#options;
    if (retryDelay === undefined) return undefined;
    const question = { option: 'backoff.delay', wanted: 'a duration', ask: () => retryDelay(n, ref), fits: isTime };
    return this.#answer(question, ref);
  }

  #answer<T>({ option, wanted, ask, fits }: Question<T>, ref: NamedRef): T | undefined {
    try {
      const answer = ask();
      if (!isPromise(answer) && fits(answer)) return answer;
      const { name } = this.#options;
      const message = `queue ${name}: ${option} returned ${inShort(answer)}, not ${wanted}`;
      this.#tell(option, ref, new KilterError('QUEUE_OPTION_INVALID', message));
    } catch (error) {
      this.#tell(option, ref, error);
    }
    return undefined;
  }

  #tell(option: string, ref: NamedRef, err: unknown): void {
    if (this.#told.has(option)) return;
    this.#told.add(option);
    const { logger, name } = this.#options;
    logger.error({ err, queue: name, key: keyOfRef(ref) }, `${option} cannot be used; the default applies`);
  }
}
