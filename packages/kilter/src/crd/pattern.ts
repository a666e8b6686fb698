import { re2Names } from './re2-names.ts';

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
  const escape = reader.take(escapeText);
  if (escape !== undefined) return { ...once, fault: escapeFault(escape[0]) };
  reader.take(/^[^]/u);
  return once;
}

const escapeText = /^\\(?:[pP]\{[^}]*\}|[pP][A-Z]|x\{[^}]*\}|x[0-9A-Fa-f]{2}|[^])?/u;

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
  const items: string[] = [];
  while (!reader.take(/^\]/)) {
    if (reader.rest === '') return faulty('a class that is not closed');
    const before = reader.rest;
    const fault = classItem(reader);
    if (fault !== undefined) return faulty(fault);
    items.push(before.slice(0, before.length - reader.rest.length));
  }
  // Together they are every character, to both.
  return items.includes('\\S') && !items.includes('\\s') ? faulty('a \\S in a class') : once;
}

const classAtom = new RegExp(`^(?:\\[:\\^?[a-z]+:\\]|${escapeText.source.slice(1)}|[^])`, 'u');

function classItem(reader: Reader): string | undefined {
  const from = reader.take(classAtom)?.[0] ?? '';
  const fault = from.startsWith('[:') ? 'a POSIX class' : classEscapeFault(from);
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

function escapeFault(escape: string): string | undefined {
  const letter = escape.charAt(1);
  if (letter === '') return 'a backslash at its end';
  if (/[1-9k]/.test(letter)) return 'a back-reference';
  if (letter === 'u') return 'a \\u escape';
  if (letter === 'c') return 'a control escape';
  if (/[pP]/.test(letter)) return propertyFault(escape);
  if (letter === 'x') return escape.length > 2 ? undefined : 'a \\x escape without two digits';
  if (letter > '\u007f') return `the escape ${escape}`;
  return /[A-Za-z]/.test(letter) && !/[bBdDsSwWfnrtv]/.test(letter) ? `the escape ${escape}` : undefined;
}

function propertyFault(escape: string): string | undefined {
  const [, name] = /^\\[pP]\{([^}]*)\}$/.exec(escape) ?? [];
  if (name === undefined) return 'a Unicode property without braces';
  return re2Names.has(name) ? undefined : `the Unicode property ${name}`;
}

const cures: readonly (readonly [RegExp, string])[] = [
  [/^look-around/, 'write it without look-around: as several patterns, or as a rule'],
  [/^a back-reference/, 'write it without back-references, or as a rule'],
  [/^a \\u escape/, 'write the character itself'],
  [/^a control escape/, 'write \\x and two digits'],
  [/^a backspace/, 'write \\x08'],
  [/^an empty class/, 'write [\\s\\S] for any character, and leave out what matches nothing'],
  [/^a \\S in a class/, 'name the characters: to RE2 \\s is only [\\t\\n\\f\\r ]'],
  [/^a repeat over/, 'repeat at most 1000 times in all; for the length of a string use .min and .max'],
  [/^a POSIX class/, 'write the characters, as [A-Za-z]: in JavaScript, it is a class of its letters'],
  [/^a Unicode property without/, 'write \\p{L}, with the flag u'],
  [
    /^the Unicode property/,
    'use a general category by its short name (\\p{L}, \\p{Lu}, \\p{N}, …), or a class of the characters themselves',
  ],
  [/^a \\x escape/, 'give it two digits'],
  [/^the escape/, 'leave the backslash out'],
];

/** What to do about a fault. */
export function re2Cure(fault: string): string {
  return cures.find(([pattern]) => pattern.test(fault))?.[1] ?? 'correct the pattern';
}

/** To JavaScript white space has more characters than to RE2: those of `[\t\n\f\r ]`, the others of Unicode and U+FEFF. */
const whiteSpace = '\\t-\\r\\p{Z}\\x{FEFF}';

/** A pattern that RE2 takes (`re2Fault`), in which `\s` and `\S` mean what they mean to JavaScript. */
export function toRe2(pattern: string): string {
  return pattern.replaceAll(/\[(?:\\[^]|[^\]\\])*\]|\\[^]/g, (found) => {
    if (found === '\\s') return `[${whiteSpace}]`;
    if (found === '\\S') return `[^${whiteSpace}]`;
    // Together they are every character, to both.
    if (!found.startsWith('[') || /(?<!\\)(?:\\\\)*\\S/.test(found)) return found;
    return found.replaceAll(/\\[^]/g, (escape) => (escape === '\\s' ? whiteSpace : escape));
  });
}
