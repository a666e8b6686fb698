// Quantities as the server stores them: `1000m` becomes `1`, `0.5Gi` becomes `512Mi`.
import { magnitude, type QuantityParts, quantityParts, quantityText, roundedUp, wholeOf } from '../formats/index.ts';

/** The most a quantity in powers of two can be. */
const most = 2n ** 63n - 1n;

export type QuantityForm = { readonly text: string } | { readonly problem: string };

/** The form the server gives a quantity; amounts of resources are rounded up to thousandths. */
export function quantityForm(text: string, { resource }: { resource: boolean }): QuantityForm {
  const parts = quantityParts(text);
  if ('problem' in parts) return parts;
  const { sign, unit } = parts;
  const sent = magnitude(parts);
  const exact = roundedUp(sent, resource ? -3 : -9);
  const untouched = exact.scale === sent.scale;
  if (text === '0' || (untouched && isKept(parts, sent.scale))) return { text };
  const isCapped = unit.base === 2 && (wholeOf(exact) ?? 0n) > most;
  const capped = isCapped ? { ...exact, unscaled: most, scale: 0 } : exact;
  return { text: quantityText({ ...capped, unscaled: sign === '-' ? -capped.unscaled : capped.unscaled }) };
}

const mostDigits = 18;

/** The server takes these for canonical and keeps them as they were sent. */
function isKept({ whole, fraction, unit }: QuantityParts, scale: number): boolean {
  const digits = whole.replace(/^0+(?=\d)/, '') + fraction;
  if (digits === '') return false;
  if (unit.base === 10)
    return digits.length <= mostDigits && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  const precision = 15 - digits.length - Math.trunc((unit.exponent * 3) / 10) - 1;
  return fraction === '' && precision >= 0 && (BigInt(digits) & 7n) !== 0n;
}
