// The bytes of a YAML text as characters, with what is wrong with them where the server's reader finds it.

export interface Characters {
  readonly all: readonly string[];
  /** What is wrong with the bytes behind them, if anything is. */
  readonly problem: string | undefined;
}

/** A character and how many bytes it has; undefined where its end is missing. */
type Next = { readonly code: number; readonly width: number } | { readonly problem: string } | undefined;

/** So many bytes are read at once: what may not be there is found with the first of its neighbours. */
const blockSize = 512;

// oxlint-disable-next-line no-control-regex -- these are what it is about
const forbidden = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** How many octets a character of UTF-8 has that begins with this one; none for one that begins nothing. */
export function widthOf(octet: number): number {
  if ((octet & 0x80) === 0) return 1;
  if ((octet & 0xe0) === 0xc0) return 2;
  if ((octet & 0xf0) === 0xe0) return 3;
  return (octet & 0xf8) === 0xf0 ? 4 : 0;
}

/** The smallest character of so many octets. */
const smallest = [0, 0, 0x80, 0x8_00, 0x1_00_00];

function nextOctets(bytes: Uint8Array): Next {
  const [first = 0] = bytes;
  const width = widthOf(first);
  if (width === 0) return { problem: 'invalid leading UTF-8 octet' };
  if (width > bytes.length) return undefined;
  if (width === 1) return { code: first, width };
  let code = first & (0xff >> (width + 1));
  for (const octet of bytes.subarray(1, width)) {
    if ((octet & 0xc0) !== 0x80) return { problem: 'invalid trailing UTF-8 octet' };
    code = (code << 6) + (octet & 0x3f);
  }
  if (code < (smallest[width] ?? 0)) return { problem: 'invalid length of a UTF-8 sequence' };
  const isNone = (code >= 0xd800 && code <= 0xdfff) || code > 0x10_ff_ff;
  return isNone ? { problem: 'invalid Unicode character' } : { code, width };
}

function nextPairs(bytes: Uint8Array, littleEndian: boolean): Next {
  if (bytes.length < 2) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const first = view.getUint16(0, littleEndian);
  if ((first & 0xfc00) === 0xdc00) return { problem: 'unexpected low surrogate area' };
  if ((first & 0xfc00) !== 0xd800) return { code: first, width: 2 };
  if (bytes.length < 4) return undefined;
  const second = view.getUint16(2, littleEndian);
  if ((second & 0xfc00) !== 0xdc00) return { problem: 'expected low surrogate area' };
  return { code: 0x1_00_00 + ((first & 0x3ff) << 10) + (second & 0x3ff), width: 4 };
}

interface Encoding {
  /** Of the mark at the beginning that tells the order of bytes. */
  readonly mark: number;
  readonly next: (bytes: Uint8Array) => Next;
  readonly missing: (left: number) => string;
}

const utf8 = { next: nextOctets, missing: () => 'incomplete UTF-8 octet sequence' };
const utf16 = (littleEndian: boolean): Encoding => ({
  mark: 2,
  next: (bytes) => nextPairs(bytes, littleEndian),
  missing: (left) => (left < 2 ? 'incomplete UTF-16 character' : 'incomplete UTF-16 surrogate pair'),
});

function encodingOf([first, second, third]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return utf16(true);
  if (first === 0xfe && second === 0xff) return utf16(false);
  return { ...utf8, mark: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
}

/** Character by character, block by block. */
function charactersByBlocks(bytes: Uint8Array): Characters {
  const { mark, next, missing } = encodingOf(bytes);
  const all: string[] = [];
  let [at, end, before] = [mark, blockSize, 0];
  for (;;) {
    const found = at < end ? next(bytes.subarray(at, Math.min(end, bytes.length))) : undefined;
    if (found === undefined) {
      if (at >= bytes.length) return { all, problem: undefined };
      if (end >= bytes.length) return { all, problem: missing(bytes.length - at) };
      [end, before] = [at + blockSize, all.length];
      continue;
    }
    const character = 'code' in found ? String.fromCodePoint(found.code) : '';
    const problem = 'problem' in found ? found.problem : 'control characters are not allowed';
    if (!('code' in found) || forbidden.test(character)) return { all: all.slice(0, before), problem };
    all.push(character);
    at += found.width;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text the bytes are; undefined if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

export function charactersIn(bytes: Uint8Array): Characters {
  const text = textOf(bytes);
  if (text === undefined || forbidden.test(text)) return charactersByBlocks(bytes);
  return { all: Array.from(text.replace(/^\ufeff/, '')), problem: undefined };
}
