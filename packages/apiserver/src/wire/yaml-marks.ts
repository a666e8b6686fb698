// What stands before the values of a YAML text: anchors, tags, directives.
import { widthOf } from './yaml-characters.ts';
import { isBlank, isBreak, isGap, isWord, type Mark, type YamlReader } from './yaml-reader.ts';

const behindAnchor = new Set('?:,]}%@`');

export function scanAnchor(reader: YamlReader): string {
  const { mark } = reader;
  reader.skip();
  const name = reader.takeWhile(isWord);
  const next = reader.peek();
  if (name !== '' && (isGap(next) || behindAnchor.has(next))) return name;
  throw reader.problem('did not find expected alphabetic or numeric character', mark);
}

/** The two parts of a tag: `!!` and `int`. */
export interface Tag {
  readonly handle: string;
  readonly suffix: string;
}

function scanHandle(reader: YamlReader, start: Mark, directive: boolean): string {
  if (reader.peek() !== '!') throw reader.problem("did not find expected '!'", start);
  const handle = reader.take() + reader.takeWhile(isWord);
  if (reader.peek() === '!') return handle + reader.take();
  if (directive && handle !== '!') throw reader.problem("did not find expected '!'", start);
  return handle;
}

const inUri = /^[-0-9A-Za-z_;/?:@&=+$,.!~*'()[\]%]$/;

function scanOctet(reader: YamlReader, start: Mark): number {
  const digits = reader.peek(1) + reader.peek(2);
  if (reader.peek() !== '%' || !/^[0-9a-f]{2}$/i.test(digits))
    throw reader.problem('did not find URI escaped octet', start);
  reader.skip(3);
  return Number.parseInt(digits, 16);
}

function scanEscapes(reader: YamlReader, start: Mark): string {
  const octets = [scanOctet(reader, start)];
  const width = widthOf(octets[0] ?? 0);
  if (width === 0) throw reader.problem('found an incorrect leading UTF-8 octet', start);
  while (octets.length < width) {
    const octet = scanOctet(reader, start);
    if ((octet & 0xc0) !== 0x80) throw reader.problem('found an incorrect trailing UTF-8 octet', start);
    octets.push(octet);
  }
  return Buffer.from(octets).toString('utf8');
}

function scanUri(reader: YamlReader, start: Mark, head = ''): string {
  let uri = head.slice(1);
  let found = head !== '';
  while (inUri.test(reader.peek())) {
    uri += reader.peek() === '%' ? scanEscapes(reader, start) : reader.take();
    found = true;
  }
  if (!found) throw reader.problem('did not find expected tag URI', start);
  return uri;
}

function scanParts(reader: YamlReader, start: Mark): Tag {
  if (reader.peek(1) === '<') {
    reader.skip(2);
    const suffix = scanUri(reader, start);
    if (reader.peek() !== '>') throw reader.problem("did not find the expected '>'", start);
    reader.skip();
    return { handle: '', suffix };
  }
  const handle = scanHandle(reader, start, false);
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(reader, start) };
  const suffix = scanUri(reader, start, handle);
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
}

export function scanTag(reader: YamlReader): Tag {
  const { mark } = reader;
  const tag = scanParts(reader, mark);
  if (isGap(reader.peek())) return tag;
  throw reader.problem('did not find expected whitespace or line break', mark);
}

export type Directive =
  | { readonly type: 'version'; readonly version: string }
  | { readonly type: 'tag'; readonly handle: string; readonly prefix: string };

const longestNumber = 2;

function scanNumber(reader: YamlReader, start: Mark): number {
  let digits = '';
  while (/^\d$/.test(reader.peek())) {
    if (digits.length === longestNumber) throw reader.problem('found extremely long version number', start);
    digits += reader.take();
  }
  if (digits === '') throw reader.problem('did not find expected version number', start);
  return Number(digits);
}

function scanVersion(reader: YamlReader, start: Mark): Directive {
  reader.takeWhile(isBlank);
  const major = scanNumber(reader, start);
  if (reader.peek() !== '.') throw reader.problem("did not find expected digit or '.' character", start);
  reader.skip();
  return { type: 'version', version: `${major}.${scanNumber(reader, start)}` };
}

function scanTagDirective(reader: YamlReader, start: Mark): Directive {
  reader.takeWhile(isBlank);
  const handle = scanHandle(reader, start, true);
  if (!isBlank(reader.peek())) throw reader.problem('did not find expected whitespace', start);
  reader.takeWhile(isBlank);
  const prefix = scanUri(reader, start);
  if (!isGap(reader.peek())) throw reader.problem('did not find expected whitespace or line break', start);
  return { type: 'tag', handle, prefix };
}

function scanNamed(reader: YamlReader, start: Mark): Directive {
  const name = reader.takeWhile(isWord);
  if (name === '') throw reader.problem('could not find expected directive name', start);
  if (!isGap(reader.peek())) throw reader.problem('found unexpected non-alphabetical character', start);
  if (name === 'YAML') return scanVersion(reader, start);
  if (name === 'TAG') return scanTagDirective(reader, start);
  throw reader.problem('found unknown directive name', start);
}

export function scanDirective(reader: YamlReader): Directive {
  const { mark } = reader;
  reader.skip();
  const directive = scanNamed(reader, mark);
  reader.takeWhile(isBlank);
  reader.skipComment();
  if (!reader.isEnd && !isBreak(reader.peek())) {
    throw reader.problem('did not find expected comment or line break', mark);
  }
  reader.takeBreak();
  return directive;
}
