// YAML in the hand of the server's writer: which texts it quotes, and how, and where it breaks lines.
import { needsQuotes } from './yaml-scalars.ts';

/** Lines are broken at the first blank after this column. */
const width = 80;

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

function numberAt(characters: readonly string[], from: number): { value: number; end: number } {
  let end = from;
  while (isDigit(characters[end])) end += 1;
  return { value: Number(characters.slice(from, end).join('') || '0'), end };
}

/** Whether digits before this place already made a number: then zeros count. */
function insideNumber(characters: readonly string[], at: number): boolean {
  for (let before = at - 1; isDigit(characters[before]); before -= 1) if (characters[before] !== '0') return true;
  return false;
}

/** Keys as people sort them: numbers by value, letters after all else. */
function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  const at = a.findIndex((character, index) => index >= b.length || character !== b[index]);
  const [one, other] = [a[at], b[at]];
  if (at < 0 || one === undefined || other === undefined) return a.length - b.length;
  const [letter, otherLetter] = [isLetter(one), isLetter(other)];
  if (letter && otherLetter) return one < other ? -1 : 1;
  if (letter || otherLetter) return otherLetter ? -1 : 1;
  const [number, second] = [numberAt(a, at), numberAt(b, at)];
  const grown = (one === '0' || other === '0') && insideNumber(a, at);
  const scale = (digits: number): number => (grown ? 10 ** digits : 0);
  const [value, against] = [number.value + scale(number.end - at), second.value + scale(second.end - at)];
  return value - against || number.end - second.end || (one < other ? -1 : 1);
}

type Style = 'plain' | 'single' | 'double' | 'literal';

const unprintable = /[^\t\n\r\x20-\x7e\x85\xa0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|\uFEFF|\t/u;
const lineBreak = /[\n\r\x85\u2028\u2029]/;
const leadingIndicator = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t\n]|$)|---|\.\.\.)/;
const innerIndicator = /:(?:[ \t\n\r]|$)|[ \t\n\r]#/;

/** The style a text can be written in, given the one it would best have. */
function styleOf(text: string, key: boolean): Style {
  const broken = lineBreak.test(text);
  const special = unprintable.test(text) || / [\n\r]/.test(text);
  if (key && broken) return 'double';
  if (text.includes('\n')) return special || text.endsWith(' ') ? 'double' : 'literal';
  if (needsQuotes(text)) return 'double';
  const plain =
    !broken && !special && !/^ | $/.test(text) && !leadingIndicator.test(text) && !innerIndicator.test(text);
  if (plain) return 'plain';
  return special || /[\n\r] /.test(text) ? 'double' : 'single';
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escapedCharacter(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return short;
  if (!unprintable.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

interface Layout {
  /** Blanks before what is inside this value. */
  readonly indent: number;
  /** Where the value begins in its line. */
  readonly column: number;
}

const written: Readonly<Record<'plain' | 'single' | 'double', (character: string) => string>> = {
  plain: (character) => character,
  single: (character) => (character === "'" ? "''" : character),
  double: escapedCharacter,
};
const quotes = { plain: '', single: "'", double: '"' } as const;

/** A text of one line, which may take several: a single blank after the last column becomes a line break. */
function lineText(text: string, style: 'plain' | 'single' | 'double', { indent, column }: Layout): string {
  const characters = Array.from(text);
  let out: string = quotes[style];
  let at = column + out.length;
  characters.forEach((character, index) => {
    const alone = characters[index - 1] !== ' ' && characters[index + 1] !== ' ';
    const inside = style === 'plain' || (index > 0 && index < characters.length - 1);
    if (character === ' ' && at > width && alone && inside) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
      return;
    }
    const piece = written[style](character);
    out += piece;
    at += piece.length;
  });
  return out + quotes[style];
}

function literalText(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : /^\n$|\n\n$/.test(text) ? '+' : '';
  const lines = text.replace(/\n$/, '').split('\n');
  return `|${hint}${chomp}${lines.map((line) => (line === '' ? '\n' : `\n${' '.repeat(indent)}${line}`)).join('')}`;
}

function scalarText(text: string, place: Layout, key = false): string {
  const style = styleOf(text, key);
  return style === 'literal' ? literalText(text, place.indent) : lineText(text, style, place);
}

/** A float as Go writes it where shortness counts: with an exponent from 1e21 on. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function nodeText(value: unknown, place: Layout): string {
  if (typeof value === 'string') return scalarText(value, place);
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : listText(value, place.indent - 2);
  return isEmpty(value) ? '{}' : mapText(value as Readonly<Record<string, unknown>>, place.indent);
}

const isBlock = (value: unknown): boolean => typeof value === 'object' && value !== null && !isEmpty(value);

/** Lists stand under their key, not beside it. */
function listText(list: readonly unknown[], indent: number): string {
  const below = indent + 2;
  const text = (item: unknown): string =>
    Array.isArray(item) && item.length > 0
      ? listText(item, below)
      : nodeText(item, { indent: below, column: indent + 2 });
  return list.map((item) => `- ${text(item)}`).join(`\n${' '.repeat(indent)}`);
}

function mapText(map: Readonly<Record<string, unknown>>, indent: number): string {
  const entries = Object.keys(map)
    .sort(compareKeys)
    .map((key) => {
      const name = scalarText(key, { indent, column: -Infinity }, true);
      const value = map[key];
      const place: Layout = { indent: indent + 2, column: indent + name.length + 2 };
      const text = nodeText(value, place);
      const before = Array.isArray(value) ? indent : indent + 2;
      return isBlock(value) ? `${name}:\n${' '.repeat(before)}${text}` : `${name}: ${text}`;
    });
  return entries.join(`\n${' '.repeat(indent)}`);
}

export function encodeYaml(value: unknown): string {
  const isList = Array.isArray(value) && value.length > 0;
  return `${isList ? listText(value, 0) : nodeText(value, { indent: 0, column: 0 })}\n`;
}
