// What the hot half asks of the other one, in record-encoder.ts and encoder-memory.ts.

/** Never returns. */
@external('learn', 'fail') export declare function fail(what: i32, at: usize): void;
/** The shape that a plain key leads to, or 0. */
@external('learn', 'extend') export declare function extend(place: i32, shape: i32, key: usize): usize;
/** The place inside a field. */
@external('learn', 'inside') export declare function inside(field: i32): usize;
/** The shape with nothing in place of its last key, or 0. */
@external('learn', 'absent') export declare function absent(shape: i32): usize;
/** What is asked of a key of a place whose objects are kept with their keys: flags of a field. */
@external('learn', 'role') export declare function role(place: i32, key: usize, size: usize): i32;
/** A string was put into the pool. */
@external('learn', 'pooled') export declare function pooled(string: usize, size: usize): void;
@external('learn', 'isUtf8') export declare function isUtf8(start: usize, size: usize): i32;
@external('learn', 'isInfinite') export declare function isInfinite(start: usize, size: usize): i32;

// What `fail` tells.
export const unexpected: i32 = 0;
export const badEscape: i32 = 1;
export const notUtf8: i32 = 2;
export const tooDeep: i32 = 3;
