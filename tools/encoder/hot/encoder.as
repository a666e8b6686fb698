// The hot half of the record encoder: walks over JSON text and writes records. What is new (a key, a place) is learned by the other half,
// in TypeScript, which this one asks: see record-encoder.ts.
import { dropKeys, hasTwins, keyStackUsed, pushKey } from './keys';
import {
  Context, Field, Note, Place, Shape, absentWhenNull, asked, attended, drop, expectObjects, expectStrings, inline_, noted, notes,
  objects, results, rolesOfKeys, strings,
} from './layout';
import { absent, extend, fail, inside, role, unexpected } from './learning';
import { addPooled, findPooled, hashOf, pools } from './pool';
import {
  ascii, endTag, escapedTag, falseTag, firstInteger, firstString, isSame, jsonTag, keyedTag, listTag, longestShort, naturalTag,
  negativeTag, nullTag, numberTag, placeRecord, pooledTag, put, putAscii, putBytes, reserve, rewind, shapedTag, stringTag, text, token,
  tokens, trueTag, utf8Tag, varint,
} from './record';
import {
  beginText, byteAt, closeBrace, closeBracket, colon, comma, deeper, escapedString, form, infinite, literal, minus, number, openBrace,
  openBracket, passedPlain, plainString, quote, skip, space, string, stringEnd, stringStart, whole,
} from './scanner';

export { addField, addPlace, addShape, alloc, createContext, describeField, finishPlace, free, freeContext, setKeyed, setRoot } from './memory';

/** Longer strings are seldom the same twice. */
const longestPooled: usize = 64;
/** Objects with longer keys are kept with them. */
const longestKey: usize = 1024;
/** Whole numbers of up to so many digits are exact. */
const exactDigits: usize = 15;

let source: usize = 0;
let document: i32 = 0;
/** Something is not as its role expects, or was written anew, so that notes may be wrong. */
let odd: i32 = 0;
/** A null may be in the document. */
let nulls: i32 = 0;
let current: Context = changetype<Context>(0);

/** Where the text and the two parts of a record lie from now on. */
export function place(sourceAt: usize, tokensAt: usize, textAt: usize): void {
  source = sourceAt;
  placeRecord(tokensAt, textAt);
}

/** Encodes the value at this place of the text. Returns where it ends. */
export function encode(context: Context, start: usize): usize {
  current = context;
  document += 1;
  odd = 0;
  nulls = 0;
  beginText();
  dropKeys(0);
  rewind(tokens, text);
  let at = space(source + start);
  at = byteAt(at) === openBrace ? object(at, context.root, 0) : value(at, context.root.any, 0);
  // One copy takes both parts away.
  memory.copy(token, text, ascii - text);
  store<i32>(results, document);
  store<i32>(results + 4, odd | (nulls << 1) | (infinite << 2));
  store<u32>(results + 8, (token - tokens) as u32);
  store<u32>(results + 12, (ascii - text) as u32);
  return at - source;
}

function value(at: usize, field: Field, depth: i32): usize {
  const byte = byteAt(at);
  if (byte === quote) return stringValue(at, field);
  if (byte === openBrace) {
    if (field.inside === 0) field.inside = inside(field.id);
    return object(at, changetype<Place>(field.inside), depth);
  }
  if (byte === openBracket) return list(at, field, depth);
  if (byte === 0x74 || byte === 0x66 || byte === 0x6e) {
    if (byte === 0x6e) nulls = 1;
    put(byte === 0x74 ? trueTag : byte === 0x66 ? falseTag : nullTag);
    return literal(at);
  }
  return numberValue(at);
}

function numberValue(start: usize): usize {
  const at = number(start);
  const negative = byteAt(start) === minus;
  const size = at - start;
  if (!whole || size > exactDigits + (negative ? 1 : 0)) {
    put(numberTag);
    varint(size);
    putAscii(start, size);
    return at;
  }
  let found: u64 = 0;
  for (let digit = negative ? start + 1 : start; digit < at; digit += 1) found = found * 10 + (byteAt(digit) - 0x30);
  if (!negative && found < firstString - firstInteger) put(firstInteger + (found as u32));
  else {
    put(negative ? negativeTag : naturalTag);
    varint(found);
  }
  return at;
}

function stringValue(start: usize, field: Field): usize {
  const guess = field.guess;
  if (guess >= 0 && pools(field)) {
    const starts = current.poolStarts + 4 * guess;
    const from = load<u32>(starts) as usize;
    const size = (load<u32>(starts + 4) as usize) - from;
    const end = start + 1 + size;
    // Beyond the end of the text there is nothing but zeros, for as long as a string of the pool is.
    if (byteAt(end) === quote && isSame(current.poolBytes + from, start + 1, size)) {
      passedPlain();
      field.hits += 1;
      put(pooledTag);
      varint(guess);
      return end + 1;
    }
  }
  const at = string(start);
  putString(field);
  return at;
}

/** The string passed last. */
function putString(field: Field): void {
  const start = stringStart;
  const size = stringEnd - start;
  if (form !== plainString) {
    put(form === escapedString ? escapedTag : utf8Tag);
    varint(size);
    putBytes(start, size);
    return;
  }
  if (size > 0 && size <= longestPooled && !(field.flags & inline_) && pools(field)) {
    const hash = hashOf(start, size);
    let known = findPooled(current, start, size, hash);
    if (known >= 0) {
      field.hits += 1;
      field.guess = known;
    } else {
      field.misses += 1;
      known = addPooled(current, start, size, hash);
    }
    if (known >= 0) {
      put(pooledTag);
      varint(known);
      return;
    }
  }
  if (size <= longestShort) put(firstString + (size as u32));
  else {
    put(stringTag);
    varint(size);
  }
  putAscii(start, size);
}

function list(from: usize, field: Field, depth: i32): usize {
  const below = deeper(depth, from);
  put(listTag);
  let at = space(from + 1);
  if (byteAt(at) === closeBracket) at += 1;
  else {
    while (true) {
      at = space(at);
      if (field.flags & objects && byteAt(at) !== openBrace) odd = 1;
      at = space(value(at, field, below));
      const byte = byteAt(at);
      if (byte !== closeBracket && byte !== comma) fail(unexpected, at);
      at += 1;
      if (byte === closeBracket) break;
    }
  }
  put(endTag);
  return at;
}

/** At a brace. By shape; with its keys, or as text, where that cannot be. */
function object(start: usize, place: Place, depth: i32): usize {
  const below = deeper(depth, start);
  const tokenBefore = token;
  const asciiBefore = ascii;
  if (!place.keyed) {
    const end = shaped(start, place, below);
    if (end !== 0) return end;
    rewind(tokenBefore, asciiBefore);
    if (place.flags & asked) odd = 1;
  }
  let end = keyed(start, place, below);
  if (end !== 0) return end;
  rewind(tokenBefore, asciiBefore);
  // As text it is kept whole, whatever was to be dropped of it.
  if (place.flags & asked) odd = 1;
  end = skip(start, depth);
  nulls = 1;
  put(jsonTag);
  varint(end - start);
  putBytes(start, end - start);
  return end;
}

function shaped(start: usize, place: Place, below: i32): usize {
  put(shapedTag);
  const patch = reserve();
  let shape = place.start;
  let at = space(start + 1);
  if (byteAt(at) === closeBrace) at += 1;
  else {
    while (true) {
      at = space(at);
      let next: Shape;
      const last = shape.last;
      if (last !== null && isSame(last.field!.opening, at, last.field!.openingSize)) {
        next = last;
        at = space(at + last.field!.openingSize);
      } else {
        if (byteAt(at) !== quote) fail(unexpected, at);
        at = string(at);
        if (form !== plainString) return 0;
        const key = stringStart;
        const size = stringEnd - key;
        at = space(at);
        if (byteAt(at) !== colon) fail(unexpected, at);
        at = space(at + 1);
        const found = follow(place, shape, key, size);
        if (found === 0) return 0;
        next = changetype<Shape>(found);
        shape.last = next;
      }
      const field = next.field!;
      const flags = field.flags;
      if (flags & absentWhenNull && byteAt(at) === 0x6e && absentOf(next) !== 0) {
        next = next.absent!;
        at = literal(at);
      } else if (flags & attended) at = attend(at, place, field, below);
      else at = value(at, field, below);
      shape = next;
      at = space(at);
      const byte = byteAt(at);
      if (byte !== closeBrace && byte !== comma) fail(unexpected, at);
      at += 1;
      if (byte === closeBrace) break;
    }
  }
  const number = shape.number;
  store<u8>(patch, number);
  store<u8>(patch + 1, number >> 8);
  store<u8>(patch + 2, number >> 16);
  return at;
}

function absentOf(shape: Shape): usize {
  if (shape.absent === null) shape.absent = changetype<Shape>(absent(shape.number));
  return changetype<usize>(shape.absent);
}

/** The shape with one more key, or 0. */
function follow(place: Place, shape: Shape, key: usize, size: usize): usize {
  let next = shape.following;
  while (next !== null) {
    const field = next.field!;
    if (field.openingSize === size + 3 && isSame(field.opening + 1, key, size)) return changetype<usize>(next);
    next = next.sibling;
  }
  if (size > longestKey) return 0;
  const made = extend(place.id, shape.number, key);
  if (made !== 0) {
    const added = changetype<Shape>(made);
    added.sibling = shape.following;
    shape.following = added;
  }
  return made;
}

/** A value of which something is asked. */
function attend(start: usize, place: Place, field: Field, below: i32): usize {
  const flags = field.flags;
  const first = byteAt(start);
  const tokenBefore = token;
  const asciiBefore = ascii;
  const isString = first === quote;
  if (place.flags & strings && !isString) odd = 1;
  if (flags & expectStrings && first !== openBrace) odd = 1;
  if (flags & expectObjects && first !== openBracket) odd = 1;
  const at = flags & drop ? skip(start, below) : value(start, field, below);
  if (!(flags & noted)) return at;
  const note = changetype<Note>(notes + offsetof<Note>() * (field.note as usize));
  // The same place twice in one document: which of them counts is for others to say.
  if (note.document === document) odd = 1;
  note.document = document;
  note.start = (isString ? start + 1 : start) - source;
  note.end = (isString ? at - 1 : at) - source;
  note.first = first;
  note.plain = isString && form === plainString ? 1 : 0;
  const dropped = flags & drop;
  note.token = dropped ? -1 : ((tokenBefore - tokens) as i32);
  note.tokenEnd = dropped ? -1 : ((token - tokens) as i32);
  note.text = dropped ? -1 : ((asciiBefore - text) as i32);
  note.textEnd = dropped ? -1 : ((ascii - text) as i32);
  return at;
}

function keyed(start: usize, place: Place, below: i32): usize {
  const field = place.any;
  const stackBefore = keyStackUsed;
  put(keyedTag);
  let at = space(start + 1);
  if (byteAt(at) === closeBrace) at += 1;
  else {
    while (true) {
      at = space(at);
      if (byteAt(at) !== quote) fail(unexpected, at);
      at = string(at);
      const key = stringStart;
      const size = stringEnd - key;
      if (form !== plainString) {
        dropKeys(stackBefore);
        return 0;
      }
      pushKey(key, size);
      let flags: u32 = 0;
      if (place.flags & rolesOfKeys) flags = role(place.id, key, size);
      if (!(flags & drop)) putString(field);
      at = space(at);
      if (byteAt(at) !== colon) fail(unexpected, at);
      at = space(at + 1);
      if (place.flags & strings && byteAt(at) !== quote) odd = 1;
      // Nothing is noted here, and below all keys are one: what is asked of this one is for others to find.
      if (flags & attended) odd = 1;
      at = flags & drop ? skip(at, below) : value(at, field, below);
      at = space(at);
      const byte = byteAt(at);
      if (byte !== closeBrace && byte !== comma) fail(unexpected, at);
      at += 1;
      if (byte === closeBrace) break;
    }
  }
  // JSON.parse lets the last of two win.
  const twins = hasTwins(stackBefore);
  dropKeys(stackBefore);
  if (twins) return 0;
  put(endTag);
  return at;
}
