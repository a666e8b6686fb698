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

/** A Kubernetes quantity as rules see it, exact to the nano; finer amounts are rounded away from zero, as the server does. */
export class Quantity {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  static parse(text: string): Quantity | undefined {
    const [, sign, digits = '', exponent, suffix = ''] = form.exec(text) ?? [];
    if (sign === undefined) return undefined;
    const unit =
      exponent === undefined ? suffixes[suffix] : { base: 10n as const, exponent: bounded(Number(exponent)) };
    if (unit === undefined) return undefined;
    const nanos = scaled(digits, unit);
    return new Quantity(sign === '-' ? -nanos : nanos);
  }

  get isInteger(): boolean {
    const whole = this.nanos / nano;
    return this.nanos % nano === 0n && whole < 2n ** 63n && whole >= -(2n ** 63n);
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
