// Walks over JSON text, as strict as JSON.parse. Behind the text stand zeros, which nothing takes for a part of it.
import { badEscape, fail, isInfinite, isUtf8, notUtf8, tooDeep, unexpected } from './learning';

const deepest: i32 = 1000;
/** Numbers of so many bytes are finite unless they have an exponent. */
const finiteDigits: usize = 308;

export const quote: u32 = 0x22;
export const backslash: u32 = 0x5c;
export const openBrace: u32 = 0x7b;
export const closeBrace: u32 = 0x7d;
export const openBracket: u32 = 0x5b;
export const closeBracket: u32 = 0x5d;
export const comma: u32 = 0x2c;
export const colon: u32 = 0x3a;
export const minus: u32 = 0x2d;

// What a string is made of.
export const plainString: i32 = 0;
export const utf8String: i32 = 1;
export const escapedString: i32 = 2;

/** A number was passed that is beyond all finite ones. */
export let infinite: i32 = 0;
/** Of the string passed last: its form, and where the bytes between its quotes are. */
export let form: i32 = 0;
export let stringStart: usize = 0;
export let stringEnd: usize = 0;
/** The number passed last is one without fraction and exponent, and not a negative zero. */
export let whole: bool = false;

@inline
export function byteAt(at: usize): u32 {
  return load<u8>(at) as u32;
}

@inline
export function space(at: usize): usize {
  return byteAt(at) > 0x20 ? at : spaces(at);
}

function spaces(from: usize): usize {
  let at = from;
  while (true) {
    const byte = byteAt(at);
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
    at += 1;
  }
}

@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 <= 9;
}

function isHex(byte: u32): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 <= 5;
}

/** At a quote. Behind the string. */
export function string(from: usize): usize {
  let at = from + 1;
  stringStart = at;
  let escape: usize = 0;
  let beyondAscii = false;
  while (true) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
        // Signed: what is beyond ASCII is less as well.
        i8x16.lt_s(bytes, i8x16.splat(0x20)),
      ),
    );
    if (found === 0) {
      at += 16;
      continue;
    }
    at += ctz<i32>(found) as usize;
    const byte = byteAt(at);
    if (byte === quote) break;
    if (byte === backslash) {
      if (escape === 0) escape = at;
      at += 2;
    } else if (byte >= 0x80) {
      beyondAscii = true;
      at += 1;
    } else fail(unexpected, at);
  }
  stringEnd = at;
  form = plainString;
  if (beyondAscii) {
    form = utf8String;
    if (!isUtf8(stringStart, at - stringStart)) fail(notUtf8, stringStart);
  }
  if (escape !== 0) {
    form = escapedString;
    escapes(escape, at);
  }
  return at + 1;
}

function escapes(from: usize, end: usize): void {
  for (let at = from; at < end; at += 1) {
    if (byteAt(at) !== backslash) continue;
    at += 1;
    const escape = byteAt(at);
    if (escape === 0x75) {
      for (let digit: usize = 1; digit <= 4; digit += 1) {
        if (at + digit >= end || !isHex(byteAt(at + digit))) fail(badEscape, at);
      }
      at += 4;
    } else if (
      escape !== quote && escape !== backslash && escape !== 0x2f && escape !== 0x62 &&
      escape !== 0x66 && escape !== 0x6e && escape !== 0x72 && escape !== 0x74
    ) fail(badEscape, at);
  }
}

function digits(from: usize): usize {
  let at = from;
  while (isDigit(byteAt(at))) at += 1;
  if (at === from) fail(unexpected, at);
  return at;
}

/** Behind the number; `whole` says whether it is one without leading or negative zero. */
export function number(begin: usize): usize {
  let at = begin;
  const negative = byteAt(at) === minus;
  if (negative) at += 1;
  const first = byteAt(at);
  // The place that is told is where the number begins.
  if (!isDigit(first)) fail(unexpected, begin);
  at += 1;
  if (first === 0x30) {
    if (isDigit(byteAt(at))) fail(unexpected, begin);
  } else while (isDigit(byteAt(at))) at += 1;
  let isWhole = !(first === 0x30 && negative);
  if (byteAt(at) === 0x2e) {
    isWhole = false;
    at = digits(at + 1);
  }
  const scaled = (byteAt(at) | 0x20) === 0x65;
  if (scaled) {
    isWhole = false;
    const sign = byteAt(at + 1);
    at = digits(sign === 0x2b || sign === minus ? at + 2 : at + 1);
  }
  if ((scaled || at - begin > finiteDigits) && isInfinite(begin, at - begin)) infinite = 1;
  whole = isWhole;
  return at;
}

/** At the first byte of `true`, `false` or `null`. */
export function literal(at: usize): usize {
  const word = load<u32>(at);
  if (word === 0x65757274 || word === 0x6c6c756e) return at + 4;
  if (word !== 0x736c6166 || byteAt(at + 4) !== 0x65) fail(unexpected, at);
  return at + 5;
}

export function deeper(depth: i32, at: usize): i32 {
  if (depth >= deepest) fail(tooDeep, at);
  return depth + 1;
}

/** At what begins a value. */
export function skip(at: usize, depth: i32): usize {
  const byte = byteAt(at);
  if (byte === quote) return string(at);
  if (byte === openBrace) return skipObject(at, depth);
  if (byte === openBracket) return skipList(at, depth);
  if (byte === 0x74 || byte === 0x66 || byte === 0x6e) return literal(at);
  return number(at);
}

function skipObject(from: usize, depth: i32): usize {
  const below = deeper(depth, from);
  let at = space(from + 1);
  if (byteAt(at) === closeBrace) return at + 1;
  while (true) {
    at = space(at);
    if (byteAt(at) !== quote) fail(unexpected, at);
    at = space(string(at));
    if (byteAt(at) !== colon) fail(unexpected, at);
    at = space(skip(space(at + 1), below));
    const byte = byteAt(at);
    at += 1;
    if (byte === closeBrace) return at;
    if (byte !== comma) fail(unexpected, at - 1);
  }
}

function skipList(from: usize, depth: i32): usize {
  const below = deeper(depth, from);
  let at = space(from + 1);
  if (byteAt(at) === closeBracket) return at + 1;
  while (true) {
    at = space(skip(space(at), below));
    const byte = byteAt(at);
    at += 1;
    if (byte === closeBracket) return at;
    if (byte !== comma) fail(unexpected, at - 1);
  }
}

/** A string was passed without scanning it: it is plain. */
@inline
export function passedPlain(): void {
  form = plainString;
}

export function beginText(): void {
  infinite = 0;
}
