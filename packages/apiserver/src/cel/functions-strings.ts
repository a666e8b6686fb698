import { compilePattern, isFlaw, type Pattern } from '../formats/index.ts';
import { quote } from '../values/index.ts';
import { formatText } from './format-text.ts';
import { fail, type Functions } from './functions.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const isInt = (value: unknown): value is bigint => typeof value === 'bigint';

/** A function of strings and integers, which answers undefined to anything else. */
function ofText(
  act: (text: string, ...rest: (string & bigint)[]) => unknown,
): (...args: readonly unknown[]) => unknown {
  return (...args) => {
    const [text, ...rest] = args;
    return isText(text) && rest.every((arg) => isText(arg) || isInt(arg))
      ? act(text, ...(rest as (string & bigint)[]))
      : undefined;
  };
}

function pattern(source: string): Pattern {
  const expression = compilePattern(source);
  return isFlaw(expression) ? fail(`Illegal regex: ${expression.flaw}`) : expression;
}

function findAll(text: string, source: string, limit: bigint = -1n): string[] {
  return pattern(source).findAll(text, limit < 0n ? undefined : Number(limit));
}

function replace(text: string, from: string, ...[to = '', limit = -1n]: [to?: string, limit?: bigint]): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = limit;
  return text.replaceAll(from, (match) => (left-- > 0n ? to : match));
}

function charAt(text: string, position: bigint): string {
  const characters = Array.from(text);
  if (position < 0n || position > BigInt(characters.length)) fail(`index out of range: ${position}`);
  return characters[Number(position)] ?? '';
}

/** Positions count code points. */
function indexOf(text: string, part: string, from: bigint = 0n): bigint {
  const characters = Array.from(text);
  const sought = Array.from(part);
  if (from < 0n || from > BigInt(characters.length)) fail(`index out of range: ${from}`);
  for (let at = Number(from); at + sought.length <= characters.length; at += 1) {
    if (sought.every((character, index) => characters[at + index] === character)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const characters = Array.from(text);
  const sought = Array.from(part);
  if (from !== undefined && (from < 0n || from > BigInt(characters.length))) fail(`index out of range: ${from}`);
  const start = Math.min(Number(from ?? characters.length), characters.length - sought.length);
  for (let at = start; at >= 0; at -= 1) {
    if (sought.every((character, index) => characters[at + index] === character)) return BigInt(at);
  }
  return -1n;
}

function split(text: string, separator: string, limit: bigint = -1n): string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const kept = parts.slice(0, Number(limit) - 1);
  return [...kept, parts.slice(Number(limit) - 1).join(separator)];
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = Array.from(text);
  const last = end ?? BigInt(characters.length);
  const length = BigInt(characters.length);
  if (start < 0n || start > length) fail(`index out of range: ${start}`);
  if (last < 0n || last > length) fail(`index out of range: ${last}`);
  if (start > last) fail(`invalid substring range. start: ${start}, end: ${last}`);
  return characters.slice(Number(start), Number(last)).join('');
}

const ascii = (text: string, letters: RegExp, change: (letter: string) => string): string =>
  text.replace(letters, change);

function join(list: unknown, separator: unknown = ''): unknown {
  return Array.isArray(list) && list.every(isText) && isText(separator) ? list.join(separator) : undefined;
}

function format(template: unknown, values: unknown): unknown {
  if (!isText(template) || !Array.isArray(values)) return undefined;
  try {
    return formatText(template, values);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

export const stringFunctions: Functions = {
  matches: ofText((text, source) => pattern(source).matches(text)),
  contains: ofText((text, part) => text.includes(part)),
  startsWith: ofText((text, part) => text.startsWith(part)),
  endsWith: ofText((text, part) => text.endsWith(part)),
  find: ofText((text, source) => pattern(source).findAll(text, 1)[0] ?? ''),
  findAll: ofText(findAll),
  replace: ofText((text, from, ...rest) => replace(text, from, ...(rest as unknown as [string, bigint]))),
  charAt: ofText(charAt),
  lowerAscii: ofText((text) => ascii(text, /[A-Z]/g, (letter) => letter.toLowerCase())),
  upperAscii: ofText((text) => ascii(text, /[a-z]/g, (letter) => letter.toUpperCase())),
  trim: ofText((text) => text.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, '')),
  split: ofText(split),
  substring: ofText(substring),
  join,
  format,
  'strings.quote': ofText((text) => quote(text)),
};

/** `indexOf` and `lastIndexOf` are of strings and of lists: these are the ones of strings. */
export const textSearch: Functions = { indexOf: ofText(indexOf), lastIndexOf: ofText(lastIndexOf) };
