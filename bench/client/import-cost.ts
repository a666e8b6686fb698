import { repeat, reportOf } from '../harness/child.ts';
import { mebibytes, median, ratio, shown } from '../harness/figures.ts';
import type { BenchOptions } from '../harness/options.ts';
import { probe, type Section } from './section.ts';

interface Cost {
  /** Milliseconds of CPU from the start of the process. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

const most = { cpu: 60, rss: 25 };

async function costOf(what: string, times: number): Promise<Cost> {
  const reports = await repeat(times, () => reportOf<Cost>(probe('import'), { args: [what] }));
  return { cpu: median(reports.map(({ cpu }) => cpu)), rss: median(reports.map(({ rss }) => rss)) };
}

/** What `import` of a client adds to a process that does nothing. */
export async function importCost({ smoke }: BenchOptions): Promise<Section> {
  const times = smoke ? 1 : 15;
  const bare = await costOf('nothing', times);
  const over = async (what: string): Promise<{ cpu: number; rss: number }> => {
    const { cpu, rss } = await costOf(what, times);
    return { cpu: cpu - bare.cpu, rss: mebibytes(rss - bare.rss) };
  };
  const kilter = await over('kilter');
  const peer = await over('client-node');
  return {
    title: 'Import',
    how: `A process that imports the built package, less one that imports nothing; medians of ${times}.`,
    rows: [
      ['', 'CPU', 'memory'],
      ['bare Node', shown(bare.cpu, 'ms'), shown(mebibytes(bare.rss), 'MiB')],
      ['kilter', `+${shown(kilter.cpu, 'ms')}`, `+${shown(kilter.rss, 'MiB')}`],
      ['@kubernetes/client-node', `+${shown(peer.cpu, 'ms')}`, `+${shown(peer.rss, 'MiB')}`],
      ['ratio', ratio(peer.cpu, kilter.cpu), ratio(peer.rss, kilter.rss)],
    ],
    limits: [
      {
        what: `importing kilter costs at most ${most.cpu} ms CPU`,
        held: kilter.cpu <= most.cpu,
        figure: shown(kilter.cpu, 'ms'),
        timed: true,
      },
      {
        what: `importing kilter costs at most ${most.rss} MiB`,
        held: kilter.rss <= most.rss,
        figure: shown(kilter.rss, 'MiB'),
        timed: false,
      },
    ],
  };
}
