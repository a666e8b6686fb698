// DER (X.690): every value is a tag, a length and its content. What X.509 needs of it, and no more.
import { calendarTime } from '../internal/index.ts';

const tags = { boolean: 1, integer: 2, bitString: 3, octetString: 4, oid: 6, utf8: 12, utcTime: 23, time: 24 } as const;

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Buffer.of(0x80 | octets.length, ...octets);
}

/** One value from its tag and the parts of its content. */
export function tlv(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOctets(body.length), body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
export const setOf = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...parts);
/** `[n]` around a complete value. */
export const explicit = (n: number, ...parts: readonly Uint8Array[]): Buffer => tlv(0xa0 | n, ...parts);
/** `[n]` instead of the tag of a primitive value. */
export const implicit = (n: number, content: Uint8Array): Buffer => tlv(0x80 | n, content);
export const boolean = (value: boolean): Buffer => tlv(tags.boolean, Buffer.of(value ? 0xff : 0));
export const octetString = (content: Uint8Array): Buffer => tlv(tags.octetString, content);
export const utf8 = (text: string): Buffer => tlv(tags.utf8, Buffer.from(text, 'utf8'));

/** A bit string; `unused` bits at its end do not count. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return tlv(tags.bitString, Buffer.of(unused), content);
}

/** A non-negative integer from its octets, most significant first: no needless zeros, and a zero where the sign bit would be set. */
export function integer(octets: Uint8Array): Buffer {
  let from = 0;
  while (from < octets.length - 1 && octets[from] === 0) from += 1;
  const trimmed = octets.subarray(from);
  const negative = ((trimmed[0] ?? 0) & 0x80) !== 0;
  return tlv(tags.integer, negative || trimmed.length === 0 ? Buffer.of(0) : Buffer.alloc(0), trimmed);
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80);
  return digits;
}

/** An object identifier from its dotted text. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tlv(tags.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A moment (milliseconds since 1970): UTCTime up to 2049, GeneralizedTime from 2050 on, as RFC 5280 demands. */
export function time(ms: number): Buffer {
  const { year, month, day, hour, minute, second } = calendarTime(ms);
  const rest = `${[month, day, hour, minute, second].map(twoDigits).join('')}Z`;
  const text = String(year).padStart(4, '0');
  return year < 2050
    ? tlv(tags.utcTime, Buffer.from(`${text.slice(-2)}${rest}`))
    : tlv(tags.time, Buffer.from(`${text}${rest}`));
}

/** A value read back: its tag, its content, and all of it. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  readonly raw: Buffer;
}

/** The values that stand one after the other in `der`; undefined where it is not DER. */
export function readValues(der: Buffer): DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < der.length;) {
    const value = readValue(der.subarray(at));
    if (value === undefined) return undefined;
    values.push(value);
    at += value.raw.length;
  }
  return values;
}

function readValue(der: Buffer): DerValue | undefined {
  const [tag, first] = der;
  if (tag === undefined || first === undefined) return undefined;
  const octets = first < 0x80 ? 0 : first & 0x7f;
  if (octets > 4 || der.length < 2 + octets) return undefined;
  const length = octets === 0 ? first : der.readUIntBE(2, octets);
  const end = 2 + octets + length;
  return end > der.length ? undefined : { tag, content: der.subarray(2 + octets, end), raw: der.subarray(0, end) };
}
