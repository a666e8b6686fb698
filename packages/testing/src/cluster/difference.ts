/** Where an object is not as a pattern says: every field of the pattern must be there and equal; further fields are free. */
export function difference(pattern: unknown, actual: unknown, path = ''): string[] {
  if (pattern === undefined) return [];
  if (typeof pattern !== 'object' || pattern === null) {
    return Object.is(pattern, actual) ? [] : [line(path, pattern, actual)];
  }
  if (typeof actual !== 'object' || actual === null) return [line(path, pattern, actual)];
  if (Array.isArray(pattern)) return listDifference(pattern, actual, path);
  return Object.entries(pattern).flatMap(([key, value]) =>
    difference(
      value,
      Object.hasOwn(actual, key) ? (actual as Record<string, unknown>)[key] : undefined,
      `${path}.${key}`,
    ),
  );
}

function listDifference(pattern: readonly unknown[], actual: object, path: string): string[] {
  if (!Array.isArray(actual) || actual.length !== pattern.length) return [line(path, pattern, actual)];
  return pattern.flatMap((value, i) => difference(value, actual[i], `${path}[${i}]`));
}

function line(path: string, expected: unknown, actual: unknown): string {
  const show = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
  return `${path === '' ? 'the object' : path}: expected ${show(expected)}, found ${show(actual)}`;
}
