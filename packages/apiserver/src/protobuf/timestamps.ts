// Times between RFC 3339 and seconds since 1970, without a clock: the days of the proleptic Gregorian calendar.

const era = 146_097;

/** Days since 1970-01-01 of a date; years begin in March here, so that the odd day is the last. */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const ofEra = ((shifted % 400) + 400) % 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const ofDay = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  return Math.floor(shifted / 400) * era + ofDay - 719_468;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const ofEra = shifted - Math.floor(shifted / era) * era;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: year + Math.floor(shifted / era) * 400 + (month <= 2 ? 1 : 0), month, day };
}

const form = /^(\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** The first second of the year 1, which stands for no time at all. */
const zeroSeconds = -62_135_596_800;

/** Undefined for what is not a time, and for the zero time, which means none. */
export function timeOfText(value: unknown): { readonly seconds: number; readonly nanos: number } | undefined {
  const found = typeof value === 'string' ? form.exec(value) : null;
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = 0, zoneMinute = 0] = found;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -60 : 60);
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const seconds = daysOf(Number(year), Number(month), Number(day)) * 86_400 + clock - zone;
  const nanos = Number(fraction.padEnd(9, '0'));
  return seconds === zeroSeconds && nanos === 0 ? undefined : { seconds, nanos };
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** RFC 3339 in UTC, with six decimals where microseconds are given; undefined for the time that says there is none. */
export function textOfTime(since: unknown, micros: number | undefined): string | undefined {
  const seconds = Number(since) + Math.floor((micros ?? 0) / 1_000_000);
  if (seconds === zeroSeconds && (micros ?? 0) === 0) return undefined;
  const days = Math.floor(seconds / 86_400);
  const clock = seconds - days * 86_400;
  const { year, month, day } = dateOf(days);
  const hours = `${digits(Math.floor(clock / 3600), 2)}:${digits(Math.floor(clock / 60) % 60, 2)}:${digits(clock % 60, 2)}`;
  const rest = micros === undefined ? '' : `.${digits(((micros % 1_000_000) + 1_000_000) % 1_000_000, 6)}`;
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T${hours}${rest}Z`;
}
