/** IP addresses as Go's net package reads them, leading zeros of IPv4 tolerated as the API server does. */

export function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,}$/.test(part) && Number(part) <= 255);
}

/** Groups of up to four hex digits, one `::` for zeros, an IPv4 address as the last two groups; no zone. */
export function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const counts = halves.map((half, index) => groups(half, index === halves.length - 1));
  if (counts.includes(undefined)) return false;
  const total = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return halves.length === 2 ? total <= 7 : total === 8;
}

/** How many 16-bit groups a run of groups stands for; undefined if it is malformed. */
function groups(run: string, last: boolean): number | undefined {
  if (run === '') return 0;
  const parts = run.split(':');
  const tail = parts.at(-1) ?? '';
  const dotted = last && tail.includes('.');
  if (dotted && !isIPv4(tail)) return undefined;
  const hex = dotted ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  return hex.length + (dotted ? 2 : 0);
}

export function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(length)) return false;
  return isIPv4(address) ? Number(length) <= 32 : isIPv6(address) && Number(length) <= 128;
}
