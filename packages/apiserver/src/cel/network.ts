import { LibraryValue } from './value.ts';

/** The bytes of an address as a server reads it: no zone, no leading zeros, no IPv4 address in IPv6 clothes. */
function addressBytes(text: string): Uint8Array | undefined {
  return text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text);
}

function ipv4Bytes(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return valid ? Uint8Array.from(parts, Number) : undefined;
}

function ipv6Bytes(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupsOf);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array.from({ length: halves.length === 2 ? missing : 0 }, () => 0), ...(tail ?? [])];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));
}

/** Groups of 16 bits; the last two may be written as IPv4. */
function groupsOf(run: string): number[] | undefined {
  if (run === '') return [];
  const parts = run.split(':');
  const last = parts.at(-1) ?? '';
  const dotted = last.includes('.') ? ipv4Bytes(last) : undefined;
  if (last.includes('.') && dotted === undefined) return undefined;
  const hex = dotted === undefined ? parts : parts.slice(0, -1);
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = dotted ?? [];
  return [...hex.map((part) => Number.parseInt(part, 16)), ...(dotted === undefined ? [] : [a * 256 + b, c * 256 + d])];
}

const isMapped = (bytes: Uint8Array): boolean =>
  bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;

export class Ip extends LibraryValue {
  readonly typeName = 'net.IP';
  readonly bytes: Uint8Array;
  override readonly size: number;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
    this.size = bytes.length;
  }

  static parse(text: string): Ip | undefined {
    const bytes = addressBytes(text);
    return bytes === undefined || isMapped(bytes) ? undefined : new Ip(bytes);
  }

  get family(): 4 | 6 {
    return this.bytes.length === 4 ? 4 : 6;
  }

  /** In its canonical form: of IPv6 the longest run of zero groups left out. */
  get text(): string {
    return this.family === 4 ? this.bytes.join('.') : ipv6Text(this.bytes);
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Ip && other.text === this.text;
  }

  get isUnspecified(): boolean {
    return this.bytes.every((byte) => byte === 0);
  }

  get isLoopback(): boolean {
    return this.family === 4 ? this.bytes[0] === 127 : this.text === '::1';
  }

  get isMulticast(): boolean {
    const [first = 0] = this.bytes;
    return this.family === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
  }

  get isLinkLocalMulticast(): boolean {
    const [a = 0, b = 0, c = 0] = this.bytes;
    return this.family === 4 ? a === 224 && b === 0 && c === 0 : a === 0xff && (b & 0x0f) === 0x02;
  }

  get isLinkLocalUnicast(): boolean {
    const [a = 0, b = 0] = this.bytes;
    return this.family === 4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80;
  }

  get isGlobalUnicast(): boolean {
    const isBroadcast = this.family === 4 && this.bytes.every((byte) => byte === 255);
    return !(isBroadcast || this.isUnspecified || this.isLoopback || this.isMulticast || this.isLinkLocalUnicast);
  }
}

function ipv6Text(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  let [start, length] = [-1, 1];
  for (let at = 0; at < 8; at += 1) {
    const end = groups.findIndex((group, index) => index >= at && group !== 0);
    const run = (end < 0 ? 8 : end) - at;
    if (run > length) [start, length] = [at, run];
  }
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

export class Cidr extends LibraryValue {
  readonly typeName = 'net.CIDR';
  readonly ip: Ip;
  readonly prefixLength: number;
  override readonly size: number;

  constructor(ip: Ip, prefixLength: number) {
    super();
    this.ip = ip;
    this.prefixLength = prefixLength;
    this.size = Math.ceil(prefixLength / 8);
  }

  static parse(text: string): Cidr | undefined {
    const slash = text.lastIndexOf('/');
    const ip = slash < 0 ? undefined : Ip.parse(text.slice(0, slash));
    const length = text.slice(slash + 1);
    if (ip === undefined || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
    return Number(length) <= ip.bytes.length * 8 ? new Cidr(ip, Number(length)) : undefined;
  }

  get text(): string {
    return `${this.ip.text}/${this.prefixLength}`;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Cidr && other.text === this.text;
  }

  masked(): Cidr {
    return new Cidr(new Ip(maskedBytes(this.ip.bytes, this.prefixLength)), this.prefixLength);
  }

  containsIp(ip: Ip): boolean {
    if (ip.family !== this.ip.family) return false;
    return new Ip(maskedBytes(ip.bytes, this.prefixLength)).equals(this.masked().ip);
  }

  containsCidr(other: Cidr): boolean {
    return this.prefixLength <= other.prefixLength && this.containsIp(other.ip);
  }
}

function maskedBytes(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - index * 8));
    return byte & ((0xff << (8 - kept)) & 0xff);
  });
}
