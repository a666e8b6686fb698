// Schedules of CronJobs: five fields as cron has them, and the words that stand for some.
import { parseDuration } from '../formats/index.ts';
import { quote } from '../values/index.ts';

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];

const words = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const largest = 2n ** 63n - 1n;

/** Ends the reading of a schedule; its message is what the server says of it. */
class BadSchedule extends Error {}

function numberOf(text: string): number {
  const fail = (why: string): never => {
    throw new BadSchedule(`failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${why}`);
  };
  if (!/^[+-]?\d+$/.test(text)) return fail('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  if (value > largest || value < -largest - 1n) return fail('value out of range');
  if (value < 0n) throw new BadSchedule(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}

function numberOrName(text: string, { names, least }: Field): number {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  return named < 0 ? numberOf(text) : named + least;
}

function boundsOf(range: string, expression: string, field: Field): readonly [number, number] {
  const ends = range.split('-');
  const [low = '', high] = ends;
  if (low === '*' || low === '?') return [field.least, field.most];
  const start = numberOrName(low, field);
  if (ends.length > 2) throw new BadSchedule(`too many hyphens: ${expression}`);
  return [start, high === undefined ? start : numberOrName(high, field)];
}

/** One part of a field: `5`, `1-5`, `*`, each perhaps with a step. */
function checkRange(expression: string, field: Field): void {
  const parts = expression.split('/');
  const [range = '', every] = parts;
  const [start, end] = boundsOf(range, expression, field);
  if (parts.length > 2) throw new BadSchedule(`too many slashes: ${expression}`);
  const step = every === undefined ? 1 : numberOf(every);
  const last = every !== undefined && !range.includes('-') ? field.most : end;
  const fail = (why: string): never => {
    throw new BadSchedule(`${why}: ${expression}`);
  };
  if (start < field.least) fail(`beginning of range (${start}) below minimum (${field.least})`);
  if (last > field.most) fail(`end of range (${last}) above maximum (${field.most})`);
  if (start > last) fail(`beginning of range (${start}) beyond end of range (${last})`);
  if (step === 0) fail('step of range should be a positive number');
}

function check(schedule: string): void {
  if (schedule.startsWith('@every ')) {
    const length = schedule.slice('@every '.length);
    const duration = /^[+-]?(?:[\d.]+(?:ns|us|µs|μs|ms|s|m|h))+$/.test(length) ? parseDuration(length) : undefined;
    if (duration === undefined)
      throw new BadSchedule(`failed to parse duration ${schedule}: time: invalid duration ${quote(length)}`);
    return;
  }
  if (schedule.startsWith('@')) {
    if (!words.includes(schedule)) throw new BadSchedule(`unrecognized descriptor: ${schedule}`);
    return;
  }
  const given = schedule.split(/\s+/).filter((part) => part !== '');
  if (given.length !== fields.length)
    throw new BadSchedule(`expected exactly 5 fields, found ${given.length}: [${given.join(' ')}]`);
  for (const [index, field] of fields.entries()) {
    for (const expression of (given[index] ?? '').split(',').filter((part) => part !== ''))
      checkRange(expression, field);
  }
}

/** What is wrong with a schedule, in the server's words; undefined if nothing is. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    check(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof BadSchedule) return error.message;
    throw error;
  }
}

/** What is wrong with the name of a time zone. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === '') return 'timeZone must be nil or non-empty string';
  if (zone.toLowerCase() === 'local')
    return 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  return isZone(zone) ? undefined : `unknown time zone ${zone}`;
}

function isZone(zone: string): boolean {
  // Zones are files to the server: their case counts, and an offset names none.
  if (!zone.split('/').every((part) => /^[A-Z]/.test(part))) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    // Of a zone with another name only that one is known, and not how its own is written.
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
