import { KilterError, type Operator } from 'kilter';
import { inShort, optionMistakes, type OptionNames } from 'kilter/runtime';

/** Refuses what is not an option of the function: one that is misspelled would be one that is not given. */
export function checkOptions<O extends object>(what: string, given: O, known: OptionNames<O>): void {
  const [mistake] = optionMistakes(what, given, known);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
}

const invalid = (message: string, cure: string): KilterError =>
  new KilterError('TESTING_OPTION_INVALID', message, { cure });

/** Refuses what is not an operator: a controller, or the undefined of modules that import each other. */
export function checkOperator(what: string, given: Operator): void {
  const { start, kinds } = (given as Partial<Operator> | undefined | null) ?? {};
  if (typeof start === 'function' && Array.isArray(kinds)) return;
  const cure =
    'give what operator({ name, controllers }) returned; if it is undefined, the cause is usually a circular import';
  throw invalid(`${what}: ${inShort(given)} is not an operator`, cure);
}

/** Refuses an expectation that every object would meet. */
export function checkExpected(expected: unknown): void {
  if ((typeof expected === 'object' && expected !== null) || typeof expected === 'function') return;
  const cure = 'give a pattern or a function; {} if the object only has to exist';
  throw invalid(`eventually: expected is ${inShort(expected)}`, cure);
}
