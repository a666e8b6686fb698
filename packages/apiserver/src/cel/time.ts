import { parseTime } from 'kilter/api';
import { parseDuration } from '../formats/index.ts';

const second = 1_000_000_000n;
// The years 1 to 9999.
const earliest = -62_135_596_800n * second;
const latest = 253_402_300_800n * second;
const limit = 2n ** 63n;

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A span of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export const isTimestampInRange = (nanos: bigint): boolean => nanos >= earliest && nanos < latest;
export const isDurationInRange = (nanos: bigint): boolean => nanos >= -limit && nanos < limit;

/** Reads RFC 3339; undefined for anything else. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const [, head = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const ms = head === '' ? undefined : parseTime(`${head}${zone}`);
  if (ms === undefined) return undefined;
  const nanos = BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return isTimestampInRange(nanos) ? new Timestamp(nanos) : undefined;
}

/** Reads a Go duration: `1h30m`. */
export function parseCelDuration(text: string): Duration | undefined {
  if (!/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** As `string(duration)` writes it: seconds with what is needed of a fraction. */
export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % second)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / second}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** As `string(timestamp)` writes it. */
export function timestampText({ nanos }: Timestamp): string {
  const { year, month, day, hour, minute, second: seconds } = civil(nanos);
  const two = (part: number): string => String(part).padStart(2, '0');
  const fraction = String(floorMod(nanos, second)).padStart(9, '0').replace(/0+$/, '');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}T${two(hour)}:${two(minute)}:${two(seconds)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

const floorDiv = (a: bigint, b: bigint): bigint => (a - floorMod(a, b)) / b;
const floorMod = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Days since 1970. */
  readonly days: number;
}

/** The calendar of a moment, in UTC: counted in eras of 400 years that start on the first of March. */
function civil(nanos: bigint): Civil {
  const seconds = floorDiv(nanos, second);
  const days = Number(floorDiv(seconds, 86_400n));
  const inDay = Number(floorMod(seconds, 86_400n));
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const inEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  );
  const dayOfYear = inEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(inDay / 3600),
    minute: Math.floor((inDay % 3600) / 60),
    second: inDay % 60,
    days,
  };
}

/** How far a zone is ahead of UTC at a moment, in seconds; undefined for a zone nobody knows. */
function zoneOffset(zone: string, nanos: bigint): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  if (zone === '' || zone === 'UTC') return 0;
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
      Number(floorDiv(nanos, 1_000_000n)),
    );
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? 0 : zoneOffset(name.slice('GMT'.length), nanos);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A part of a moment's calendar, as `getFullYear` asks for it; undefined for a zone nobody knows. */
export function timestampPart({ nanos }: Timestamp, part: string, zone: string = 'UTC'): bigint | undefined {
  const offset = zoneOffset(zone, nanos);
  if (offset === undefined) return undefined;
  const local = nanos + BigInt(offset) * second;
  const parts = civil(local);
  const values: Readonly<Record<string, number>> = {
    FullYear: parts.year,
    Month: parts.month - 1,
    DayOfYear: dayOfYear(parts),
    DayOfMonth: parts.day - 1,
    Date: parts.day,
    DayOfWeek: (((parts.days + 4) % 7) + 7) % 7,
    Hours: parts.hour,
    Minutes: parts.minute,
    Seconds: parts.second,
    Milliseconds: Number(floorMod(local, second) / 1_000_000n),
  };
  return BigInt(values[part] ?? 0);
}

const monthStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** From 0 on. */
function dayOfYear({ year, month, day }: Civil): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return (monthStarts[month - 1] ?? 0) + day - 1 + (isLeap && month > 2 ? 1 : 0);
}

/** A duration in whole units, or its milliseconds within the second. */
export function durationPart({ nanos }: Duration, part: string): bigint {
  switch (part) {
    case 'Hours':
      return nanos / (3600n * second);
    case 'Minutes':
      return nanos / (60n * second);
    case 'Seconds':
      return nanos / second;
    default:
      return nanos / 1_000_000n;
  }
}
