// What lies where in memory. Addresses are in bytes; nothing here is managed memory.

/** A key at a place; what lies where in the memory of one. */
@unmanaged
export class Field {
  /** The key as it stands in compact JSON, with quotes and colon. */
  opening: usize;
  openingSize: usize;
  /** The pooled string that stood here last, or -1. */
  guess: i32;
  /** How often a string of this field was found in the pool, and how often not. */
  hits: u32;
  misses: u32;
  flags: u32;
  note: u32;
  inside: usize;
  id: i32;
}
export const attended: u32 = 1;
export const inline_: u32 = 2;
export const objects: u32 = 4;
export const absentWhenNull: u32 = 8;
export const drop: u32 = 16;
export const expectStrings: u32 = 32;
export const expectObjects: u32 = 64;
export const noted: u32 = 128;

@unmanaged
export class Shape {
  number: u32;
  field: Field | null;
  last: Shape | null;
  /** The first that goes on from here, and the next one that goes on from where this one does. */
  following: Shape | null;
  sibling: Shape | null;
  absent: Shape | null;
}

@unmanaged
export class Place {
  start: Shape;
  keyed: u32;
  flags: u32;
  any: Field;
  id: i32;
}
export const strings: u32 = 1;
export const asked: u32 = 2;
export const rolesOfKeys: u32 = 4;

/** What one encoder has learned. */
@unmanaged
export class Context {
  root: Place;
  /** Blocks of memory for fields, shapes and places: each begins with the address of the one before. */
  block: usize;
  blockUsed: usize;
  poolBytes: usize;
  poolBytesSize: usize;
  /** Where string n begins; one more than there are strings. */
  poolStarts: usize;
  poolStartsSize: usize;
  /** Open addressing: number + 1, or 0. */
  poolTable: usize;
  poolMask: u32;
  poolCount: u32;
}

@unmanaged
export class Note {
  document: i32;
  start: usize;
  end: usize;
  first: u32;
  plain: i32;
  token: i32;
  tokenEnd: i32;
  text: i32;
  textEnd: i32;
}

// The numbers of a document: its own, flags, the sizes of both parts of the record.
export const results: usize = 64;
/** Where memory that was given back is found again, by the logarithm of its size. */
export const freeLists: usize = 1024;
export const notes: usize = 1024 + 32 * 4;
export const firstFree: usize = 8192;
