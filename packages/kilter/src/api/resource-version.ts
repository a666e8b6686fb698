/** Asked of every event: a regular expression would take longer. */
function isDecimal(text: string): boolean {
  const { length } = text;
  if (length === 0 || (length > 1 && text.charCodeAt(0) === 0x30)) return false;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/**
 * Orders two resource versions of one resource as decimal integers of any size (KEP-5504); `undefined` if one of them
 * is not a decimal, because then they can only be compared for equality.
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  if (!isDecimal(a) || !isDecimal(b)) return undefined;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
