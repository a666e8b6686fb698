const form = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March. */
function days(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  const leap = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leap + Math.floor((153 * m + 2) / 5) + day - 719_469;
}

function offsetMinutes(zone: string): number {
  if (/^[Zz]$/.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Milliseconds since 1970; undefined for what is not a time. */
export function parseInstant(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined;
  const minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offsetMinutes(match[8] ?? 'Z');
  return (minutes * 60 + second) * 1000 + Math.round(Number(match[7] ?? 0) * 1000);
}
