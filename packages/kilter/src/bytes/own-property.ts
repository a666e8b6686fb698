/** Names every object has already: where prototypes are frozen, assigning to one of them throws. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

export const isInherited = (key: string): boolean => inherited.has(key);

/** A member of its own, whatever its name. */
export function setOwn(into: Record<string, unknown>, key: string, value: unknown): void {
  if (inherited.has(key)) {
    Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
  } else into[key] = value;
}
