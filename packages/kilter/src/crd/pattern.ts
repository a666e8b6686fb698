/** Classes, escapes, counted repeats and parentheses; everything else is one character. */
const token = /\[\^?(?:\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}|\((?:\?(?:<?[=!]|))?|[^]/gs;

/** As large as a counted repeat may be in RE2, nested ones multiplied. */
const maximumRepeat = 1000;

/**
 * What a pattern uses that Go's regexp (RE2) lacks, or `undefined`: a reading of JavaScript patterns only as deep as
 * that question needs.
 */
export function re2Fault(pattern: string): string | undefined {
  const repeats = new Repeats();
  for (const [part] of pattern.matchAll(token)) {
    const fault = part.startsWith('\\') ? escapeFault(pattern, part) : partFault(part, pattern);
    if (fault !== undefined) return fault;
    if (repeats.over(part)) return `a repeat over ${maximumRepeat}`;
  }
  return undefined;
}

function partFault(part: string, pattern: string): string | undefined {
  if (/^\(\?<?[=!]/.test(part)) return 'look-around';
  if (!part.startsWith('[') || part.length === 1) return undefined;
  if (/^\[\^?\]$/.test(part)) return 'an empty class';
  for (const [escape] of part.matchAll(/\\./gs)) {
    if (escape === '\\b') return 'a backspace in a class';
    const fault = escapeFault(pattern, escape);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Properties RE2 does not know: it has general categories and scripts, by their bare names. */
const foreignProperty = /\\[pP]\{(?:[^}]*=|(?:Extended_|Emoji|Regional_|Assigned|Alphabetic|ID_|RGI_))/;

function escapeFault(pattern: string, escape: string): string | undefined {
  const letter = escape.charAt(1);
  if (/[1-9k]/.test(letter)) return 'a back-reference';
  if (letter === 'u') return 'a \\u escape';
  if (letter === 'c') return 'a control escape';
  if (/[pP]/.test(letter)) return foreignProperty.test(pattern) ? 'a Unicode property' : undefined;
  return /[A-Za-z]/.test(letter) && !/[bBdDsSwWfnrtvx]/.test(letter) ? `the escape ${escape}` : undefined;
}

/** Follows how often the part just read is repeated, groups within groups multiplied. */
class Repeats {
  /** The largest product seen in each open group, outermost first; never empty. */
  readonly #open: number[] = [1];
  /** The product of the part just read. */
  #last = 1;

  over(part: string): boolean {
    const counted = /^\{(\d+)(?:,(\d*))?\}$/.exec(part);
    if (counted !== null) this.#last *= Math.max(Number(counted[1]), Number(counted[2] ?? 0), 1);
    else if (part === ')' && this.#open.length > 1) this.#last = this.#open.pop() ?? 1;
    else this.#last = 1;
    if (part.startsWith('(')) this.#open.push(1);
    const depth = this.#open.length - 1;
    this.#open[depth] = Math.max(this.#open[depth] ?? 1, this.#last);
    return this.#last > maximumRepeat;
  }
}
