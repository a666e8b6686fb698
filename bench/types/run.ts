// Type checking with all built-in kinds and ten custom resources, and the price of importing kinds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { mebibytes, median, shown } from '../harness/figures.ts';
import { checkLimits, type Limit } from '../harness/limits.ts';
import { table } from '../harness/markdown.ts';
import type { Bench, BenchOptions } from '../harness/options.ts';
import { build, installPeers } from '../harness/prepare.ts';
import { type Compilation, compile } from './compile.ts';
import { customCount, customResources } from './custom-resources.ts';
import { besideBefore } from './before.ts';
import { importCost } from './import-cost.ts';
import { type Project, type Library, writeProject } from './projects.ts';

const results = new URL('../results/types.md', import.meta.url);
const projectsFolder = resolve(import.meta.dirname, '../../.kilter/bench/types');

const labels: Readonly<Record<Library, string>> = {
  kilter: 'kilter',
  bare: 'kilter without comments and known values',
  before: 'kilter before',
  'client-node': '@kubernetes/client-node 2.0.1',
  models: 'kubernetes-models 5.1.0',
};

interface Row {
  readonly library: Library;
  readonly form: string;
  readonly project: Project;
  readonly seconds: number;
  readonly cpu: number;
  readonly peak: number;
  readonly files: number;
}

function projects(): { library: Library; form: string; project: Project }[] {
  return Object.entries(customResources).flatMap(([form, libraries]) =>
    (Object.entries(libraries) as [Library, string][]).map(([library, custom]) => ({
      library,
      form,
      project: writeProject(projectsFolder, { library, form, custom }),
    })),
  );
}

/** Round by round, so that what disturbs the machine disturbs every project alike; medians. */
async function measure({ smoke }: BenchOptions): Promise<Row[]> {
  const all = projects();
  const runs = new Map<Project, Compilation[]>(all.map(({ project }) => [project, []]));
  for (let round = 0; round < (smoke ? 1 : 15); round += 1) {
    for (const { project } of all) runs.get(project)?.push(await compile(project.folder));
  }
  return all.map((one) => {
    const mine = runs.get(one.project) ?? [];
    const middle = (figure: (run: Compilation) => number): number => median(mine.map(figure));
    return {
      ...one,
      seconds: middle(({ seconds }) => seconds),
      cpu: middle(({ cpu }) => cpu),
      peak: middle(({ peak }) => peak),
      files: middle(({ files }) => files),
    };
  });
}

const words: Readonly<Record<string, string>> = {
  none: 'none',
  'by hand': `${customCount}, types by hand, no schema`,
  'by schema': `${customCount}, types inferred from a zod schema`,
  class: `${customCount}, \`class … extends customResource\` with a zod schema`,
  const: `${customCount}, \`const … = customResource\` with a zod schema`,
};

function rowCells({ library, form, project, seconds, cpu, peak, files }: Row): string[] {
  const figures = [shown(seconds, 's'), shown(cpu, 's'), shown(mebibytes(peak), 'MiB'), String(files)];
  return [labels[library], String(project.kinds), words[form] ?? form, ...figures];
}

const isOurs = (library: Library): boolean => ['kilter', 'bare', 'before'].includes(library);

interface Comparison {
  readonly what: string;
  /** The form of Kilter's project, and that of the peers. */
  readonly ours: string;
  readonly theirs: string;
}

/** Compares one form of Kilter with the better peer of another form. */
function atLeastLevel(rows: readonly Row[], { what, ours, theirs }: Comparison): Limit[] {
  const mine = rows.find(({ library, form }) => library === 'kilter' && form === ours);
  const peers = rows.filter(({ library, form }) => !isOurs(library) && form === theirs);
  if (mine === undefined || peers.length === 0) throw new Error(`nothing was measured for ${what}`);
  const limit = (unit: string, figure: (row: Row) => number): Limit => {
    const best = Math.min(...peers.map(figure));
    const text = `${shown(figure(mine), unit)}, the better of the others ${shown(best, unit)}`;
    return {
      what: `${what}, ${unit === 's' ? 'CPU' : 'memory'}`,
      held: figure(mine) <= best,
      figure: text,
      timed: true,
    };
  };
  return [limit('s', ({ cpu }) => cpu), limit('MiB', ({ peak }) => mebibytes(peak))];
}

const comparisons: readonly Comparison[] = [
  { what: 'all built-in kinds', ours: 'none', theirs: 'none' },
  { what: 'with custom resources that have schemas', ours: 'class', theirs: 'by schema' },
  { what: 'with custom resources, those of the others without schemas', ours: 'const', theirs: 'by hand' },
];

/** What is not promised, said beside what is: a class with its schema against interfaces that have none. */
function classBesideHand(rows: readonly Row[]): string {
  const ours = rows.find(({ library, form }) => library === 'kilter' && form === 'class');
  const theirs = rows.filter(({ form }) => form === 'by hand');
  if (ours === undefined) return '';
  const times = (figure: (row: Row) => number): string => (figure(ours) / Math.min(...theirs.map(figure))).toFixed(2);
  const cpu = times((row) => row.cpu);
  const memory = times((row) => row.peak);
  return `The class form, schemas included, takes ${cpu} times the CPU and ${memory} times the memory of the better peer with types by hand and no
schema: the compiler checks the expression after \`extends\` several times. No limit is set on that pair; the limits compare the
class form with peers that infer from schemas too, and the const form with types by hand.`;
}

/** How much comments and known values may add to type checking: they are read by people, and the compiler skips them. */
const mostAdded = 1.25;

interface Added {
  readonly text: string;
  readonly limits: readonly Limit[];
}

function addedByComments(rows: readonly Row[]): Added {
  const full = rows.find(({ library, form }) => library === 'kilter' && form === 'none');
  const bare = rows.find(({ library, form }) => library === 'bare' && form === 'none');
  if (full === undefined || bare === undefined) throw new Error('nothing was measured for comments');
  const milliseconds = (full.cpu - bare.cpu) * 1000;
  const memory = mebibytes(full.peak - bare.peak);
  const text = `Comments on every member and known values as unions add ${shown(milliseconds, 'ms')} of CPU and ${shown(memory, 'MiB')} to checking all built-in kinds
(the first two rows: the same declarations with and without them). Both are gone from the JavaScript, so that imports are what they
were.`;
  const limit: Limit = {
    what: `comments and known values cost at most ${Math.round((mostAdded - 1) * 100)} % of CPU`,
    held: full.cpu <= bare.cpu * mostAdded,
    figure: `${shown(full.cpu, 's')} beside ${shown(bare.cpu, 's')}`,
    timed: true,
  };
  return { text, limits: [limit] };
}

function page(rows: readonly Row[], imports: Awaited<ReturnType<typeof importCost>>): string {
  const busy =
    (loadavg()[1] ?? 0) > 2 * availableParallelism() ? ', busy with other work: CPU can be compared, time cannot' : '';
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}${busy}`;
  const head = ['library', 'built-in kinds', 'custom resources', 'time', 'CPU', 'memory', 'files'];
  return `# Types beside the peers

Written by \`npm run bench -- types\`. Machine: ${machine}.

## Type checking

One \`tsc --noEmit\` of a project that uses every built-in kind of version v1 and ${customCount} custom resources: strict, \`skipLibCheck\`,
declaration files as published. Medians of runs in turn; time as the compiler says, CPU of its process, the largest resident memory.

${table([head, ...rows.map(rowCells)])}

${addedByComments(rows).text}

${classBesideHand(rows)}

## Importing kinds

${imports.how}

${table(imports.rows)}
`;
}

async function run(options: BenchOptions): Promise<void> {
  if (options.before !== undefined) return besideBefore(options.before, options);
  installPeers();
  build();
  mkdirSync(projectsFolder, { recursive: true });
  const rows = await measure(options);
  const imports = await importCost(options);
  const text = page(rows, imports);
  console.log(text);
  if (!options.smoke) writeFileSync(results, text);
  const level = comparisons.flatMap((comparison) => atLeastLevel(rows, comparison));
  checkLimits([...level, ...addedByComments(rows).limits, ...imports.limits], options);
}

export const types: Bench = { name: 'types', run };
