// npm run observability: the shipped rules by the real promtool, then dashboard and alerts over a real Prometheus and three operators.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { findPrometheus, installPrometheus, missing } from './prometheus.ts';
import { runScenario } from './scenario/run.ts';

const help = `npm run observability -- [--install]

Checks the shipped rules with the real promtool, then the dashboard and the alerts on a real Prometheus that scrapes three operators. Both
programs are searched for in PROMETHEUS_HOME, in PATH, and where --install puts them (Debian's package, without root).
`;
const args = process.argv.slice(2);
const unknown = args.find((arg) => arg !== '--install' && arg !== '--help');
if (args.includes('--help') || unknown !== undefined) {
  (unknown === undefined ? process.stdout : process.stderr).write(
    unknown === undefined ? help : `npm run observability: there is no option ${unknown}\n\n${help}`,
  );
  process.exit(unknown === undefined ? 0 : 2);
}

const folder = resolve(import.meta.dirname, '../../examples/webapp/observability');

if (args.includes('--install')) installPrometheus();
const prometheus = findPrometheus();
if (prometheus === undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}
const tried = spawnSync(prometheus.promtool, ['test', 'rules', 'rules.test.yaml'], { cwd: folder, encoding: 'utf8' });
console.log(
  `${tried.status === 0 ? 'ok  ' : 'FAIL'}  unit tests of the rules${tried.status === 0 ? '' : `\n${tried.stdout}${tried.stderr}`}`,
);
const findings = await runScenario(prometheus);
const failed = findings.filter(({ ok }) => !ok).length + (tried.status === 0 ? 0 : 1);
console.log(`${findings.length + 1 - failed} of ${findings.length + 1} hold`);
process.exit(failed === 0 ? 0 : 1);
