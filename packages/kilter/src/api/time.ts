import { calendarTime } from '../internal/index.ts';

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');

function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

function secondsText(ms: number): string {
  const { year, month, day, hour, minute, second } = calendarTime(ms);
  const time = [hour, minute, second].map((part) => pad(part, 2)).join(':');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${time}`;
}

/** A metav1.Time: whole seconds, UTC. */
export function formatTime(ms: number): string {
  return `${secondsText(ms)}Z`;
}

/** A metav1.MicroTime: exactly six decimals, as the server requires for Leases and Events. */
export function formatMicroTime(ms: number): string {
  const micros = Math.floor((ms - Math.floor(ms / 1000) * 1000) * 1000);
  return `${secondsText(ms)}.${pad(micros, 6)}Z`;
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since 1970 of an RFC 3339 time, or `undefined` for anything else. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  const zone = match[8] ?? 'Z';
  const offset = /^[Zz]$/.test(zone)
    ? 0
    : (zone[0] === '-' ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  const seconds = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
  return seconds * 1000 + Number(match[7] ?? 0) * 1000;
}
