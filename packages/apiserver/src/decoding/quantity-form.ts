// Quantities as the server writes them: `1000m` is stored as `1`, `0.5Gi` as `512Mi`.

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const pattern = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const exponential = /^[eE]([-+]?\d+)$/;

const malformed = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

type Unit = { readonly base: 10 | 2; readonly exponent: number; readonly format: 'si' | 'binary' | 'exponent' };

function unitOf(suffix: string): Unit | undefined {
  const [si, power] = [decimal[suffix], binary[suffix]];
  if (si !== undefined) return { base: 10, exponent: si, format: 'si' };
  if (power !== undefined) return { base: 2, exponent: power, format: 'binary' };
  const exponent = exponential.exec(suffix)?.[1];
  return exponent === undefined ? undefined : { base: 10, exponent: Number(exponent), format: 'exponent' };
}

/** An amount of `unscaled * 10^scale`. */
interface Amount {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** The most a quantity in powers of two can be. */
const most = 2n ** 63n - 1n;

export type QuantityForm = { readonly text: string } | { readonly problem: string };

/** The form the server gives a quantity; amounts of resources are rounded up to thousandths. */
export function quantityForm(text: string, { resource }: { resource: boolean }): QuantityForm {
  const [, sign = '', whole = '', fraction = '', suffix = ''] = pattern.exec(text) ?? [];
  if (whole === '' && fraction === '') return { problem: malformed };
  const unit = unitOf(suffix);
  if (unit === undefined) return { problem: "unable to parse quantity's suffix" };
  const digits = whole.replace(/^0+(?=\d)/, '') + fraction;
  const factor = unit.base === 2 ? 2n ** BigInt(unit.exponent) : 1n;
  const scale = (unit.base === 10 ? unit.exponent : 0) - fraction.length;
  const exact = roundedUp({ unscaled: BigInt(digits) * factor, scale }, resource ? -3 : -9);
  const untouched = exact.scale === scale;
  if (text === '0' || (untouched && isKept({ digits, scale, fraction, unit }))) return { text };
  const capped = unit.base === 2 && (wholeOf(exact) ?? 0n) > most ? { unscaled: most, scale: 0 } : exact;
  const amount = { ...capped, unscaled: sign === '-' ? -capped.unscaled : capped.unscaled };
  return { text: written(amount, unit.format) };
}

/** Nobody asks for nothing: what is too fine for a quantity becomes the least there is. */
function roundedUp({ unscaled, scale }: Amount, finest: number): Amount {
  if (scale >= finest) return { unscaled, scale };
  const divisor = 10n ** BigInt(finest - scale);
  return { unscaled: (unscaled + divisor - 1n) / divisor, scale: finest };
}

interface Sent {
  readonly digits: string;
  readonly scale: number;
  readonly fraction: string;
  readonly unit: Unit;
}

const mostDigits = 18;

/** The server takes these for canonical and keeps them as they were sent. */
function isKept({ digits, scale, fraction, unit }: Sent): boolean {
  if (unit.base === 10)
    return digits.length <= mostDigits && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  const precision = 15 - digits.length - Math.trunc((unit.exponent * 3) / 10) - 1;
  return fraction === '' && precision >= 0 && (BigInt(digits) & 7n) !== 0n;
}

function written({ unscaled, scale }: Amount, format: Unit['format']): string {
  if (unscaled === 0n) return '0';
  const whole = wholeOf({ unscaled, scale });
  if (format === 'binary' && whole !== undefined && (whole >= 1024n || whole <= -1024n)) {
    const { rest, times } = withoutFactors(whole, 1024n);
    return `${rest}${Object.keys(binary)[times - 1] ?? ''}`;
  }
  const { rest, times } = withoutFactors(unscaled, 10n);
  const exponent = scale + times;
  const excess = ((exponent % 3) + 3) % 3;
  const number = rest * 10n ** BigInt(excess);
  return `${number}${suffixOf(exponent - excess, format)}`;
}

function suffixOf(exponent: number, format: Unit['format']): string {
  if (exponent === 0) return '';
  const si = Object.keys(decimal).find((suffix) => decimal[suffix] === exponent);
  return format === 'exponent' || si === undefined ? `e${exponent}` : si;
}

function wholeOf({ unscaled, scale }: Amount): bigint | undefined {
  if (scale >= 0) return unscaled * 10n ** BigInt(scale);
  const divisor = 10n ** BigInt(-scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function withoutFactors(value: bigint, factor: bigint): { rest: bigint; times: number } {
  let [rest, times] = [value, 0];
  while (rest % factor === 0n) [rest, times] = [rest / factor, times + 1];
  return { rest, times };
}
