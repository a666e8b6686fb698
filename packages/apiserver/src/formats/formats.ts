import { parseTime } from 'kilter/api';
import { isBase64, type Schema } from '../values/index.ts';
import { parseDuration } from './duration.ts';
import { isCidr, isIPv4, isIPv6 } from './ip-address.ts';
import { isRequestUri } from './request-uri.ts';

type Check = (text: string) => boolean;
const matching =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

/** The string formats the API server knows, by their name without dashes; any other name is ignored. */
const formats: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', matching(/^[0-9a-f]{24}$/i)],
  ['byte', (text) => text !== '' && isBase64(text)],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', (text) => parseDuration(text) !== undefined],
  ['email', isEmail],
  ['hexcolor', matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && (isIPv4(text) || isIPv6(text))],
  ['ipv6', (text) => text.includes(':') && isIPv6(text) && !/[:.]0\d+\.|\.0\d+$/.test(text)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  [
    'k8slongname',
    (text) =>
      text.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(text),
  ],
  ['k8sshortname', (text) => text.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(text)],
  ['mac', isMac],
  ['password', () => true],
  ['rgbcolor', isRgbColor],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['uri', isRequestUri],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
]);

/** Numbers have formats of their own; they are ranges, and no other format means anything for a number. */
const numberFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

/** The format as far as the server acts on it: undefined for one it does not know, or that does not fit the type. */
export function effectiveFormat({ type, format, ...schema }: Schema): string | undefined {
  if (format === undefined || format === '') return undefined;
  if (type === undefined || type === 'string') {
    if (schema['x-kubernetes-int-or-string'] === true) return undefined;
    return formats.has(format.replaceAll('-', '')) ? format : undefined;
  }
  return numberFormats.get(type)?.includes(format) === true ? format : undefined;
}

/** Whether a string has a format; true for formats nobody knows. */
export function hasFormat(text: string, format: string): boolean {
  return formats.get(format.replaceAll('-', ''))?.(text) ?? true;
}

function isDate(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (month < 1 || month > 12) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day >= 1 && day <= length;
}

/** RFC 3339, but no leap second, any character before the fraction, and anything after a second `t`: as the server reads it. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const parts = /^(\d\d):(\d\d):(\d\d)(.\d+)?(z|[+-]\d\d:\d\d)$/.exec(time ?? '');
  if (parts === null || !isDate(date)) return false;
  return (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}

/** Milliseconds of a string in the format date or date-time; undefined for what is not a time. */
export function timeOf(text: string, format: string): number | undefined {
  return format === 'date' ? (isDate(text) ? parseTime(`${text}T00:00:00Z`) : undefined) : parseTime(text);
}

const atom = /^[^\s()<>[\]:;@\\,."]+(?:\.[^\s()<>[\]:;@\\,."]+)*$/u;

/** An address, or `Name <address>`. */
function isEmail(text: string): boolean {
  const named = /^\s*(?:"(?:[^"\\]|\\.)*"|[^<>@",;:\\()[\]]*)\s*<([^<>]*)>\s*$/.exec(text);
  const address = (named?.[1] ?? text).trim();
  const split = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(split, 0));
  const domain = address.slice(split + 1);
  const localIsValid = atom.test(local) || /^"(?:[^"\\]|\\.)*"$/.test(local);
  return localIsValid && (atom.test(domain) || /^\[[^[\]\\]*\]$/.test(domain));
}

const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isHostname(text: string): boolean {
  if (!hostname.test(text) || Buffer.byteLength(text) > 255) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** Six, eight or twenty bytes: pairs with one kind of separator, or groups of four with dots. */
function isMac(text: string): boolean {
  if (/^[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2})*$/i.test(text)) {
    return [6, 8, 20].includes((text.length + 1) / 3);
  }
  return /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text) && [6, 8, 20].includes(((text.length + 1) / 5) * 2);
}

function isRgbColor(text: string): boolean {
  const part = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
  return new RegExp(String.raw`^rgb\(${part},${part},${part}\)$`).test(text);
}

const digitsOf = (text: string): number[] => Array.from(text, (digit) => (digit === 'X' ? 10 : Number(digit)));
const weightedSum = (digits: number[], weight: (index: number) => number): number =>
  digits.reduce((sum, digit, index) => sum + weight(index) * digit, 0);

function isIsbn10(text: string): boolean {
  const bare = text.replace(/[\s-]+/g, '');
  return /^\d{9}[\dX]$/.test(bare) && weightedSum(digitsOf(bare), (index) => index + 1) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const bare = text.replace(/[\s-]+/g, '');
  return /^\d{13}$/.test(bare) && weightedSum(digitsOf(bare), (index) => (index % 2 === 0 ? 1 : 3)) % 10 === 0;
}

const creditCard =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const bare = text.replace(/\D+/g, '');
  const doubled = (digit: number): number => (digit * 2 > 9 ? digit * 2 - 9 : digit * 2);
  const digits = digitsOf(bare).reverse();
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 1 ? doubled(digit) : digit), 0);
  return creditCard.test(bare) && sum % 10 === 0;
}
