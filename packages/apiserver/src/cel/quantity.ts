const suffixes: Readonly<Record<string, { readonly base: 10n | 2n; readonly exponent: number }>> = {
  n: { base: 10n, exponent: -9 },
  u: { base: 10n, exponent: -6 },
  m: { base: 10n, exponent: -3 },
  '': { base: 10n, exponent: 0 },
  k: { base: 10n, exponent: 3 },
  M: { base: 10n, exponent: 6 },
  G: { base: 10n, exponent: 9 },
  T: { base: 10n, exponent: 12 },
  P: { base: 10n, exponent: 15 },
  E: { base: 10n, exponent: 18 },
  Ki: { base: 2n, exponent: 10 },
  Mi: { base: 2n, exponent: 20 },
  Gi: { base: 2n, exponent: 30 },
  Ti: { base: 2n, exponent: 40 },
  Pi: { base: 2n, exponent: 50 },
  Ei: { base: 2n, exponent: 60 },
};

// The server reads a number without digits as zero, as long as there is anything at all.
const form = /^(?=.)([+-]?)(\d*(?:\.\d*)?)(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i|))$/;
/** Beyond, a number is the largest there is, or the smallest step. */
const longestExponent = 400;
const nano = 1_000_000_000n;

const mostInteger = 2n ** 63n - 1n;
const fits = (value: bigint): boolean => value <= mostInteger && value >= -mostInteger - 1n;

/** A Kubernetes quantity as rules see it, exact to the nano; finer amounts are rounded away from zero, as the server does. */
export class Quantity {
  readonly nanos: bigint;
  /**
   * The power of ten it is counted in, as it was written: -3 of `1000m`, which is therefore not an integer to the server.
   * Undefined where the server counts in a form without one, which never is an integer to it.
   */
  readonly scale: number | undefined;

  constructor(nanos: bigint, scale: number | undefined) {
    this.nanos = nanos;
    this.scale = scale;
  }

  static parse(text: string): Quantity | undefined {
    const [, sign, digits = '', exponent, suffix = ''] = form.exec(text) ?? [];
    if (sign === undefined) return undefined;
    const unit =
      exponent === undefined ? suffixes[suffix] : { base: 10n as const, exponent: bounded(Number(exponent)) };
    if (unit === undefined) return undefined;
    const nanos = scaled(digits, unit);
    return new Quantity(sign === '-' ? -nanos : nanos, scaleOf(digits, unit));
  }

  get isInteger(): boolean {
    return this.scale !== undefined && this.scale >= 0 && fits(this.integer);
  }

  plus(other: Quantity): Quantity {
    const nanos = this.nanos + other.nanos;
    if (this.scale === undefined || other.scale === undefined) return new Quantity(nanos, undefined);
    if (other.nanos === 0n) return this;
    if (this.nanos === 0n) return other;
    const scale = Math.min(this.scale, other.scale);
    const counted = [this.nanos, other.nanos, nanos].every((amount) => fits(amount / 10n ** BigInt(9 + scale)));
    return new Quantity(nanos, counted ? scale : undefined);
  }

  get integer(): bigint {
    return this.nanos / nano;
  }
}

function bounded(exponent: number): number {
  return Math.max(-longestExponent, Math.min(longestExponent, exponent));
}

function scaled(digits: string, { base, exponent }: { base: 10n | 2n; exponent: number }): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  const amount = BigInt(`${whole}${fraction}` || '0') * nano;
  const power = base ** BigInt(Math.abs(exponent));
  const decimals = 10n ** BigInt(fraction.length);
  const [dividend, divisor] = exponent < 0 ? [amount, power * decimals] : [amount * power, decimals];
  return (dividend + divisor - 1n) / divisor;
}

/** How many digits the server counts without arbitrary precision, in decimal and in binary units. */
const longest = { decimal: 18, binary: 14 };

function scaleOf(digits: string, { base, exponent }: { base: 10n | 2n; exponent: number }): number | undefined {
  const [whole = '', fraction = ''] = digits.split('.');
  const length = (whole.replace(/^0+/, '') || '0').length;
  if (base === 2n) {
    return fraction === '' && length + Math.trunc((exponent * 3) / 10) <= longest.binary ? 0 : undefined;
  }
  const scale = exponent - fraction.length;
  return length + fraction.length <= longest.decimal && scale >= -9 ? scale : undefined;
}
