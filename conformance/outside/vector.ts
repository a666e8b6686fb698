import type { Ask } from './asking.ts';

/** One published case: what it asks of a server, and whether the answer is what was published. */
export interface Vector {
  readonly name: string;
  /** Resolves with what is wrong, or with nothing. */
  judge(ask: Ask, number: number): Promise<string | undefined>;
}

export interface Suite {
  readonly name: string;
  /** Its vectors ask no server. */
  readonly pure?: true;
  readonly vectors: () => readonly Vector[];
}

/** Equal as JSON: keys in any order. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}
