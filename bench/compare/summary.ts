import { median, shown } from '../harness/figures.ts';
import { table } from '../harness/markdown.ts';
import type { ScenarioResult } from './rounds.ts';
import type { Scenario } from './scenario.ts';

/** Of a measurement, what is shown. */
export interface Shown {
  readonly scenario: Pick<Scenario, 'name' | 'title' | 'how' | 'figures'>;
  readonly outcomes: readonly (Omit<ScenarioResult['outcomes'][number], 'contestant'> & {
    readonly contestant: string;
  })[];
}

/** The middle of all rounds with the extremes. */
export interface Summary {
  readonly contestant: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function summaries({ outcomes }: Pick<Shown, 'outcomes'>, figure: string): Summary[] {
  return outcomes.flatMap(({ contestant, values }) => {
    const seen = values[figure];
    if (seen === undefined || seen.length === 0) return [];
    return [{ contestant, median: median(seen), low: Math.min(...seen), high: Math.max(...seen) }];
  });
}

/** How many times more a peer takes than Kilter; nothing where there is nothing to compare. */
export function ratioTo(all: readonly Summary[], { contestant, median: theirs }: Summary): string {
  const ours = all.find((one) => one.contestant === 'kilter')?.median;
  if (contestant === 'kilter' || ours === undefined || ours <= 0 || theirs <= 0) return '';
  return `${(theirs / ours).toFixed(theirs / ours < 10 ? 1 : 0)} ×`;
}

function cell(all: readonly Summary[], contestant: string): string {
  const one = all.find((summary) => summary.contestant === contestant);
  if (one === undefined) return '-';
  const spread = one.low === one.high ? '' : ` (${shown(one.low)}-${shown(one.high)})`;
  const ratio = ratioTo(all, one);
  return `${shown(one.median)}${spread}${ratio === '' ? '' : `, ${ratio}`}`;
}

/** One scenario as a table: a row for each figure, a column for each contestant that was run. */
export function scenarioText(result: Shown): string {
  const { scenario, outcomes } = result;
  const run = outcomes.filter(({ notRun }) => notRun === undefined);
  const rows = scenario.figures.map(({ name, unit }) => {
    const all = summaries(result, name);
    return [`${name}, ${unit}`, ...run.map(({ contestant }) => cell(all, contestant))];
  });
  const missing = outcomes.filter(({ notRun }) => notRun !== undefined);
  const notRun = missing.map(({ contestant, notRun: why }) => `Not run: ${contestant} (${why}).`);
  const head = [['', ...run.map(({ contestant }) => contestant)], ...rows];
  return [`## ${scenario.title}`, scenario.how, ...(run.length > 0 ? [table(head)] : []), ...notRun].join('\n\n');
}
