import { isIP } from 'node:net';

function groups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `::ffff:10.0.0.1` in groups of 16 bits alone. */
function withoutDots(address: string): string {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (dotted === null) return address;
  const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(2).map(Number);
  return `${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function version6(address: string): Buffer {
  const [head = '', tail] = withoutDots(address).split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

/** The 4 or 16 octets of an IP address; undefined for anything else, zones (`fe80::1%eth0`) included. */
export function addressOctets(address: string): Buffer | undefined {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? Buffer.from(address.split('.').map(Number)) : version6(address);
}
