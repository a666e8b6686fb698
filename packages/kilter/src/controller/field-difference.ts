import type { KubeObject, ManagedFieldsEntry } from '../api/index.ts';

type Fields = Readonly<Record<string, unknown>>;

// Of a loop three fields tell as much as thirty.
const mostPaths = 5;
// What the server moves with every write.
const bookkeeping = new Set(['resourceVersion', 'managedFields', 'generation', 'uid', 'creationTimestamp', 'selfLink']);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where two values differ, as the segments of the paths; what the server moves by itself left out. */
export function pathsBetween(before: unknown, after: unknown): (readonly string[])[] {
  const walk = new DifferenceWalk();
  walk.compare(before, after);
  return walk.found;
}

/** Nearly everything is equal between two versions: it makes a list only of what is not. */
class DifferenceWalk {
  readonly found: (readonly string[])[] = [];
  /** From the root to where the walk is. */
  readonly #path: string[] = [];

  compare(before: unknown, after: unknown): void {
    if (before === after) return;
    if (isFields(before) && isFields(after)) this.#compareFields(before, after);
    else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      for (let i = 0; i < before.length; i += 1) this.#enter(String(i), before[i], after[i]);
    } else this.found.push([...this.#path]);
  }

  #compareFields(before: Fields, after: Fields): void {
    for (const key of Object.keys(before)) if (!this.#isMoved(key)) this.#enter(key, before[key], after[key]);
    for (const key of Object.keys(after)) {
      if (!Object.hasOwn(before, key) && !this.#isMoved(key)) this.#enter(key, undefined, after[key]);
    }
  }

  #isMoved(key: string): boolean {
    return this.#path.length === 1 && this.#path[0] === 'metadata' && bookkeeping.has(key);
  }

  #enter(segment: string, before: unknown, after: unknown): void {
    if (before === after) return;
    this.#path.push(segment);
    this.compare(before, after);
    this.#path.pop();
  }
}

/** The fields in which two versions of an object differ, as the segments of their paths; the first few. */
export function differingFields(before: KubeObject, after: KubeObject): (readonly string[])[] {
  return pathsBetween(before, after).slice(0, mostPaths);
}

/** As people write it: `spec.template.spec.containers[0].image`, `data["a.b"]`. */
export function pathInWords(path: readonly string[]): string {
  return path.reduce((text, segment) => {
    if (/^\d+$/.test(segment)) return `${text}[${segment}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(segment)) return `${text}[${JSON.stringify(segment)}]`;
    return text === '' ? segment : `${text}.${segment}`;
  }, '');
}

/** Whether a manager's fields reach the path. Items of lists are found by keys that the path does not know: any will do. */
function covers(fields: unknown, path: readonly string[]): boolean {
  const [segment, ...rest] = path;
  if (segment === undefined) return fields !== undefined;
  if (!isFields(fields)) return false;
  if (Object.keys(fields).length === 0) return true;
  const named = fields[`f:${segment}`];
  if (named !== undefined) return covers(named, rest);
  if (!/^\d+$/.test(segment)) return false;
  return Object.entries(fields).some(([key, inner]) => /^[kvi]:/.test(key) && covers(inner, rest));
}

/** Who else holds one of these fields, the latest writer first. */
export function otherManagers(
  entries: readonly ManagedFieldsEntry[] | undefined,
  paths: readonly (readonly string[])[],
  own: string,
): string[] {
  const others = (entries ?? []).filter(
    ({ manager, fieldsV1 }) => manager !== undefined && manager !== own && paths.some((path) => covers(fieldsV1, path)),
  );
  const latest = others.toSorted((a, b) => String(b.time ?? '').localeCompare(String(a.time ?? '')));
  return [...new Set(latest.map(({ manager }) => manager as string))];
}
