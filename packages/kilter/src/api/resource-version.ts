const decimal = /^(0|[1-9]\d*)$/;

/**
 * Orders two resource versions of one resource as decimal integers of any size (KEP-5504); `undefined` where one of
 * them is not a decimal, because then only equality means anything.
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
