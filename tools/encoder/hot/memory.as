// Memory in sizes of powers of two, and what is made of it.
import { Context, Field, Place, Shape, firstFree, freeLists } from './layout';

let top: usize = firstFree;

function sizeClass(size: usize): u32 {
  return size <= 32 ? 5 : 32 - clz<u32>((size as u32) - 1);
}

export function alloc(size: usize): usize {
  const power = sizeClass(size);
  const head = freeLists + 4 * power;
  const free = load<u32>(head) as usize;
  if (free !== 0) {
    store<u32>(head, load<u32>(free));
    return free;
  }
  const found = top;
  top += (1 as usize) << power;
  const pages = memory.size();
  const needed = (top + 0xffff) >>> 16;
  if (needed > (pages as usize) && memory.grow(max((needed as i32) - pages, pages >> 2)) < 0) unreachable();
  return found;
}

export function free(address: usize, size: usize): void {
  const head = freeLists + 4 * sizeClass(size);
  store<u32>(address, load<u32>(head));
  store<u32>(head, address as u32);
}

const blockSize: usize = 4096;

/** Memory that lives as long as the context. */
function room(context: Context, size: usize): usize {
  const rounded = (size + 7) & ~7;
  if (context.block === 0 || context.blockUsed + rounded > blockSize) {
    const block = alloc(blockSize);
    store<u32>(block, context.block as u32);
    context.block = block;
    context.blockUsed = 8;
  }
  const found = context.block + context.blockUsed;
  context.blockUsed += rounded;
  memory.fill(found, 0, rounded);
  return found;
}

export function createContext(): Context {
  const address = alloc(offsetof<Context>());
  memory.fill(address, 0, offsetof<Context>());
  const context = changetype<Context>(address);
  context.poolBytesSize = 1024;
  context.poolBytes = alloc(1024);
  context.poolStartsSize = 512;
  context.poolStarts = alloc(512);
  store<u32>(context.poolStarts, 0);
  context.poolTable = alloc(1024);
  memory.fill(context.poolTable, 0, 1024);
  context.poolMask = 255;
  return context;
}

export function freeContext(context: Context): void {
  for (let block = context.block; block !== 0; ) {
    const before = load<u32>(block) as usize;
    free(block, blockSize);
    block = before;
  }
  free(context.poolBytes, context.poolBytesSize);
  free(context.poolStarts, context.poolStartsSize);
  free(context.poolTable, ((context.poolMask as usize) + 1) << 2);
  free(changetype<usize>(context), offsetof<Context>());
}

export function addPlace(context: Context, id: i32, flags: u32): Place {
  const place = changetype<Place>(room(context, offsetof<Place>()));
  place.id = id;
  place.flags = flags;
  return place;
}

/** Its key is written behind it by the caller: `opening`. */
export function addField(context: Context, id: i32, openingSize: usize): Field {
  const address = room(context, offsetof<Field>() + openingSize + 8);
  const field = changetype<Field>(address);
  field.opening = address + offsetof<Field>();
  field.openingSize = openingSize;
  field.guess = -1;
  field.id = id;
  return field;
}

export function describeField(field: Field, flags: u32, note: u32): void {
  field.flags = flags;
  field.note = note;
}

export function addShape(context: Context, number: u32, field: Field | null): Shape {
  const shape = changetype<Shape>(room(context, offsetof<Shape>()));
  shape.number = number;
  shape.field = field;
  return shape;
}

export function setRoot(context: Context, root: Place): void {
  context.root = root;
}

export function finishPlace(made: Place, start: Shape, any: Field): void {
  made.start = start;
  made.any = any;
}

export function setKeyed(made: Place): void {
  made.keyed = 1;
}
