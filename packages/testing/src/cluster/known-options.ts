import { KilterError, type Operator } from 'kilter';
import type { Kind, Ref } from 'kilter/api';
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

/** Refuses what is not a kind: an object of one, or the undefined of modules that import each other. */
export function checkKind(what: string, kind: Kind): void {
  const { names } = (kind as Partial<Kind> | undefined | null) ?? {};
  if (typeof names?.kind === 'string') return;
  const cure =
    'give the kind itself, such as ConfigMap or WebApp; if it is undefined, the cause is usually a circular import';
  throw invalid(`${what}: ${inShort(kind)} is not a kind`, cure);
}

export function checkRef(what: string, ref: Ref): void {
  const { name } = (ref as Partial<Exclude<Ref, string>> | undefined | null) ?? {};
  if (typeof ref === 'string' || typeof name === 'string') return;
  throw invalid(
    `${what}: ${inShort(ref)} is not a name`,
    'give the name, { namespace, name }, or the metadata of an object',
  );
}

/** Whether a pattern asks for something, or is the `{}` of somebody who only wants the object to be there. */
function isPattern(expected: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(expected);
  return prototype === Object.prototype || prototype === null || Object.keys(expected).length > 0;
}

/** Refuses an expectation that every object would meet, such as a promise of one. */
export function checkExpected(expected: unknown): void {
  if (typeof expected === 'function') return;
  if (typeof expected === 'object' && expected !== null && isPattern(expected)) return;
  const cure = 'give a pattern or a function; {} if the object only has to exist';
  throw invalid(`eventually: expected is ${inShort(expected)}`, cure);
}
