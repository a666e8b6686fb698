import type { Arbitrary } from 'fast-check';
import type { Schema } from '@kilter/apiserver/schema';
import { fc } from './fast-check.ts';

type Strings = Arbitrary<string>;

const digits = (length: number): Strings =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const hex = (length: number): Strings =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const padded = (min: number, max: number): Strings => fc.integer({ min, max }).map((n) => String(n).padStart(2, '0'));
const joined = (separator: string, ...parts: readonly Strings[]): Strings =>
  fc.tuple(...parts).map((texts) => texts.join(separator));
const uuid = (version: string): Strings =>
  joined(
    '-',
    hex(8),
    hex(4),
    hex(3).map((text) => `${version}${text}`),
    hex(3).map((text) => `8${text}`),
    hex(12),
  );

/** Strings of the formats the API server checks; any other format is none. */
function formatValues(): Readonly<Record<string, Strings>> {
  const label: Strings = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);

  const date = joined('-', fc.integer({ min: 1970, max: 2999 }).map(String), padded(1, 12), padded(1, 28));
  const time = joined(':', padded(0, 23), padded(0, 59), padded(0, 59));
  const ipv4 = joined('.', ...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 255 }).map(String)));
  return {
    bsonobjectid: hex(24),
    byte: fc.base64String({ minLength: 4, maxLength: 16 }),
    cidr: fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, length]) => `${address}/${length}`),
    creditcard: fc.constantFrom('4111111111111111', '5555555555554444'),
    date,
    datetime: fc
      .tuple(date, time, fc.constantFrom('Z', '+02:00', '-11:30'))
      .map(([day, hour, zone]) => `${day}T${hour}${zone}`),
    duration: fc.tuple(fc.nat(1000), fc.constantFrom('s', 'm', 'h', 'ms')).map(([n, unit]) => `${n}${unit}`),
    email: fc.tuple(label, label).map(([who, where]) => `${who}@${where}.example`),
    hexcolor: hex(6).map((text) => `#${text}`),
    hostname: label.map((text) => `${text}.example`),
    ipv4,
    ipv6: joined(':', ...Array.from({ length: 8 }, () => fc.nat(0xffff).map((n) => n.toString(16)))),
    isbn: fc.constantFrom('9783161484100', '0306406152'),
    isbn10: fc.constantFrom('0306406152', '097522980X'),
    isbn13: fc.constantFrom('9783161484100', '9780306406157'),
    k8slongname: joined('.', label, label),
    k8sshortname: label,
    mac: joined(':', ...Array.from({ length: 6 }, () => hex(2))),
    rgbcolor: ipv4.map((text) => `rgb(${text.split('.').slice(1).join(',')})`),
    ssn: joined('-', digits(3), digits(2), digits(4)),
    uri: fc.tuple(label, label).map(([host, path]) => `https://${host}.example/${path}`),
    uuid: uuid('4'),
    uuid3: uuid('3'),
    uuid4: uuid('4'),
    uuid5: uuid('5'),
  };
}

let known: Readonly<Record<string, Strings>> | undefined;

/** How many characters a string has beyond what it must have. */
const spare = 12;

/**
 * Strings a schema takes, as far as one of its conditions can make them; the server's judgement sorts out the rest.
 * Nothing for a pattern that no generator understands.
 */
export function stringValues(schema: Schema): Strings | undefined {
  const { minLength = 0, maxLength = minLength + spare } = schema;
  const pattern = schema.pattern ?? schema.allOf?.find((part) => part.pattern !== undefined)?.pattern;
  const format =
    schema.format === undefined ? undefined : (known ??= formatValues())[schema.format.replaceAll('-', '')];
  if (format !== undefined && (pattern === undefined || alsoMatches(format, pattern))) return format;
  if (pattern !== undefined) return matching(pattern)?.filter((text) => hasLength([...text].length, schema));
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + spare) };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string(bounds) },
    // What a conversion might trim.
    {
      weight: 1,
      arbitrary: fc.string(bounds).map((text) => ` ${[...text].slice(1, -1).join('')} `.slice(0, [...text].length)),
    },
    // Code points, as the server counts them.
    { weight: 1, arbitrary: fc.string({ ...bounds, unit: 'binary' }) },
  );
}

function hasLength(length: number, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): boolean {
  return length >= minLength && length <= maxLength;
}

/** A pattern of RE2 as JavaScript writes it, but for what only one of them knows. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(pattern.replaceAll(String.raw`\x{`, String.raw`\u{`), 'u');
}

/** Patterns are of RE2, and JavaScript or the generator may not know all of it. */
function matching(pattern: string): Strings | undefined {
  try {
    return fc.stringMatching(expressionOf(pattern), { size: 'small' });
  } catch {
    return undefined;
  }
}

/** Whether strings of a format have the pattern beside it as well, judged by some of them. */
function alsoMatches(strings: Strings, pattern: string): boolean {
  try {
    const expression = expressionOf(pattern);
    return fc.sample(strings, { numRuns: 10, seed: 1 }).every((text) => expression.test(text));
  } catch {
    return false;
  }
}
