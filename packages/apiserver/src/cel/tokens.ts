// The words of an expression, as the language definition of CEL cuts them.
import { type Flaw, syntaxFlaw } from './source-error.ts';
import { Uint } from './value.ts';

export type Token = { readonly at: number; readonly end: number } & (
  | { readonly type: 'name'; readonly text: string }
  | { readonly type: 'sign'; readonly text: string }
  | { readonly type: 'literal'; readonly text: string; readonly value: unknown }
  /** A whole number before it is known whether a minus is before it. */
  | { readonly type: 'integer'; readonly text: string; readonly value: bigint }
  /** What looks like a value and is too large for one, or holds what it cannot. */
  | { readonly type: 'broken'; readonly text: string; readonly why: string }
  | { readonly type: 'end'; readonly text: '<EOF>' }
);

/** Longest first. */
const signs = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  '<',
  '>',
];
/** The beginning of a sign that is none without its second character. */
const halves = new Set(['=', '&', '|']);

const blank = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const name = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const float = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y;
const integer = /(?:0[xX][0-9a-fA-F]+|\d+)([uU]?)/y;
const textStart = /([bB]?)([rR]?)("""|'''|"|')/y;

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** No word begins here: what was looked at is reported, and skipped. */
class NoToken extends Error {
  readonly end: number;
  readonly flaw: Flaw;

  constructor(source: string, at: number, last: number) {
    super();
    this.end = Math.min(last + String.fromCodePoint(source.codePointAt(last) ?? 0).length, source.length);
    this.flaw = syntaxFlaw(at, `token recognition error at: '${source.slice(at, this.end)}'`);
  }
}

export interface Tokens {
  /** All words, and the end of the text. */
  readonly tokens: readonly Token[];
  /** What is not a word. */
  readonly flaws: readonly Flaw[];
}

export function tokensOf(source: string): Tokens {
  const tokens: Token[] = [];
  const flaws: Flaw[] = [];
  for (let at = afterBlank(source, 0); at < source.length; at = afterBlank(source, at)) {
    try {
      const token = tokenAt(source, at);
      tokens.push(token);
      at = token.end;
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      flaws.push(error.flaw);
      at = error.end;
    }
  }
  return { tokens: [...tokens, { type: 'end', text: '<EOF>', at: source.length, end: source.length }], flaws };
}

const afterBlank = (source: string, at: number): number => at + (matchAt(blank, source, at)?.[0].length ?? 0);

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function tokenAt(source: string, at: number): Token {
  const text = matchAt(textStart, source, at);
  if (text !== null) return textAt(source, at, text);
  const word = matchAt(name, source, at)?.[0];
  if (word !== undefined) {
    const place = { at, end: at + word.length, text: word };
    if (constants.has(word)) return { type: 'literal', value: constants.get(word), ...place };
    return { type: word === 'in' ? 'sign' : 'name', ...place };
  }
  const real = matchAt(float, source, at)?.[0];
  if (real !== undefined) return { type: 'literal', text: real, at, end: at + real.length, value: Number(real) };
  const whole = matchAt(integer, source, at);
  if (whole !== null) return integerAt(whole, at);
  const sign = signs.find((one) => source.startsWith(one, at));
  if (sign !== undefined) return { type: 'sign', text: sign, at, end: at + sign.length };
  throw new NoToken(source, at, halves.has(source[at] ?? '') ? at + 1 : at);
}

const mostUnsigned = 2n ** 64n - 1n;
const mostSigned = 2n ** 63n;

function integerAt([text, unsigned = '']: RegExpExecArray, at: number): Token {
  const place = { at, end: at + text.length, text };
  const value = BigInt(unsigned === '' ? text : text.slice(0, -1));
  if (unsigned === '') {
    if (value > mostSigned) return { type: 'broken', why: 'invalid int literal', ...place };
    return { type: 'integer', value, ...place };
  }
  if (value > mostUnsigned) return { type: 'broken', why: 'invalid uint literal', ...place };
  return { type: 'literal', value: new Uint(value), ...place };
}

function textAt(source: string, at: number, [start, bytes = '', raw = '', quote = '']: RegExpExecArray): Token {
  const from = at + start.length;
  const units: Unit[] = [];
  let end = from;
  let plain = from;
  while (!source.startsWith(quote, end)) {
    const character = source[end];
    if (character === undefined || (quote.length === 1 && /[\n\r]/.test(character))) throw new NoToken(source, at, end);
    if (character !== '\\' || raw !== '') {
      end += 1;
      continue;
    }
    units.push(source.slice(plain, end));
    const { unit, length } = escapeAt(source, end + 1, at);
    units.push(unit);
    end += 1 + length;
    plain = end;
  }
  units.push(source.slice(plain, end));
  const place = { text: source.slice(at, end + quote.length), at, end: end + quote.length };
  const value = bytes === '' ? textOf(units) : bytesOf(units);
  if (value !== undefined) return { type: 'literal', value, ...place };
  return { type: 'broken', why: `invalid ${bytes === '' ? 'string' : 'bytes'} literal`, ...place };
}

/** Text as it stands, or a character by its number: of one byte, or of any. */
type Unit = string | { readonly byte: number } | { readonly character: number };

const withoutReturns = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Undefined where a number does not stand for a character. */
function textOf(units: readonly Unit[]): string | undefined {
  let text = '';
  for (const unit of units) {
    if (typeof unit === 'string') text += withoutReturns(unit);
    else if ('byte' in unit) text += String.fromCodePoint(unit.byte);
    else if (unit.character > 0x10ffff || (unit.character >= 0xd800 && unit.character <= 0xdfff)) return undefined;
    else text += String.fromCodePoint(unit.character);
  }
  return text;
}

/** Undefined where a number is more than a byte. */
function bytesOf(units: readonly Unit[]): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const unit of units) {
    if (typeof unit === 'string') for (const byte of new TextEncoder().encode(withoutReturns(unit))) bytes.push(byte);
    else if ('byte' in unit) bytes.push(unit.byte);
    else return undefined;
  }
  return Uint8Array.from(bytes);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', '?': '?', '"': '"', "'": "'", '`': '`',
}; // prettier-ignore
const numberEscape = /[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})/y;

/** What is behind a backslash in the literal that begins at `start`. */
function escapeAt(source: string, at: number, start: number): { readonly unit: Unit; readonly length: number } {
  const sign = source[at] ?? '';
  const plain = Object.hasOwn(simpleEscapes, sign) ? simpleEscapes[sign] : undefined;
  if (plain === '\r') return { unit: { character: 13 }, length: 1 };
  if (plain !== undefined) return { unit: plain, length: 1 };
  const match = matchAt(numberEscape, source, at);
  if (match === null) throw new NoToken(source, start, at);
  const [text, hex, short, long, octal] = match;
  const byte = hex === undefined ? octal : undefined;
  if (hex !== undefined) return { unit: { byte: Number.parseInt(hex, 16) }, length: text.length };
  if (byte !== undefined) return { unit: { byte: Number.parseInt(byte, 8) }, length: text.length };
  return { unit: { character: Number.parseInt(short ?? long ?? '', 16) }, length: text.length };
}
