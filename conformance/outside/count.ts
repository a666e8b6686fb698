/** How much of something published a server does as it should. */
export interface Count {
  readonly passed: number;
  readonly of: number;
  /** What did not pass, and why. */
  readonly failures: readonly string[];
}

export function countOf(results: ReadonlyMap<string, string | undefined>): Count {
  const failures = [...results].filter(([, problem]) => problem !== undefined);
  return {
    passed: results.size - failures.length,
    of: results.size,
    failures: failures.map(([name, problem]) => `${name}: ${problem}`),
  };
}

/** One server, or what there is in its place, and what came out. */
export interface Finding {
  readonly on: string;
  readonly count: Count | undefined;
  /** Why there is no count. */
  readonly skipped?: string;
}
