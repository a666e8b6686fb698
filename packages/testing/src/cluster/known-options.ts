import { KilterError } from 'kilter';
import { optionMistakes, type OptionNames } from 'kilter/runtime';

/** Refuses what is no option of the function: one that is misspelled would be one that is not given. */
export function checkOptions<O extends object>(what: string, given: O, known: OptionNames<O>): void {
  const [mistake] = optionMistakes(what, given, known);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
}
