// Quantities of resources: `500m`, `1Gi`, `1e3`. Exact, with the notation they were written in.

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const pattern = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const exponential = /^[eE]([-+]?)0*(\d{1,19})$/;
/** The time exact numbers take grows with their digits faster than their number. */
const mostCharacters = 10_000;

const malformed = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Beyond this nobody counts: a power that one can write in ten characters has no place in any memory. */
const mostZeros = 1000;
const tenTo = (exponent: number): bigint => 10n ** BigInt(Math.min(exponent, mostZeros));

export interface QuantityUnit {
  readonly base: 10 | 2;
  readonly exponent: number;
  readonly format: 'si' | 'binary' | 'exponent';
}

/** `unscaled * 10^scale`, written in one notation. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityUnit['format'];
}

/** The parts of a quantity as it was written. */
export interface QuantityParts {
  readonly sign: string;
  readonly whole: string;
  readonly fraction: string;
  readonly unit: QuantityUnit;
}

function unitOf(suffix: string): QuantityUnit | undefined {
  const [si, power] = [decimal[suffix], binary[suffix]];
  if (si !== undefined) return { base: 10, exponent: si, format: 'si' };
  if (power !== undefined) return { base: 2, exponent: power, format: 'binary' };
  const [, sign = '', digits] = exponential.exec(suffix) ?? [];
  if (digits === undefined) return undefined;
  // As the server reads it: 64 bits, of which it keeps 32.
  const sent = BigInt(`${sign === '-' ? sign : ''}${digits}`);
  if (BigInt.asIntN(64, sent) !== sent) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, sent)), format: 'exponent' };
}

export function quantityParts(text: string): QuantityParts | { readonly problem: string } {
  if (text.length > mostCharacters) return { problem: malformed };
  const match = text === '' ? null : pattern.exec(text);
  if (match === null) return { problem: malformed };
  // Without digits it is nothing, as `-` and `Gi` are.
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const unit = unitOf(suffix);
  return unit === undefined ? { problem: "unable to parse quantity's suffix" } : { sign, whole, fraction, unit };
}

/** The amount without its sign. */
export function magnitude({ whole, fraction, unit }: QuantityParts): Quantity {
  const factor = unit.base === 2 ? 2n ** BigInt(unit.exponent) : 1n;
  const scale = (unit.base === 10 ? unit.exponent : 0) - fraction.length;
  return { unscaled: BigInt(`${whole}${fraction}`) * factor, scale, format: unit.format };
}

export const noQuantity: Quantity = { unscaled: 0n, scale: 0, format: 'si' };

export const wholeQuantity = (amount: number): Quantity => ({ ...noQuantity, unscaled: BigInt(amount) });

/** What a text that was stored says; what is not a quantity counts as none. */
export function quantityOf(text: string): Quantity {
  const parts = quantityParts(text);
  if ('problem' in parts) return noQuantity;
  const amount = magnitude(parts);
  return parts.sign === '-' ? { ...amount, unscaled: -amount.unscaled } : amount;
}

const at = ({ unscaled, scale }: Quantity, finest: number): bigint => unscaled * tenTo(scale - finest);

/** A sum is written as its first part is, unless that is nothing. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale);
  return { unscaled: at(a, scale) + at(b, scale), scale, format: a.unscaled === 0n ? b.format : a.format };
}

export const negated = (quantity: Quantity): Quantity => ({ ...quantity, unscaled: -quantity.unscaled });

/** Below zero if the first is less, above if it is more. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const { unscaled } = addQuantities(a, negated(b));
  return unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0;
}

/** Nobody asks for nothing: what is finer than the finest scale is rounded up to it. */
export function roundedUp<Q extends Pick<Quantity, 'unscaled' | 'scale'>>(quantity: Q, finest: number): Q {
  const { unscaled, scale } = quantity;
  if (scale >= finest) return quantity;
  const divisor = tenTo(finest - scale);
  const up = unscaled > 0n ? divisor - 1n : 0n;
  return { ...quantity, unscaled: (unscaled + up) / divisor, scale: finest };
}

/** How many thousandths, rounded up. */
export const thousandths = (quantity: Quantity): bigint => at(roundedUp(quantity, -3), -3);

/** The whole number it is; undefined for one with a fraction. */
export function wholeOf({ unscaled, scale }: Pick<Quantity, 'unscaled' | 'scale'>): bigint | undefined {
  if (scale >= 0) return unscaled * tenTo(scale);
  const divisor = tenTo(-scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

/** As the server writes it: `1000m` is `1`, `0.5Gi` is `512Mi`. */
export function quantityText({ unscaled, scale, format }: Quantity): string {
  if (unscaled === 0n) return '0';
  const whole = wholeOf({ unscaled, scale });
  if (format === 'binary' && whole !== undefined && (whole >= 1024n || whole <= -1024n)) {
    const { rest, times } = withoutFactors(whole, 1024n);
    return `${rest}${Object.keys(binary)[times - 1] ?? ''}`;
  }
  const { rest, times } = withoutFactors(unscaled, 10n);
  const exponent = scale + times;
  const excess = ((exponent % 3) + 3) % 3;
  const number = rest * tenTo(excess);
  return `${number}${suffixOf(exponent - excess, format)}`;
}

function suffixOf(exponent: number, format: Quantity['format']): string {
  if (exponent === 0) return '';
  const si = Object.keys(decimal).find((suffix) => decimal[suffix] === exponent);
  return format === 'exponent' || si === undefined ? `e${exponent}` : si;
}

function withoutFactors(value: bigint, factor: bigint): { rest: bigint; times: number } {
  let [rest, times] = [value, 0];
  while (rest % factor === 0n) [rest, times] = [rest / factor, times + 1];
  return { rest, times };
}
