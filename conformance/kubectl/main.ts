// npm run conformance:kubectl: commands of kubectl on the embedded server, beside what the real one gave.
import { commandLine } from '../../tools/command-line.ts';
import { KubectlRuns } from './run.ts';
import type { Outcome } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { embeddedServer, realServer } from './servers.ts';
import { details, judge, readDifferences, readGoldens, surprises, type Verdict, writeGoldens } from './verdict.ts';

const usage = `npm run conformance:kubectl      runs kubectl commands on the embedded server and compares the output with the real server's
  -- --server real               runs them on a real control plane instead (npm run kube:install)
  -- --server real --record      records the output
  -- --only rollouts             only scenarios whose id contains this text: ${scenarios.map(({ id }) => id).join(', ')}
  -- --details                   prints every difference in full, including known ones`;

const { values } = commandLine({
  usage,
  options: {
    server: { type: 'string', default: 'embedded' },
    record: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    details: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  if (values.record && values.server !== 'real') throw new Error('--record needs --server real');
  const chosen = scenarios.filter(({ id }) => id.includes(values.only));
  if (chosen.length === 0) throw new Error(`no scenario has ${values.only} in its id`);
  await using served = values.server === 'real' ? await realServer() : await embeddedServer();
  using runs = new KubectlRuns(served.target);
  const outcomes: [string, Outcome[]][] = [];
  for (const scenario of chosen) outcomes.push([scenario.id, await runs.run(scenario)]);
  const goldens = readGoldens();
  const count = outcomes.reduce((sum, [, list]) => sum + list.length, 0);
  if (values.record) {
    const all = { ...goldens.scenarios, ...Object.fromEntries(outcomes) };
    const known = scenarios.flatMap(({ id }) => (all[id] === undefined ? [] : [[id, all[id]] as const]));
    writeGoldens({ kubernetes: served.version, scenarios: Object.fromEntries(known) });
    console.log(`${count} commands recorded from ${served.version}`);
    return 0;
  }
  return report(outcomes.flatMap(([id, list]) => judge(id, goldens.scenarios[id], list)));
}

function report(verdicts: readonly Verdict[]): number {
  const of = (is: Verdict['is']): number => verdicts.filter((verdict) => verdict.is === is).length;
  if (values.details) for (const verdict of verdicts) if (verdict.is !== 'equal') console.log(details(verdict));
  console.log(
    `${verdicts.length} commands on the ${values.server} server: ${of('equal')} equal, ${of('differs')} differ, ${of('fails')} fail here only`,
  );
  const found = surprises(verdicts, values.server === 'real' ? [] : readDifferences());
  if (found.length > 0) console.error(`not as conformance/kubectl/differences.json says:\n${found.join('\n')}`);
  return found.length;
}

process.exitCode = (await main()) > 0 ? 1 : 0;
