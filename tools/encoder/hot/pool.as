// Strings that many records share, each kept once. The pool only grows, up to its bounds: a record may refer to any of them.
import { Context, Field } from './layout';
import { pooled } from './learning';
import { alloc, free } from './memory';
import { copy, isSame } from './record';

/** At most so many strings, each of up to 64 bytes (encoder.as): what does not fit is kept inline, and nothing is ever lost. */
const mostStrings: u32 = 65_536;

export function hashOf(start: usize, size: usize): u32 {
  let hash: u64 = 0x9e3779b97f4a7c15 ^ (size as u64);
  let at: usize = 0;
  for (; at + 8 <= size; at += 8) hash = (hash ^ load<u64>(start + at)) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
  const rest = size - at;
  if (rest !== 0) hash = (hash ^ (load<u64>(start + at) << (64 - 8 * (rest as u64)))) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
  return (hash as u32) ^ ((hash >> 17) as u32);
}

export function findPooled(context: Context, start: usize, size: usize, hash: u32): i32 {
  const mask = context.poolMask;
  const table = context.poolTable;
  const starts = context.poolStarts;
  const bytes = context.poolBytes;
  let place = hash & mask;
  while (true) {
    const number = (load<u32>(table + 4 * place) as i32) - 1;
    if (number < 0) return -1;
    const from = load<u32>(starts + 4 * number) as usize;
    if ((load<u32>(starts + 4 * number + 4) as usize) - from === size && isSame(bytes + from, start, size)) return number;
    place = (place + 1) & mask;
  }
}

export function addPooled(context: Context, start: usize, size: usize, hash: u32): i32 {
  const number = context.poolCount;
  if (number >= mostStrings) return -1;
  const from = load<u32>(context.poolStarts + 4 * number) as usize;
  if (from + size + 16 > context.poolBytesSize) {
    const old = context.poolBytesSize;
    const larger = alloc(2 * old);
    memory.copy(larger, context.poolBytes, from);
    free(context.poolBytes, old);
    context.poolBytes = larger;
    context.poolBytesSize = 2 * old;
  }
  if ((((number as usize) + 2) << 2) > context.poolStartsSize) {
    const old = context.poolStartsSize;
    const larger = alloc(2 * old);
    memory.copy(larger, context.poolStarts, old);
    free(context.poolStarts, old);
    context.poolStarts = larger;
    context.poolStartsSize = 2 * old;
  }
  copy(context.poolBytes + from, start, size);
  store<u32>(context.poolStarts + 4 * number + 4, (from + size) as u32);
  context.poolCount = number + 1;
  if ((context.poolCount << 1) > context.poolMask + 1) growTable(context);
  else enter(context, number, hash);
  pooled(start, size);
  return number;
}

function enter(context: Context, number: u32, hash: u32): void {
  const mask = context.poolMask;
  let place = hash & mask;
  while (load<u32>(context.poolTable + 4 * place) !== 0) place = (place + 1) & mask;
  store<u32>(context.poolTable + 4 * place, number + 1);
}

function growTable(context: Context): void {
  const old = ((context.poolMask as usize) + 1) << 2;
  free(context.poolTable, old);
  context.poolTable = alloc(2 * old);
  memory.fill(context.poolTable, 0, 2 * old);
  context.poolMask = 2 * context.poolMask + 1;
  for (let number: u32 = 0; number < context.poolCount; number += 1) {
    const from = load<u32>(context.poolStarts + 4 * number) as usize;
    const size = (load<u32>(context.poolStarts + 4 * number + 4) as usize) - from;
    enter(context, number, hashOf(context.poolBytes + from, size));
  }
}

/** Strings that keep being new (names, uids, times) do not belong into the pool: learned from the first 48 of them. */
@inline
export function pools(field: Field): bool {
  return field.misses < 48 || field.hits >= field.misses * 3;
}
