import { parseTime } from '../api/index.ts';

/** The server reads leading zeros as if they were not there. */
const octet = '0*(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = new RegExp(`^(?:${octet}\\.){3}${octet}$`);
const group = /^[0-9a-fA-F]{1,4}$/;

/** Eight groups, or fewer with one `::`; the last two may be written as an IPv4 address. */
function isIpv6(text: string): boolean {
  const colon = text.lastIndexOf(':');
  const tail = text.slice(colon + 1);
  const address = ipv4.test(tail) ? `${text.slice(0, colon + 1)}0:0` : text;
  const [before, after, ...more] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  if (before === undefined || more.length > 0) return false;
  const groups = [...before, ...(after ?? [])];
  return groups.every((part) => group.test(part)) && (after === undefined ? groups.length === 8 : groups.length < 8);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (ipv4.test(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128);
}

const host =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;
const bytes = (text: string): number => new TextEncoder().encode(text).length;

function isHostname(text: string): boolean {
  return host.test(text) && bytes(text) <= 255 && text.split('.').every((label) => bytes(label) <= 63);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= days;
}

const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const matching =
  (pattern: RegExp): ((text: string) => boolean) =>
  (text) =>
    pattern.test(text);
const uuid = (version: string, variant: string): ((text: string) => boolean) =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i'));

/** What the server checks of a string by its format, dashes left out of the name. What is not here it judges alone. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  cidr: isCidr,
  date: isDate,
  datetime: (text) => parseTime(text) !== undefined,
  duration: matching(/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$|^(?:\d+ ?[a-zA-Z]+ ?)+$/),
  email: matching(/^[^@\s<>]+@[^@\s<>]+$|<[^@\s<>]+@[^@\s<>]+>$/),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: (text) => ipv4.test(text) || (/^::ffff:/i.test(text) && ipv4.test(text.slice('::ffff:'.length))),
  ipv6: isIpv6,
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(text),
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${label}$`).test(text),
  mac: matching(
    /^(?:[0-9a-fA-F]{12}|[0-9a-fA-F]{16})$|^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}(?:(?::[0-9a-fA-F]{2}){2})?$|^[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5,7}$|^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2,3}$/,
  ),
  uri: matching(/^(?:\/|[a-zA-Z][a-zA-Z0-9+.-]*:)(?:[^\s%]|%[0-9a-fA-F]{2})*$/),
  uuid: uuid('[0-9a-f]', '[0-9a-f]'),
  uuid3: uuid('3', '[0-9a-f]'),
  uuid4: uuid('4', '[89ab]'),
  uuid5: uuid('5', '[89ab]'),
};

/** Whether the server would refuse a string for its format. */
export function breaksFormat(text: string, format: string): boolean {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) && formats[name]?.(text) === false;
}
