import { repeat, reportOf } from '../harness/child.ts';
import { mebibytes, median, shown } from '../harness/figures.ts';
import type { Limit } from '../harness/limits.ts';
import type { BenchOptions } from '../harness/options.ts';

export interface Cost {
  /** Milliseconds of CPU. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

export interface ImportCost {
  readonly how: string;
  readonly rows: readonly (readonly string[])[];
  readonly limits: readonly Limit[];
}

/** Packages are found from where this file is, so an earlier checkout is measured by its own. */
const probe = new URL('probes/import.mjs', import.meta.url);
const module = 'kilter/k8s/apps/v1';
const most = { cpu: 2, rss: 1 };

/** So much room for young objects that no collection falls into the measured time by chance. */
const noCollection = '--min-semi-space-size=16';

export interface Measuring {
  /** What is imported first, and not measured. */
  readonly before?: readonly string[];
  readonly times: number;
  readonly by?: URL;
}

/** Time and memory come from processes of their own: what steadies the one disturbs the other. */
export async function costOf(what: string, { before = [], times, by = probe }: Measuring): Promise<Cost> {
  const args = [what, ...before];
  const timed = await repeat(times, () => reportOf<Cost>(by, { args, flags: [noCollection] }));
  const weighed = await repeat(times, () => reportOf<Cost>(by, { args, flags: ['--expose-gc'] }));
  return { cpu: median(timed.map(({ cpu }) => cpu)), rss: mebibytes(median(weighed.map(({ rss }) => rss))) };
}

export const cells = ({ cpu, rss }: Cost): string[] => [shown(cpu, 'ms'), shown(rss, 'MiB')];

/** What importing one module of built-in kinds costs, beside a package that holds nothing. */
export async function importCost({ smoke }: BenchOptions): Promise<ImportCost> {
  const times = smoke ? 3 : 25;
  const nothing = await costOf('empty-package/empty', { times });
  const one = await costOf(module, { times });
  const largest = await costOf('kilter/k8s/core/v1', { times });
  const second = await costOf('kilter/k8s/core/v1', { before: [module], times });
  const added = { cpu: Math.max(0, one.cpu - nothing.cpu), rss: Math.max(0, one.rss - nothing.rss) };
  return {
    how: `CPU and resident memory of one \`import()\` in a fresh process, all it loads included; medians of ${times}. CPU is measured with a young generation of 16 MiB, so that no garbage collection falls into it by chance (one adds about 1 ms), memory after a collection. Finding and loading any package costs what the empty one does; the limits are on what the kinds add to that.`,
    rows: [
      ['import', 'CPU', 'memory'],
      ['an empty package', ...cells(nothing)],
      [module, ...cells(one)],
      ['kilter/k8s/core/v1', ...cells(largest)],
      [`kilter/k8s/core/v1 after ${module}`, ...cells(second)],
    ],
    limits: [
      {
        what: `importing ${module} adds at most ${most.cpu} ms CPU`,
        held: added.cpu <= most.cpu,
        figure: shown(added.cpu, 'ms'),
        timed: true,
      },
      {
        what: `importing ${module} adds at most ${most.rss} MiB`,
        held: added.rss <= most.rss,
        figure: shown(added.rss, 'MiB'),
        timed: false,
      },
    ],
  };
}
