import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';

function invalid(message: string): KilterError {
  return new KilterError('MANAGER_OPTION_INVALID', message);
}

/** Refuses what is not an option of the function. */
export function checkOptions<O extends object>(what: string, given: O, known: OptionNames<O>): void {
  const mistakes = new Mistakes();
  mistakes.form(what, given, known);
  mistakes.report();
}

/** Collects what is wrong with an operator, so that its author learns of all of it at once. */
export class Mistakes {
  readonly #found: KilterError[] = [];

  /** What `resolve` gives. Where it refuses, `unused` is in its place: `report` throws before anybody uses it. */
  of<T>(resolve: () => T, unused: T): T {
    try {
      return resolve();
    } catch (error) {
      if (!(error instanceof KilterError)) throw error;
      this.#found.push(error);
      return unused;
    }
  }

  /** The options, if they are an object of known ones: an option that is misspelled would be one that is not given. */
  form<O extends object>(what: string, given: O, known: OptionNames<O>): O {
    this.#found.push(...optionMistakes(what, given, known).map(invalid));
    return typeof given === 'object' && given !== null ? given : ({} as O);
  }

  /** One mistake is thrown as it is; several are listed in one error. */
  report(): void {
    const [first, ...others] = this.#found;
    if (first === undefined) return;
    if (others.length === 0) throw first;
    const told = this.#found.map((error, i) => `(${i + 1}) ${inWords(error)}`);
    throw invalid(`${this.#found.length} mistakes: ${told.join('; ')}`);
  }
}

/** With its cure, unless that is the one of the whole. */
function inWords({ code, summary, message }: KilterError): string {
  return code === 'MANAGER_OPTION_INVALID' ? summary : message;
}
