import { inShort } from './thrown.ts';

/** The options a type has, complete by its type. */
export type OptionNames<O> = Readonly<Record<keyof O, true>>;

/** What is wrong with the form of options: an option that is misspelled would be one that is not given. */
export function optionMistakes<O extends object>(what: string, given: O, known: OptionNames<O>): readonly string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [`${what} takes an object of options, not ${inShort(given)}`];
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  return unknown.map((name) => `${what} has no option ${inShort(name)}; it has ${Object.keys(known).join(', ')}`);
}
