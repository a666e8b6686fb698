// The record that is written: tags and numbers in one part, the ASCII text of its strings in the other. There is room for both.

// See tags.ts.
export const nullTag: u32 = 0;
export const trueTag: u32 = 1;
export const falseTag: u32 = 2;
export const naturalTag: u32 = 3;
export const negativeTag: u32 = 4;
export const numberTag: u32 = 5;
export const stringTag: u32 = 6;
export const pooledTag: u32 = 7;
export const utf8Tag: u32 = 8;
export const escapedTag: u32 = 9;
export const shapedTag: u32 = 10;
export const keyedTag: u32 = 11;
export const listTag: u32 = 12;
export const jsonTag: u32 = 13;
export const endTag: u32 = 14;
export const firstInteger: u32 = 32;
export const firstString: u32 = 64;
export const longestShort: usize = 191;

export let tokens: usize = 0;
export let text: usize = 0;
/** Where the next token and the next text go. */
export let token: usize = 0;
export let ascii: usize = 0;

/** Where both parts lie from now on. */
export function placeRecord(tokensAt: usize, textAt: usize): void {
  tokens = tokensAt;
  text = textAt;
}

@inline
export function rewind(tokenTo: usize, asciiTo: usize): void {
  token = tokenTo;
  ascii = asciiTo;
}

/** Room for the number of a shape, filled in once that is known. */
@inline
export function reserve(): usize {
  token += 3;
  return token - 3;
}

export function putBytes(start: usize, size: usize): void {
  memory.copy(token, start, size);
  token += size;
}

@inline
export function put(byte: u32): void {
  store<u8>(token, byte);
  token += 1;
}

export function varint(value: u64): void {
  let rest = value;
  while (rest > 0x7f) {
    put((rest as u32 & 0x7f) | 0x80);
    rest >>= 7;
  }
  put(rest as u32);
}

/** There is room behind both for what is copied too much. */
@inline
export function copy(to: usize, from: usize, size: usize): void {
  for (let done: usize = 0; done < size; done += 16) v128.store(to + done, v128.load(from + done));
}

@inline
export function putAscii(start: usize, size: usize): void {
  copy(ascii, start, size);
  ascii += size;
}

/** What lies behind either is read, and does not count. */
@inline
export function isSame(a: usize, b: usize, size: usize): bool {
  let at: usize = 0;
  for (; at + 8 <= size; at += 8) if (load<u64>(a + at) !== load<u64>(b + at)) return false;
  const rest = size - at;
  return rest === 0 || (load<u64>(a + at) ^ load<u64>(b + at)) << (64 - 8 * (rest as u64)) === 0;
}
