// Built-in kinds beside those of an earlier commit: `npm run bench -- types --before <checkout>`.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mebibytes, median, shown } from '../harness/figures.ts';
import { table } from '../harness/markdown.ts';
import type { BenchOptions } from '../harness/options.ts';
import { build } from '../harness/prepare.ts';
import { type Compilation, compile } from './compile.ts';
import { type Cost, cells, costOf } from './import-cost.ts';
import { type Library, writeProject } from './projects.ts';

const workspace = resolve(import.meta.dirname, '../..');
const results = new URL('../results/types-before.md', import.meta.url);
const projectsFolder = resolve(workspace, '.kilter/bench/types');
const modules = ['kilter/k8s/apps/v1', 'kilter/k8s/core/v1', 'kilter/k8s/batch/v1', 'kilter/k8s/networking/v1'];

interface Side {
  readonly label: string;
  readonly checkout: string;
  readonly library: Library;
}

const commitOf = (checkout: string): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();

/** In turn, so that what disturbs the machine disturbs both alike; medians. */
async function compilations(sides: readonly Side[], rounds: number): Promise<string[][]> {
  const all = sides.map((side) => ({
    ...side,
    project: writeProject(projectsFolder, { ...side, form: 'none', custom: '' }),
    runs: [] as Compilation[],
  }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { project, runs } of all) runs.push(await compile(project.folder));
  }
  return all.map(({ label, runs, project }) => {
    const middle = (figure: (run: Compilation) => number): number => median(runs.map(figure));
    const seconds = middle(({ seconds: figure }) => figure);
    const [cpu, peak] = [middle((run) => run.cpu), mebibytes(middle((run) => run.peak))];
    const [types, files] = [middle((run) => run.types), middle((run) => run.files)];
    const figures = [shown(seconds, 's'), shown(cpu, 's'), shown(peak, 'MiB'), String(types), String(files)];
    return [label, String(project.kinds), ...figures];
  });
}

async function imports(sides: readonly Side[], times: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const what of ['empty-package/empty', ...modules]) {
    const costs: Cost[] = [];
    for (const { checkout } of sides) {
      const by = pathToFileURL(resolve(checkout, 'bench/types/probes/import.mjs'));
      costs.push(await costOf(what, { times, by }));
    }
    rows.push([what === 'empty-package/empty' ? 'an empty package' : what, ...costs.flatMap(cells)]);
  }
  return rows;
}

/** What is published of the kinds, in bytes: declarations, and the JavaScript that an image carries. */
function sizes({ checkout, label }: Side): string[] {
  const total = (pattern: string): number =>
    globSync(pattern, { cwd: checkout }).reduce((sum, file) => sum + statSync(resolve(checkout, file)).size, 0);
  const shownSize = (bytes: number): string => shown(bytes / 1024, 'KiB');
  return [
    label,
    shownSize(total('packages/kilter/dist/k8s/**/*.d.ts')),
    shownSize(total('packages/kilter/lib/k8s/**/*.js')),
  ];
}

export async function besideBefore(before: string, { smoke }: BenchOptions): Promise<void> {
  const checkout = resolve(before);
  build();
  build(checkout);
  mkdirSync(projectsFolder, { recursive: true });
  const then = { label: `before (${commitOf(checkout)})`, checkout, library: 'before' as const };
  const sides: Side[] = [then, { label: 'now', checkout: workspace, library: 'kilter' }];
  const checked = await compilations(sides, smoke ? 1 : 15);
  const imported = await imports(sides, smoke ? 3 : 25);
  const text = `# Built-in kinds before and after their comments and known values

Written by \`npm run bench -- types --before <checkout>\`: a checkout of the commit named below, its packages installed. Node ${process.versions.node}.

## Type checking

One \`tsc --noEmit\` of a project that uses every built-in kind of version v1: strict, \`skipLibCheck\`. Medians of ${smoke ? 1 : 15} runs in turn.

${table([['kilter', 'built-in kinds', 'time', 'CPU', 'memory', 'types', 'files'], ...checked])}

## Importing kinds

CPU and resident memory of one \`import()\` in a fresh process; medians of ${smoke ? 3 : 25}.

${table([['import', 'before: CPU', 'before: memory', 'now: CPU', 'now: memory'], ...imported])}

## Size

${table([['kilter', 'declarations of kinds', 'JavaScript of kinds'], ...sides.map(sizes)])}
`;
  console.log(text);
  if (!smoke) writeFileSync(results, text);
}
