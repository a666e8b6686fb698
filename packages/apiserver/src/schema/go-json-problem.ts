import { quote } from '../values/index.ts';

/** The text under the reader: bytes, since Go names the byte it stumbled over. */
interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/** Found while reading; the first one ends it. */
class Problem extends Error {}

const end = 'unexpected end of JSON input';

const textOf = (byte: number): string => String.fromCharCode(byte);

function characterText(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  if (byte === 0x22) return `'"'`;
  // Latin-1 beyond ASCII: what is not a letter is written as its number.
  if (byte >= 0x7f && byte < 0xa1) return `'\\u00${byte.toString(16)}'`;
  return `'${quote(textOf(byte)).slice(1, -1)}'`;
}

function peek(reader: Reader): number {
  const byte = reader.bytes[reader.at];
  if (byte === undefined) throw new Problem(end);
  return byte;
}

function refuse(reader: Reader, where: string): never {
  throw new Problem(`invalid character ${characterText(peek(reader))} ${where}`);
}

/** Within a word, a number or an escape the end counts as the blank that Go puts there to see what is open. */
function refuseEnd(reader: Reader, where: string): void {
  if (reader.bytes[reader.at] === undefined) throw new Problem(`invalid character ' ' ${where}`);
}

function skipSpace(reader: Reader): void {
  while ([0x20, 0x09, 0x0a, 0x0d].includes(reader.bytes[reader.at] ?? 0)) reader.at += 1;
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function digits(reader: Reader, where: string): void {
  refuseEnd(reader, where);
  if (!isDigit(peek(reader))) refuse(reader, where);
  while (isDigit(reader.bytes[reader.at])) reader.at += 1;
}

const has = (reader: Reader, characters: string): boolean => {
  const byte = reader.bytes[reader.at];
  return byte !== undefined && characters.includes(textOf(byte));
};

function readNumber(reader: Reader): void {
  if (has(reader, '-')) reader.at += 1;
  if (has(reader, '0')) reader.at += 1;
  else digits(reader, 'in numeric literal');
  if (has(reader, '.')) {
    reader.at += 1;
    digits(reader, 'after decimal point in numeric literal');
  }
  if (!has(reader, 'eE')) return;
  reader.at += 1;
  if (has(reader, '+-')) reader.at += 1;
  digits(reader, 'in exponent of numeric literal');
}

function readEscape(reader: Reader): void {
  reader.at += 1;
  refuseEnd(reader, 'in string escape code');
  if (!has(reader, 'bfnrt\\/"u')) refuse(reader, 'in string escape code');
  const hexadecimal = has(reader, 'u');
  reader.at += 1;
  for (let left = hexadecimal ? 4 : 0; left > 0; left -= 1) {
    const where = String.raw`in \u hexadecimal character escape`;
    refuseEnd(reader, where);
    if (!has(reader, '0123456789abcdefABCDEF')) refuse(reader, where);
    reader.at += 1;
  }
}

function readString(reader: Reader): void {
  reader.at += 1;
  while (peek(reader) !== 0x22) {
    if (peek(reader) < 0x20) refuse(reader, 'in string literal');
    if (has(reader, '\\')) readEscape(reader);
    else reader.at += 1;
  }
  reader.at += 1;
}

function readWord(reader: Reader, word: string): void {
  for (const [index, expected] of [...word].entries()) {
    const where = `in literal ${word} (expecting '${expected}')`;
    refuseEnd(reader, where);
    if (index > 0 && !has(reader, expected)) refuse(reader, where);
    reader.at += 1;
  }
}

/** After an item: on to the next, or out. */
function goesOn(reader: Reader, close: string, where: string): boolean {
  skipSpace(reader);
  peek(reader);
  if (!has(reader, `,${close}`)) refuse(reader, where);
  const more = has(reader, ',');
  reader.at += 1;
  return more;
}

function isEmpty(reader: Reader, close: string): boolean {
  reader.at += 1;
  skipSpace(reader);
  peek(reader);
  const empty = has(reader, close);
  if (empty) reader.at += 1;
  return empty;
}

/** Up to the value of the next field. */
function readKey(reader: Reader): void {
  skipSpace(reader);
  peek(reader);
  if (!has(reader, '"')) refuse(reader, 'looking for beginning of object key string');
  readString(reader);
  skipSpace(reader);
  peek(reader);
  if (!has(reader, ':')) refuse(reader, 'after object key');
  reader.at += 1;
}

const words: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

function readScalar(reader: Reader): void {
  const first = textOf(peek(reader));
  const word = words[first];
  if (word !== undefined) readWord(reader, word);
  else if (first === '"') readString(reader);
  else if (first === '-' || isDigit(first.charCodeAt(0))) readNumber(reader);
  else refuse(reader, 'looking for beginning of value');
}

const deepest = 10_000;
const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const behind: Readonly<Record<string, string>> = { '}': 'after object key:value pair', ']': 'after array element' };

/** To the end of what is complete behind a value; whether a further value follows. */
function closes(reader: Reader, open: string[]): boolean {
  for (let close = open.at(-1); close !== undefined; close = open.at(-1)) {
    if (goesOn(reader, close, behind[close] ?? '')) return true;
    open.pop();
  }
  return false;
}

/** A value with all that is in it: `open` are the brackets still to come, so that depth costs no stack. */
function readValue(reader: Reader): void {
  const open: string[] = [];
  let more = true;
  while (more) {
    if (open.at(-1) === '}') readKey(reader);
    skipSpace(reader);
    const close = closers[textOf(peek(reader))];
    if (close !== undefined && open.length === deepest) refuse(reader, 'exceeded max depth');
    if (close === undefined) readScalar(reader);
    else if (!isEmpty(reader, close)) {
      open.push(close);
      continue;
    }
    more = closes(reader, open);
  }
}

/** What Go's decoder says of a text that is not JSON; undefined if it is. */
export function goJsonProblem(bytes: Uint8Array): string | undefined {
  const reader: Reader = { bytes, at: 0 };
  try {
    readValue(reader);
    skipSpace(reader);
    if (reader.at < bytes.length) refuse(reader, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
