import { LibraryValue } from './value.ts';

const number = '(0|[1-9]\\d*)';
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** A semantic version, as semver.org orders them. */
export class Semver extends LibraryValue {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly #pre: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], pre: readonly string[]) {
    super();
    this.numbers = numbers;
    this.#pre = pre;
  }

  /** `normalize` forgives a leading v, missing numbers and leading zeros. */
  static parse(text: string, normalize: boolean = false): Semver | undefined {
    const [, major, minor, patch, pre] = form.exec(normalize ? normalized(text) : text) ?? [];
    if (major === undefined || minor === undefined || patch === undefined) return undefined;
    const parts = pre?.split('.') ?? [];
    if (parts.some((part) => /^0\d+$/.test(part))) return undefined;
    return new Semver([BigInt(major), BigInt(minor), BigInt(patch)], parts);
  }

  compare(other: Semver): number {
    for (const [index, part] of this.numbers.entries()) {
      const theirs = other.numbers[index] ?? 0n;
      if (part !== theirs) return part < theirs ? -1 : 1;
    }
    return comparePre(this.#pre, other.#pre);
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Semver && this.compare(other) === 0;
  }
}

function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  return `${[...parts, '0', '0'].slice(0, Math.max(3, parts.length)).join('.')}${rest}`;
}

/** A version before its release comes first; of two such, the parts decide, numbers before words. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length) * (a.length === b.length ? 0 : 1);
  for (const [index, mine] of a.entries()) {
    const theirs = b[index];
    if (theirs === undefined) return 1;
    const order = comparePart(mine, theirs);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function comparePart(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
