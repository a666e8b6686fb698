/** The first place where two values differ, and what stands there. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Looking {
  /** Where the values stand. */
  readonly path?: string | undefined;
  /** Places that may differ, as `spec.env[*].value`, with all below them. */
  readonly excused?: readonly string[] | undefined;
}

/** Fields in the order of the first value, then those only the second has. */
export function firstDifference(before: unknown, after: unknown, looking: Looking = {}): Difference | undefined {
  const { path = '', excused = [] } = looking;
  if (Object.is(before, after) || excused.includes(path.replaceAll(/\[\d+\]/g, '[*]'))) return undefined;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return { path, before, after };
  }
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const at = { path: stepTo(path, key, Array.isArray(before)), excused };
    const found = firstDifference(left.get(key), right.get(key), at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function stepTo(path: string, key: string, isItem: boolean): string {
  if (isItem || !/^[\w$-]+$/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** `spec.count was "3" and is absent`. */
export function inWords({ before, after }: Omit<Difference, 'path'>): string {
  const show = (value: unknown): string => (value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent'));
  return `was ${show(before)} and is ${show(after)}`;
}
