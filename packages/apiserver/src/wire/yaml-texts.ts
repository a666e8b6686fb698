// The texts in a YAML text: as blocks, in quotes, and plain.
import { isBlank, isBreak, isGap, type Mark, type YamlReader } from './yaml-reader.ts';

/** How the line breaks at the end of a block count. */
type Chomping = 'strip' | 'clip' | 'keep';

interface Header {
  readonly chomping: Chomping;
  readonly increment: number;
}

function scanChomping(reader: YamlReader): Chomping | undefined {
  const sign = reader.peek();
  if (sign !== '+' && sign !== '-') return undefined;
  reader.skip();
  return sign === '+' ? 'keep' : 'strip';
}

function scanIncrement(reader: YamlReader, start: Mark): number {
  const digit = reader.peek();
  if (!/^\d$/.test(digit)) return 0;
  if (digit === '0') throw reader.problem('found an indentation indicator equal to 0', start);
  reader.skip();
  return Number(digit);
}

function scanHeader(reader: YamlReader, start: Mark): Header {
  reader.skip();
  const first = scanChomping(reader);
  const increment = scanIncrement(reader, start);
  const chomping = first ?? (increment > 0 ? scanChomping(reader) : undefined) ?? 'clip';
  reader.takeWhile(isBlank);
  reader.skipComment();
  if (!reader.isEnd && !isBreak(reader.peek())) {
    throw reader.problem('did not find expected comment or line break', start);
  }
  reader.takeBreak();
  return { chomping, increment };
}

interface Indentation {
  /** 0 as long as nobody knows. */
  readonly indent: number;
  readonly breaks: string;
}

/** Empty lines, and how far the block stands in if that is not known yet. */
function scanEmptyLines(
  reader: YamlReader,
  known: number,
  { start, parent }: { start: Mark; parent: number },
): Indentation {
  let [breaks, deepest] = ['', 0];
  for (;;) {
    while ((known === 0 || reader.column < known) && reader.peek() === ' ') reader.skip();
    deepest = Math.max(deepest, reader.column);
    if ((known === 0 || reader.column < known) && reader.peek() === '\t') {
      throw reader.problem('found a tab character where an indentation space is expected', start);
    }
    if (!isBreak(reader.peek())) break;
    breaks += reader.takeBreak();
  }
  return { breaks, indent: known === 0 ? Math.max(deepest, parent + 1, 1) : known };
}

/** `|` and `>`; `parent` is how far what it belongs to stands in. */
export function scanBlock(reader: YamlReader, literal: boolean, parent: number): string {
  const place = { start: reader.mark, parent };
  const { chomping, increment } = scanHeader(reader, place.start);
  const asked = increment > 0 ? Math.max(parent, 0) + increment : 0;
  let { indent, breaks } = scanEmptyLines(reader, asked, place);
  let [text, leading, wasBlank] = ['', '', false];
  while (reader.column === indent && !reader.isEnd) {
    const blank = isBlank(reader.peek());
    const folded = !literal && !wasBlank && !blank && leading.startsWith('\n');
    text += (folded ? (breaks === '' ? ' ' : '') : leading) + breaks;
    wasBlank = blank;
    text += reader.takeWhile((character) => !isBreak(character));
    leading = reader.takeBreak();
    ({ breaks, indent } = scanEmptyLines(reader, indent, place));
  }
  return text + (chomping === 'strip' ? '' : leading) + (chomping === 'keep' ? breaks : '');
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function scanCode(reader: YamlReader, length: number, start: Mark): string {
  let digits = '';
  for (let ahead = 0; ahead < length; ahead += 1) {
    const digit = reader.peek(ahead);
    if (!/^[0-9a-f]$/i.test(digit)) throw reader.problem('did not find expected hexdecimal number', start);
    digits += digit;
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10_ff_ff) {
    throw reader.problem('found invalid Unicode character escape code', start);
  }
  reader.skip(length);
  return String.fromCodePoint(code);
}

function scanEscape(reader: YamlReader, start: Mark): string {
  const letter = reader.peek(1);
  const length = codeLengths.get(letter);
  const known = escapes.get(letter);
  if (length === undefined && known === undefined) throw reader.problem('found unknown escape character', start);
  reader.skip(2);
  return length === undefined ? (known ?? '') : scanCode(reader, length, start);
}

/** One part of a text in quotes, up to a gap or the quote; whether the line break behind it was escaped. */
function scanQuotedPart(reader: YamlReader, single: boolean, start: Mark): { part: string; joined: boolean } {
  let part = '';
  while (!isGap(reader.peek())) {
    const character = reader.peek();
    if (single && character === "'" && reader.peek(1) === "'") {
      part += "'";
      reader.skip(2);
    } else if (character === (single ? "'" : '"')) break;
    else if (!single && character === '\\' && isBreak(reader.peek(1))) {
      reader.skip();
      reader.takeBreak();
      return { part, joined: true };
    } else if (!single && character === '\\') part += scanEscape(reader, start);
    else part += reader.take();
  }
  return { part, joined: false };
}

/** Blanks and line breaks between two parts of a text. */
interface Gap {
  readonly blanks: string;
  /** The first line break, undefined where there is none. */
  readonly leading: string | undefined;
  readonly trailing: string;
}

/** Of a gap that has line breaks the blanks do not count. */
function scanGap(reader: YamlReader, broken: boolean, checkTab?: () => void): Gap {
  let blanks = '';
  let leading = broken ? '' : undefined;
  let trailing = '';
  while (isBlank(reader.peek()) || isBreak(reader.peek())) {
    if (isBreak(reader.peek())) {
      const found = reader.takeBreak();
      if (leading === undefined) leading = found;
      else trailing += found;
    } else if (leading === undefined) blanks += reader.take();
    else {
      checkTab?.();
      reader.skip();
    }
  }
  return { blanks, leading, trailing };
}

function textOfGap({ blanks, leading, trailing }: Gap): string {
  if (leading === undefined) return blanks;
  if (!leading.startsWith('\n')) return leading + trailing;
  return trailing === '' ? ' ' : trailing;
}

export function scanQuoted(reader: YamlReader, single: boolean): string {
  const start = reader.mark;
  const quote = single ? "'" : '"';
  reader.skip();
  let text = '';
  for (;;) {
    if (reader.isAtDocument) throw reader.problem('found unexpected document indicator', start);
    if (reader.isEnd) throw reader.problem('found unexpected end of stream', start);
    const { part, joined } = scanQuotedPart(reader, single, start);
    text += part;
    if (reader.peek() === quote) break;
    text += textOfGap(scanGap(reader, joined));
  }
  reader.skip();
  return text;
}

const endsInFlow = new Set(',?[]{}');

const endsPlain = (reader: YamlReader, flow: boolean): boolean => {
  const character = reader.peek();
  return (character === ':' && isGap(reader.peek(1))) || (flow && endsInFlow.has(character));
};

export interface PlainText {
  readonly text: string;
  /** Whether it ends behind a line break: then a key may follow. */
  readonly broken: boolean;
}

/** `indent` is how far its further lines stand in, at least. */
export function scanPlain(reader: YamlReader, flow: boolean, indent: number): PlainText {
  const start = reader.mark;
  const checkTab = (): void => {
    if (reader.column >= indent || reader.peek() !== '\t') return;
    throw reader.problem('found a tab character that violates indentation', start);
  };
  let [text, broken] = ['', false];
  let gap: Gap | undefined;
  while (!reader.isAtDocument && reader.peek() !== '#') {
    while (!isGap(reader.peek()) && !endsPlain(reader, flow)) {
      if (gap !== undefined) text += textOfGap(gap);
      [gap, broken] = [undefined, false];
      text += reader.take();
    }
    if (!isBlank(reader.peek()) && !isBreak(reader.peek())) break;
    gap = scanGap(reader, false, checkTab);
    broken = gap.leading !== undefined;
    if (!flow && reader.column < indent) break;
  }
  return { text, broken };
}
