/** A deep copy of what JSON.parse can give: several times as quick as structuredClone, which is made for more than that. */
export function cloneJson<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const inner = copy((value as Record<string, unknown>)[key]);
    // Assigned, `__proto__` would change what the object is, and others fail where prototypes are frozen.
    if (key in Object.prototype) {
      Object.defineProperty(made, key, { value: inner, enumerable: true, writable: true, configurable: true });
    } else made[key] = inner;
  }
  return made;
}
