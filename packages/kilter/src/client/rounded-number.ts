import { KilterError } from '../errors/index.ts';

/** Where a whole number beyond 2^53 stands in a value, or undefined. Walks without recursion: depth is the user's. */
function findRounded(value: unknown): string | undefined {
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value: found } = next;
    if (typeof found === 'number' && Number.isInteger(found) && !Number.isSafeInteger(found)) return path;
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) open.push({ path: `${path}.${key}`, value: inner });
  }
  return undefined;
}

/** Refuses to send numbers that JavaScript cannot have read exactly. */
export function refuseRounded(value: unknown, what: string): void {
  const path = findRounded(value);
  if (path === undefined) return;
  throw new KilterError('CLIENT_NUMBER_ROUNDED', `${what}: ${path} is a whole number beyond 2^53`);
}
