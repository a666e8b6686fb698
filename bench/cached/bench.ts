// The headline of a cache: what an hour of looking at Events with their Pods and Nodes costs, polled each minute and cached.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { anHour } from '../../examples/event-recycler/src/cost/an-hour.ts';
import type { HourReport } from '../../examples/event-recycler/src/cost/hour.ts';
import { reportPage } from '../compare/report-page.ts';
import { scenarioText } from '../compare/summary.ts';
import { mebibytes, shown } from '../harness/figures.ts';
import { checkLimits, type Limit } from '../harness/limits.ts';
import type { Bench, BenchOptions } from '../harness/options.ts';

const results = (file: string): URL => new URL(`../results/${file}`, import.meta.url);

const figures = [
  { name: 'requests', unit: 'without the Lease' },
  { name: 'first look', unit: 'MiB' },
  { name: 'bytes', unit: 'MiB, with the Lease' },
  { name: 'CPU', unit: 'seconds, with the Lease' },
  { name: 'memory', unit: 'MiB' },
] as const;

/** Client and server share a process: what the world costs without anybody looking is taken away. */
const valuesOf = (report: HourReport, nobody: HourReport): Record<string, readonly number[]> => ({
  requests: [report.requests],
  'first look': [mebibytes(report.firstBytes)],
  bytes: [mebibytes(report.bytes)],
  CPU: [(report.cpu - nobody.cpu) / 1000],
  memory: [mebibytes(report.memory)],
});

async function sideBySide(events: number, minutes: number) {
  const nobody = await anHour('nobody', events, minutes);
  const cached = await anHour('cached', events, minutes);
  const polled = await anHour('polled', events, minutes);
  const scenario = {
    name: `events-${events}`,
    title: `${events} Events with their Pods and Nodes, an hour after the first look`,
    how: `Measured over ${minutes} minutes. Ten Events occur once more each minute. "kilter" is the EventRecycler operator: it looks when an Event changes and each minute, and renews its Lease every 2 s (${cached.leases} requests); "polled" lists Events, Pods and Nodes each minute.`,
    figures,
  };
  const outcomes = [
    { contestant: 'kilter', values: valuesOf(cached, nobody) },
    { contestant: 'polled', values: valuesOf(polled, nobody) },
  ];
  return { scenario, outcomes, cached, polled };
}

/** ER-55, and that the cache is worth having. */
function limitsOf(all: readonly Awaited<ReturnType<typeof sideBySide>>[]): Limit[] {
  return all.flatMap(({ cached, polled, scenario }) => {
    const most = cached.events > 1000 ? 500 : 50;
    const memory = mebibytes(cached.memory);
    const streams = Object.values(cached.watches);
    return [
      { what: `${scenario.name}: under ${most} MB`, held: memory < most, figure: shown(memory, 'MiB'), timed: false },
      {
        what: `${scenario.name}: one watch per kind`,
        held: streams.length === 5 && streams.every((open) => open === 1),
        figure: `${streams.length} kinds`,
        timed: false,
      },
      {
        what: `${scenario.name}: fewer bytes than polling`,
        held: cached.bytes < polled.bytes,
        figure: shown(mebibytes(cached.bytes), 'MiB'),
        timed: false,
      },
    ];
  });
}

async function run({ smoke }: BenchOptions): Promise<void> {
  const all: Awaited<ReturnType<typeof sideBySide>>[] = [];
  for (const events of smoke ? [200] : [1000, 10_000]) all.push(await sideBySide(events, smoke ? 10 : 20));
  const about = `Virtual time on ${availableParallelism()} cores, Node ${process.versions.node}; one run each. Server and client share a process, and what the same time costs without a client is taken away from the CPU. Memory is what the client holds after its first look, its program included.`;
  const text = `# Polled and cached\n\nWritten by \`npm run bench -- cached\`. ${about}\n\n${all.map(scenarioText).join('\n\n')}\n`;
  console.log(text);
  if (!smoke) {
    writeFileSync(results('cached.md'), text);
    writeFileSync(results('cached.html'), reportPage(all, { about, title: 'Polled and cached' }));
  }
  checkLimits(limitsOf(all), { smoke });
}

export const cached: Bench = { name: 'cached', run };
