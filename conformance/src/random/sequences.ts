// Random sequences on both servers at once: what differs, shrunk to the shortest sequence that shows it.
import fc from 'fast-check';
import type { Case, Step } from '../case.ts';
import type { Difference } from '../compare.ts';
import type { Servers } from '../server.ts';
import type { Experiment } from './experiments.ts';
import { Pair } from './pair.ts';

export interface RandomOptions {
  readonly runs: number;
  /** Of the first lane; the others have those after it. Default: by chance. */
  readonly seed?: number | undefined;
  /** How many sequences are under way at a time: most of one is waiting. Default: 1. */
  readonly lanes?: number | undefined;
  /** Whether to go on after a difference, and tell each that is of another shape. Default: false, the first ends the search. */
  readonly all?: boolean | undefined;
  /** Called for each sequence that was looked at. */
  readonly onLooked?: ((found: Found) => void) | undefined;
  /** Called for each difference that is told, at once: a search may take hours. */
  readonly onReport?: ((report: string) => void) | undefined;
}

export interface Found {
  /** Sequences that were answered alike. */
  alike: number;
  /** Of those, the ones whose answers differed at a first look, and not at a later one. */
  wavering: number;
  /** Sequences whose answers differ, those of a shape that was told already among them. */
  differing: number;
  /** One for each shape of difference. */
  readonly reports: string[];
}

class Differs extends Error {}

// Webhooks that were just registered, quotas that are being counted: what differs once may be a matter of time on the real server.
const looks = 3;

const start = (value: unknown): string => (JSON.stringify(value) ?? '').slice(0, 80);

/** What two sequences with the same cause have in common, mostly: the request, the place in its answer, and how the values begin. */
function shapeOf({ at, expected, actual }: Difference, { steps }: Case): string {
  const [name] = at.split('.', 1);
  const step = steps.find((one) => 'name' in one && one.name === name);
  const request = step?.do === 'request' ? `${step.method} ${step.path.split('?', 1)[0]?.replace(/\/[xy]\b/, '')}` : '';
  return [request, at.replaceAll(/\d+/g, '#'), start(expected), start(actual)].join(' ');
}

const differenceLines = ({ at, expected, actual }: Difference): string[] => [
  at,
  `  real:     ${JSON.stringify(expected)}`,
  `  embedded: ${JSON.stringify(actual)}`,
];

/** Requests that only look, wait or mark tell nothing. */
const isTold = (step: Step): boolean => 'name' in step && /^(?:step|space|quota$|role|binding|ask)/.test(step.name);

/** A lane: one pair of servers, one sequence after the other. */
class Search<T> {
  readonly #experiment: Experiment<T>;
  readonly #pair: Pair;
  readonly #found: Found;
  /** Those of all lanes: what one has told, another does not shrink once more. */
  readonly #shapes: Set<string>;

  constructor(experiment: Experiment<T>, pair: Pair, beside: { found: Found; shapes: Set<string> }) {
    this.#experiment = experiment;
    this.#pair = pair;
    this.#found = beside.found;
    this.#shapes = beside.shapes;
  }

  /** The difference between both servers, if there is one each time they are asked. */
  async #difference(testCase: Case): Promise<Difference | undefined> {
    for (let look = 0; ; look += 1) {
      const difference = await this.#pair.difference(testCase);
      if (difference === undefined && look > 0) this.#found.wavering += 1;
      if (difference === undefined || look + 1 === looks) return difference;
    }
  }

  /** Leaves out every request the difference does not need: the shrinker of fast-check never drops the last one. */
  async #shortest(sample: T): Promise<T> {
    for (const shorter of this.#experiment.shorter(sample)) {
      if ((await this.#difference(this.#experiment.caseOf(shorter))) !== undefined) return this.#shortest(shorter);
    }
    return sample;
  }

  /** Looks at one, and says whether it shows something new. */
  async #isNews(sample: T): Promise<boolean> {
    const testCase = this.#experiment.caseOf(sample);
    const difference = await this.#difference(testCase);
    if (difference === undefined) this.#found.alike += 1;
    else this.#found.differing += 1;
    return difference !== undefined && !this.#shapes.has(shapeOf(difference, testCase));
  }

  /** Undefined where it does not happen again: then the answers depend on something beside the requests, as on how far a controller is. */
  async #report(sample: T, { seed, numShrinks }: { seed: number; numShrinks: number }): Promise<string | undefined> {
    const testCase = this.#experiment.caseOf(await this.#shortest(sample));
    const steps = testCase.steps.filter(isTold);
    const difference = await this.#difference(testCase);
    if (difference === undefined) return undefined;
    this.#shapes.add(shapeOf(difference, testCase));
    return [
      `${this.#experiment.name}: (seed ${seed}), shrunk ${numShrinks} times to ${steps.length} requests:`,
      ...steps.map((step) => `  ${JSON.stringify(step)}`),
      ...differenceLines(difference),
    ].join('\n');
  }

  /** Until something new differs: how many sequences that took. */
  async next(runs: number, { seed, signal, onLooked, onReport }: LaneOptions): Promise<number> {
    // What fast-check tries while it makes a sample smaller is not counted.
    let shrinking = false;
    const property = fc.asyncProperty(this.#experiment.samples, async (sample) => {
      if (signal.aborted) return;
      if (shrinking) {
        if ((await this.#difference(this.#experiment.caseOf(sample))) !== undefined) throw new Differs();
        return;
      }
      shrinking = await this.#isNews(sample);
      onLooked?.(this.#found);
      if (shrinking) throw new Differs();
    });
    const result = await fc.check(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
    if (!result.failed) return runs;
    // A server that broke is not a difference between two answers.
    if (!(result.errorInstance instanceof Differs)) throw result.errorInstance;
    const [counterexample] = result.counterexample ?? [];
    if (counterexample === undefined) throw new Error('a difference without the sequence that shows it');
    const report = await this.#report(counterexample, result);
    if (report === undefined) {
      this.#found.differing -= 1;
      this.#found.alike += 1;
    } else {
      this.#found.reports.push(report);
      onReport?.(report);
    }
    return result.numRuns;
  }
}

interface LaneOptions {
  readonly seed: number | undefined;
  /** Aborted when another lane has found a difference that ends the search. */
  readonly signal: AbortSignal;
  readonly onLooked: RandomOptions['onLooked'];
  readonly onReport: RandomOptions['onReport'];
}

/** Several lanes at once; the first difference ends them all, unless all are asked for. */
export async function look<T>(
  experiment: Experiment<T>,
  servers: { readonly real: Servers; readonly embedded: Servers },
  { runs, seed, lanes = 1, all = false, onLooked, onReport }: RandomOptions,
): Promise<Found> {
  const found: Found = { alike: 0, wavering: 0, differing: 0, reports: [] };
  const beside = { found, shapes: new Set<string>() };
  const stop = new AbortController();
  const lane = async (_: unknown, number: number): Promise<void> => {
    const name = number === 0 ? experiment.name : `${experiment.name}-${number}`;
    await using pair = await Pair.start({ ...servers, name, setup: experiment.setup });
    const search = new Search(experiment, pair, beside);
    let [rest, round] = [Math.ceil(runs / lanes), 0];
    while (rest > 0 && !stop.signal.aborted) {
      // Seeds of rounds after the first are far from those of other lanes.
      const own = seed === undefined ? undefined : seed + number + 1000 * round;
      rest -= await search.next(rest, { seed: own, signal: stop.signal, onLooked, onReport });
      round += 1;
      if (!all && found.reports.length > 0) stop.abort();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return found;
}
