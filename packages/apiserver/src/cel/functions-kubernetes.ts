import {
  hasFormat,
  isRequestUri,
  labelValueFlaws,
  letterFirstLabelFlaws,
  nameFlaws,
  qualifiedNameFlaws,
} from '../formats/index.ts';
import { fail, type Functions } from './functions.ts';
import { Cidr, Ip } from './network.ts';
import { Quantity } from './quantity.ts';
import { Semver } from './semver.ts';
import { Url } from './url.ts';
import { CelOptional, LibraryValue } from './value.ts';

type Check = (text: string) => readonly string[];

/** A format with a name: `format.dns1123Label()`. */
class NamedFormat extends LibraryValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly check: Check;

  constructor(name: string, check: Check) {
    super();
    this.name = name;
    this.check = check;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const holding =
  (test: (text: string) => boolean, flaw: string): Check =>
  (text) =>
    test(text) ? [] : [flaw];

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  Object.entries({
    dns1123Label: (text) => nameFlaws(text, 'label'),
    dns1123Subdomain: (text) => nameFlaws(text, 'subdomain'),
    dns1035Label: letterFirstLabelFlaws,
    qualifiedName: qualifiedNameFlaws,
    dns1123LabelPrefix: (text) => nameFlaws(text, 'label', true),
    dns1123SubdomainPrefix: (text) => nameFlaws(text, 'subdomain', true),
    dns1035LabelPrefix: (text) => letterFirstLabelFlaws(text.length > 1 ? text.replace(/-$/, 'a') : text),
    labelValue: labelValueFlaws,
    uri: holding(isRequestUri, 'invalid URI'),
    uuid: holding((text) => hasFormat(text, 'uuid'), 'does not match the UUID format'),
    byte: holding((text) => hasFormat(text, 'byte'), 'invalid base64'),
    date: holding((text) => hasFormat(text, 'date'), 'invalid date'),
    datetime: holding((text) => hasFormat(text, 'date-time'), 'invalid datetime'),
  } satisfies Record<string, Check>).map(([name, check]) => [name, new NamedFormat(name, check)]),
);

function ofText(act: (text: string, second: unknown) => unknown): (...args: readonly unknown[]) => unknown {
  return (text, second) => (typeof text === 'string' ? act(text, second) : undefined);
}

function ofIp(act: (ip: Ip) => unknown): (...args: readonly unknown[]) => unknown {
  return (ip) => (ip instanceof Ip ? act(ip) : undefined);
}

function ofCidr(act: (cidr: Cidr, second: unknown) => unknown): (...args: readonly unknown[]) => unknown {
  return (cidr, second) => (cidr instanceof Cidr ? act(cidr, second) : undefined);
}

function ofUrl(act: (url: Url) => unknown): (...args: readonly unknown[]) => unknown {
  return (url) => (url instanceof Url ? act(url) : undefined);
}

const readIp = (text: string): Ip =>
  Ip.parse(text) ?? fail(`IP Address "${text}" parse error during conversion from string`);
const readCidr = (text: string): Cidr =>
  Cidr.parse(text) ?? fail(`CIDR "${text}" parse error during conversion from string`);
const quantityForm = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const network: Functions = {
  url: ofText((text) => Url.parse(text) ?? fail(`URL parse error during conversion from string: ${text}`)),
  isURL: ofText((text) => Url.parse(text) !== undefined),
  getScheme: ofUrl(({ scheme }) => scheme),
  getHost: ofUrl(({ host }) => host),
  getHostname: ofUrl(({ hostname }) => hostname),
  getPort: ofUrl(({ port }) => port),
  getEscapedPath: ofUrl(({ path }) => path),
  getQuery: ofUrl(({ query }) => query),
  ip: (value) => (value instanceof Cidr ? value.ip : typeof value === 'string' ? readIp(value) : undefined),
  isIP: ofText((text) => Ip.parse(text) !== undefined),
  'ip.isCanonical': ofText((text) => readIp(text).text === text),
  family: ofIp(({ family }) => BigInt(family)),
  isUnspecified: ofIp((ip) => ip.isUnspecified),
  isLoopback: ofIp((ip) => ip.isLoopback),
  isLinkLocalMulticast: ofIp((ip) => ip.isLinkLocalMulticast),
  isLinkLocalUnicast: ofIp((ip) => ip.isLinkLocalUnicast),
  isGlobalUnicast: ofIp((ip) => ip.isGlobalUnicast),
  cidr: ofText(readCidr),
  isCIDR: ofText((text) => Cidr.parse(text) !== undefined),
  containsIP: ofCidr((cidr, ip) =>
    typeof ip === 'string' ? cidr.containsIp(readIp(ip)) : ip instanceof Ip ? cidr.containsIp(ip) : undefined,
  ),
  containsCIDR: ofCidr((cidr, other) =>
    typeof other === 'string'
      ? cidr.containsCidr(readCidr(other))
      : other instanceof Cidr
        ? cidr.containsCidr(other)
        : undefined,
  ),
  prefixLength: ofCidr(({ prefixLength }) => BigInt(prefixLength)),
  masked: ofCidr((cidr) => cidr.masked()),
};

function order(a: unknown, b: unknown): number | undefined {
  if (a instanceof Quantity && b instanceof Quantity) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  return a instanceof Semver && b instanceof Semver ? a.compare(b) : undefined;
}

function ordering(answer: (order: number) => unknown): (...args: readonly unknown[]) => unknown {
  return (a, b) => {
    const found = order(a, b);
    return found === undefined ? undefined : answer(found);
  };
}

function ofQuantity(act: (quantity: Quantity, other: unknown) => unknown): (...args: readonly unknown[]) => unknown {
  return (quantity, other) => (quantity instanceof Quantity ? act(quantity, other) : undefined);
}

const nano = 1_000_000_000n;

function shifted(sign: 1n | -1n): (...args: readonly unknown[]) => unknown {
  return ofQuantity((quantity, other) => {
    if (typeof other === 'bigint') return quantity.plus(new Quantity(sign * other * nano, 0));
    return other instanceof Quantity ? quantity.plus(new Quantity(sign * other.nanos, other.scale)) : undefined;
  });
}

function ofSemver(act: (version: Semver) => unknown): (...args: readonly unknown[]) => unknown {
  return (version) => (version instanceof Semver ? act(version) : undefined);
}

const amounts: Functions = {
  quantity: ofText((text) => Quantity.parse(text) ?? fail(quantityForm)),
  isQuantity: ofText((text) => Quantity.parse(text) !== undefined),
  sign: ofQuantity(({ nanos }) => (nanos > 0n ? 1n : nanos < 0n ? -1n : 0n)),
  isGreaterThan: ordering((found) => found > 0),
  isLessThan: ordering((found) => found < 0),
  compareTo: ordering((found) => BigInt(found)),
  isInteger: ofQuantity(({ isInteger }) => isInteger),
  asInteger: ofQuantity((quantity) =>
    quantity.isInteger ? quantity.integer : fail('cannot convert value to integer'),
  ),
  asApproximateFloat: ofQuantity(({ nanos }) => Number(nanos) / 1e9),
  add: shifted(1n),
  sub: shifted(-1n),
  semver: ofText(
    (text, normalize) => Semver.parse(text, normalize === true) ?? fail(`Invalid semantic version: ${text}`),
  ),
  isSemver: ofText((text, normalize) => Semver.parse(text, normalize === true) !== undefined),
  major: ofSemver(({ numbers }) => numbers[0]),
  minor: ofSemver(({ numbers }) => numbers[1]),
  patch: ofSemver(({ numbers }) => numbers[2]),
};

function validate(format: unknown, text: unknown): unknown {
  if (!(format instanceof NamedFormat) || typeof text !== 'string') return undefined;
  const flaws = format.check(text);
  return new CelOptional(flaws.length === 0 ? undefined : flaws);
}

export const kubernetesFunctions: Functions = {
  ...network,
  ...amounts,
  ...Object.fromEntries([...formats].map(([name, format]) => [`format.${name}`, () => format])),
  'format.named': ofText((name) => new CelOptional(formats.get(name))),
  validate,
};
