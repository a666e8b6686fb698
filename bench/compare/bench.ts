// Kilter beside its peers on one stub: `npm run bench -- compare`, or by `--only` some of the scenarios.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Bench, BenchOptions } from '../harness/options.ts';
import { build } from '../harness/prepare.ts';
import { reportPage } from './report-page.ts';
import { runScenario, type ScenarioResult } from './rounds.ts';
import type { Scenario } from './scenario.ts';
import { atRest } from './scenarios/at-rest.ts';
import { events } from './scenarios/events.ts';
import { lookup } from './scenarios/policies.ts';
import { syncs } from './scenarios/sync.ts';
import { webhook } from './scenarios/webhook.ts';
import { writes } from './scenarios/writes.ts';
import { StubServer } from './stub/stub-server.ts';
import { scenarioText } from './summary.ts';

export const scenarios: readonly Scenario[] = [...syncs, ...events, ...atRest, ...writes, lookup, webhook];

const at = (path: string): URL => new URL(path, import.meta.url);

/** Results of earlier runs stay for scenarios that are not run again. */
type Stored = Record<string, Pick<ScenarioResult, 'outcomes'> & { machine: string }>;

function stored(): Stored {
  try {
    return JSON.parse(readFileSync(at('../results/compare.json'), 'utf8')) as Stored;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function machine(): string {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${load}`;
}

function write(results: readonly ScenarioResult[]): void {
  const all = stored();
  for (const { scenario, outcomes } of results) all[scenario.name] = { outcomes, machine: machine() };
  const known = scenarios.flatMap((scenario): ScenarioResult[] => {
    const found = all[scenario.name];
    return found === undefined ? [] : [{ scenario, outcomes: found.outcomes }];
  });
  const about = `Written by \`npm run bench -- compare\`. Machine: ${machine()}; contestant and stub are two processes on it, over loopback with TLS.`;
  mkdirSync(at('../results/'), { recursive: true });
  writeFileSync(at('../results/compare.json'), `${JSON.stringify(all, undefined, 1)}\n`);
  writeFileSync(
    at('../results/compare.md'),
    `# Kilter beside its peers\n\n${about}\n\nMedians, in brackets the extremes of all rounds, then how many times more it is than Kilter's.\n\n${known.map(scenarioText).join('\n\n')}\n`,
  );
  writeFileSync(at('../report.html'), reportPage(known, { title: 'Kilter beside its peers', about }));
}

/** A smoke run asks only that everything was done: what Kilter cannot do fails it, what a peer cannot do is said. */
function check(results: readonly ScenarioResult[]): void {
  const broken = results.flatMap(({ scenario, outcomes }) =>
    outcomes
      .filter(
        ({ contestant, notRun, values }) =>
          contestant === 'kilter' && (notRun !== undefined || Object.keys(values).length === 0),
      )
      .map(({ notRun = 'nothing was counted' }) => `${scenario.name}: ${notRun}`),
  );
  if (broken.length > 0) throw new Error(`not completed: ${broken.join('; ')}`);
  console.log(`${results.length} scenarios completed and counted`);
}

async function run({ smoke, only = [], rounds = 5 }: BenchOptions): Promise<void> {
  const chosen = scenarios.filter(({ name }) => only.length === 0 || only.some((one) => name.startsWith(one)));
  if (chosen.length === 0) return;
  build();
  const results: ScenarioResult[] = [];
  const begun = performance.now();
  const progress = (text: string): void =>
    console.error(`[${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s] ${text}`);
  await using stub = await StubServer.start();
  for (const scenario of chosen) {
    const result = await runScenario(scenario, stub, { smoke, rounds, progress });
    results.push(result);
    if (!smoke) {
      console.log(`\n${scenarioText(result)}`);
      write(results);
    } else
      for (const { contestant, notRun } of result.outcomes) {
        if (notRun !== undefined) console.log(`${scenario.name}: ${contestant} not run (${notRun})`);
      }
  }
  check(results);
}

export const compare: Bench = { name: 'compare', run };
