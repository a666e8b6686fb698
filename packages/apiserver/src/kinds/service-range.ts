import { isIPv4 } from 'node:net';

/** The network that the addresses of Services come from. */
export interface ServiceRange {
  /** As it is written: `10.96.0.0/12`. */
  readonly cidr: string;
  /** How many addresses there are to give away: those of the network itself and of everybody in it are not. */
  readonly size: number;
  /** The n-th of them, from 0 on; beyond the last one it begins again. */
  address(sequence: number): string;
  /** Whether an IPv4 address is one of them. */
  includes(address: string): boolean;
}

const usual = '10.96.0.0/12';
const [widest, narrowest] = [12, 29];

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const textOf = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

/** Throws for what is not an IPv4 network of that many addresses. */
export function serviceRange(cidr: string = usual): ServiceRange {
  const [address = '', bits = ''] = cidr.split('/', 2);
  const width = /^\d{1,2}$/.test(bits) ? Number(bits) : 0;
  if (!isIPv4(address) || width < widest || width > narrowest) {
    throw new RangeError(`${cidr} is not a range for Services: give an IPv4 network of /${widest} to /${narrowest}`);
  }
  const all = 2 ** (32 - width);
  const network = Math.floor(numberOf(address) / all) * all;
  const size = all - 2;
  return {
    cidr: `${textOf(network)}/${width}`,
    size,
    address: (sequence) => textOf(network + 1 + (sequence % size)),
    includes: (given) => numberOf(given) > network && numberOf(given) <= network + size,
  };
}
