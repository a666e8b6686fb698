/** As large as a counted repeat may be in RE2, nested ones multiplied. */
const maximumRepeat = 1000;

/**
 * What a pattern has that Go's regexp (RE2) does not take, or that means something else there than in JavaScript;
 * `undefined` if it reads alike in both.
 */
export function re2Fault(pattern: string): string | undefined {
  const reader = new Reader(pattern);
  const { fault } = alternatives(reader);
  if (fault !== undefined) return fault;
  return reader.rest === '' ? undefined : 'a parenthesis that closes nothing';
}

/** A part of a pattern: how often its largest repeat repeats, or what is wrong with it. */
interface Part {
  readonly repeats: number;
  readonly fault?: string | undefined;
}
const once: Part = { repeats: 1 };
const faulty = (fault: string): Part => ({ repeats: 1, fault });

/** Reads a pattern from left to right. */
class Reader {
  readonly #text: string;
  /** Where the next character stands; never behind the end. */
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Takes what the expression matches right here: it begins with `^`. */
  take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.rest) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function alternatives(reader: Reader): Part {
  let repeats = 1;
  while (reader.rest !== '' && !reader.rest.startsWith(')')) {
    if (reader.take(/^\|/)) continue;
    const part = repeated(reader);
    if (part.fault !== undefined) return part;
    repeats = Math.max(repeats, part.repeats);
  }
  return { repeats };
}

const quantifier = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/;

function repeated(reader: Reader): Part {
  if (quantifier.test(reader.rest)) return faulty('a repeat of nothing');
  const part = atom(reader);
  const found = part.fault === undefined ? reader.take(quantifier) : undefined;
  if (found === undefined) return part;
  if (quantifier.test(reader.rest)) return faulty('a repeat of a repeat');
  const [, from, to = from] = found;
  if (from === undefined) return part;
  if (to !== undefined && to !== '' && Number(to) < Number(from)) return faulty('a repeat from more to less');
  const repeats = part.repeats * Math.max(Number(from), Number(to ?? 0), 1);
  return repeats > maximumRepeat ? faulty(`a repeat over ${maximumRepeat}`) : { repeats };
}

function atom(reader: Reader): Part {
  if (reader.take(/^\(/)) return group(reader);
  if (reader.take(/^\[/)) return characterClass(reader);
  const escape = reader.take(/^\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|x[0-9A-Fa-f]{2}|[^])?/u);
  if (escape !== undefined) return { ...once, fault: escapeFault(escape[0]) };
  reader.take(/^[^]/u);
  return once;
}

function group(reader: Reader): Part {
  if (reader.take(/^\?<?[=!]/)) return faulty('look-around');
  if (reader.take(/^\?(?:[imsU]+|-[imsU]+|[imsU]+-[imsU]+)\)/)) return once;
  const kind = reader.take(/^\?(?::|P?<\w+>|(?:[imsU]+|-[imsU]+|[imsU]+-[imsU]+):)/);
  if (kind === undefined && reader.rest.startsWith('?')) return faulty('a group of an unknown kind');
  const inner = alternatives(reader);
  if (inner.fault !== undefined) return inner;
  return reader.take(/^\)/) ? inner : faulty('a group that is not closed');
}

function characterClass(reader: Reader): Part {
  reader.take(/^\^/);
  if (reader.rest.startsWith(']')) return faulty('an empty class');
  while (!reader.take(/^\]/)) {
    if (reader.rest === '') return faulty('a class that is not closed');
    const fault = classItem(reader);
    if (fault !== undefined) return faulty(fault);
  }
  return once;
}

const classAtom = /^(?:\[:\^?[a-z]+:\]|\\(?:[pP]\{[^}]*\}|x\{[^}]*\}|x[0-9A-Fa-f]{2}|[^])?|[^])/u;

function classItem(reader: Reader): string | undefined {
  const from = reader.take(classAtom)?.[0] ?? '';
  const fault = classEscapeFault(from);
  if (fault !== undefined || !/^-[^\]]/u.test(reader.rest) || isSet(from)) return fault;
  reader.take(/^-/);
  const to = reader.take(classAtom)?.[0] ?? '';
  if (isSet(to)) return 'a range that ends in a class';
  return classEscapeFault(to) ?? (codeOf(from) > codeOf(to) ? 'a range from more to less' : undefined);
}

function classEscapeFault(item: string): string | undefined {
  if (item === '\\b' || item === '\\B') return 'a backspace in a class';
  return item.startsWith('\\') ? escapeFault(item) : undefined;
}

/** Several characters, as `\d`: no end of a range. */
function isSet(item: string): boolean {
  return /^(?:\[:|\\[dDsSwWpP])/.test(item);
}

const named: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

function codeOf(item: string): number {
  if (!item.startsWith('\\')) return item.codePointAt(0) ?? 0;
  const hex = /^\\x\{?([0-9A-Fa-f]+)/.exec(item);
  if (hex !== null) return Number.parseInt(hex[1] ?? '0', 16);
  return named[item.charAt(1)] ?? item.codePointAt(1) ?? 0;
}

/** Properties RE2 does not know: it has general categories and scripts, by their bare names. */
const foreignProperty = /^\\[pP]\{(?:[^}]*=|(?:Extended_|Emoji|Regional_|Assigned|Alphabetic|ID_|RGI_))/;

function escapeFault(escape: string): string | undefined {
  const letter = escape.charAt(1);
  if (letter === '') return 'a backslash at its end';
  if (/[1-9k]/.test(letter)) return 'a back-reference';
  if (letter === 'u') return 'a \\u escape';
  if (letter === 'c') return 'a control escape';
  if (/[pP]/.test(letter)) return foreignProperty.test(escape) ? 'a Unicode property' : undefined;
  if (letter === 'x') return escape.length > 2 ? undefined : 'a \\x escape without two digits';
  if (letter > '\u007f') return `the escape ${escape}`;
  return /[A-Za-z]/.test(letter) && !/[bBdDsSwWfnrtv]/.test(letter) ? `the escape ${escape}` : undefined;
}
