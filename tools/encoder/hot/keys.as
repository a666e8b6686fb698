// The keys of objects that are kept with them: whether one of them comes twice.
import { alloc, free } from './memory';
import { hashOf } from './pool';
import { isSame } from './record';

/** Where the keys of open objects stand, two numbers each. */
let keyStack: usize = 0;
let keyStackSize: usize = 0;
export let keyStackUsed: usize = 0;

export function pushKey(start: usize, size: usize): void {
  if (keyStackUsed + 8 > keyStackSize) {
    const larger = keyStackSize === 0 ? (4096 as usize) : keyStackSize << 1;
    const made = alloc(larger);
    if (keyStackSize !== 0) {
      memory.copy(made, keyStack, keyStackUsed);
      free(keyStack, keyStackSize);
    }
    keyStack = made;
    keyStackSize = larger;
  }
  store<u32>(keyStack + keyStackUsed, start as u32);
  store<u32>(keyStack + keyStackUsed + 4, size as u32);
  keyStackUsed += 8;
}

/** Whether two of the keys from here on are the same. */
export function hasTwins(from: usize): bool {
  const count = (keyStackUsed - from) >>> 3;
  if (count < 2) return false;
  let size: usize = 16;
  while (size < 2 * count) size *= 2;
  const table = alloc(4 * size);
  memory.fill(table, 0, 4 * size);
  let found = false;
  for (let at = keyStack + from; at < keyStack + keyStackUsed && !found; at += 8) {
    const start = load<u32>(at) as usize;
    const length = load<u32>(at + 4) as usize;
    let place = (hashOf(start, length) as usize) & (size - 1);
    while (true) {
      const other = load<u32>(table + 4 * place) as usize;
      if (other === 0) break;
      if ((load<u32>(other + 4) as usize) === length && isSame(load<u32>(other) as usize, start, length)) {
        found = true;
        break;
      }
      place = (place + 1) & (size - 1);
    }
    store<u32>(table + 4 * place, at as u32);
  }
  free(table, 4 * size);
  return found;
}

export function dropKeys(to: usize): void {
  keyStackUsed = to;
}
