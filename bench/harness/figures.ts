/** The middle one; of an even number the lower of the two in the middle, so that it is a measured one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error('no values to take the median of');
  return middle;
}

/** Enough digits to compare, no more. */
export function shown(value: number, unit = ''): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}

export function ratio(theirs: number, ours: number): string {
  return ours <= 0 ? '-' : `${(theirs / ours).toFixed(1)} ×`;
}

export const mebibytes = (bytes: number): number => bytes / 1024 / 1024;
