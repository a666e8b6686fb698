// A run of some tests says nothing about the others: what it found must not stand for the whole.

/** What was asked of a run, as vitest resolved it, and what became of it. */
export interface RunFacts {
  readonly config: {
    readonly project?: readonly string[] | undefined;
    readonly testNamePattern?: RegExp | undefined;
    readonly tagsFilter?: readonly string[] | undefined;
    readonly cliExclude?: readonly string[] | undefined;
    readonly shard?: unknown;
    readonly bail?: number | undefined;
  };
  /** Every file that a run without a filter has. */
  readonly all: readonly string[];
  readonly ran: readonly string[];
  readonly interrupted: boolean;
}

/** Why the results are those of a part; undefined when everything ran. */
export function whyPartial({ config, all, ran, interrupted }: RunFacts): string | undefined {
  if (interrupted) return 'it was interrupted';
  if ((config.project ?? []).length > 0) return '--project leaves projects out';
  if (config.testNamePattern !== undefined) return '-t leaves tests out';
  if ((config.tagsFilter ?? []).length > 0) return 'a filter by tags leaves tests out';
  if ((config.cliExclude ?? []).length > 0) return '--exclude leaves files out';
  if (config.shard !== undefined) return '--shard leaves files out';
  if ((config.bail ?? 0) > 0) return '--bail may leave tests out';
  const files = [...new Set(all)];
  const done = new Set(ran);
  const left = files.filter((file) => !done.has(file)).length;
  return left === 0 ? undefined : `${left} of ${files.length} test files were left out`;
}
