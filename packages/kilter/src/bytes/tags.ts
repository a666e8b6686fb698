// How a value begins in a record. 0 to 31 name a form; 32 to 63 are the integers 0 to 31; from 64 on a string of
// (tag - 64) ASCII bytes, which are in the record's text.
export const nullTag = 0;
export const trueTag = 1;
export const falseTag = 2;
/** A varint follows. */
export const naturalTag = 3;
export const negativeTag = 4;
/** The length of the number's JSON text follows; the bytes are in the record's text. */
export const numberTag = 5;
/** As numberTag, for an ASCII string that is too long for a short one. */
export const stringTag = 6;
/** A number in the pool follows. */
export const pooledTag = 7;
/** A length and UTF-8 bytes follow. */
export const utf8Tag = 8;
/** A length and the bytes between the quotes of a JSON string follow. */
export const escapedTag = 9;
/** The number of a shape in three bytes, and its values. */
export const shapedTag = 10;
/** Keys (as strings) and values in turn, up to endTag. */
export const keyedTag = 11;
/** Values up to endTag. */
export const listTag = 12;
/** A length and JSON text follow. */
export const jsonTag = 13;
export const endTag = 14;
export const firstInteger = 32;
export const firstString = 64;
export const longestShort: number = 255 - firstString;
