// npm run conformance:outside: published vectors, fetched now, through the embedded server and, where it is installed, the real one.
import { apiServer, controlPlane, findBinaries } from '@kilter/testing';
import { commandLine } from '../../tools/command-line.ts';
import { apimachinery } from './apimachinery.ts';
import { type Ask, asking, prepare } from './asking.ts';
import { materials, runMaterials } from './materials.ts';
import { patches } from './patches.ts';
import { strategic } from './strategic.ts';
import { structured } from './structured.ts';
import type { Suite, Vector } from './vector.ts';

const suites: readonly Suite[] = [...patches, strategic, structured, ...apimachinery];

const usage = `npm run conformance:outside      runs every suite of vectors: ${suites.map(({ name }) => name).join(', ')}
  -- labels json-patch           runs only these suites
  -- client-go kwok              runs programs and samples, which must be named: ${Object.keys(materials).join(', ')}
  -- protobuf-fuzz --seed 7 --count 1000
  -- e2e --focus Watchers        only Kubernetes tests whose names contain this text
  -- --embedded                  without the real server
  -- --details                   lists every vector that fails`;

const { values, positionals } = commandLine({
  usage,
  options: {
    embedded: { type: 'boolean', default: false },
    details: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    focus: { type: 'string', default: '' },
  },
  words: true,
});

interface Counted {
  readonly passed: Set<number>;
  readonly failures: string[];
}

async function run(ask: Ask, vectors: readonly Vector[]): Promise<Counted> {
  const counted: Counted = { passed: new Set(), failures: [] };
  for (const [index, vector] of vectors.entries()) {
    let problem: string | undefined;
    try {
      problem = await vector.judge(ask, index);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (problem === undefined) counted.passed.add(index);
    else counted.failures.push(`  ${vector.name}: ${problem}`);
  }
  return counted;
}

async function main(): Promise<number> {
  const known = [...suites.map(({ name }) => name), ...Object.keys(materials)];
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const named = positionals.filter((name) => name in materials);
  const { seed, count, focus } = values;
  const others = await runMaterials(named, { seed: Number(seed), count: Number(count), focus });
  if (named.length > 0 && named.length === positionals.length) return others;
  return others + (await vectors());
}

async function vectors(): Promise<number> {
  const chosen = suites.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  await using embedded = apiServer({ users: { outside: { name: 'outside', groups: ['system:masters'] } } });
  const { url, ca } = await embedded.listen();
  const ours = asking({ url, ca, token: 'outside' });
  const { missing } = findBinaries();
  await using plane = values.embedded || missing !== undefined ? undefined : await controlPlane();
  const theirs = plane && asking(plane);
  for (const ask of [ours, theirs]) if (ask !== undefined) await prepare(ask);
  let worse = 0;
  for (const { name, pure, vectors } of chosen) {
    const all = vectors();
    const mine = await run(ours, all);
    const real = pure === true || theirs === undefined ? undefined : await run(theirs, all);
    const count = (counted: Counted | undefined): string =>
      counted === undefined ? 'not run' : `${counted.passed.size} of ${all.length}`;
    console.log(
      `${name}: embedded ${count(mine)}, real ${pure === true ? 'is what they were published for' : count(real)}`,
    );
    const lost = all.filter((_, index) => !mine.passed.has(index) && (real?.passed.has(index) ?? true));
    worse += lost.length;
    if (values.details)
      console.log([...mine.failures, ...(real?.failures ?? []).map((line) => `${line} (real)`)].join('\n'));
    else for (const { name: vector } of lost) console.log(`  fails here only: ${vector}`);
  }
  if (missing !== undefined) console.log(`the real server was not run: ${missing}`);
  return worse;
}

process.exitCode = (await main()) > 0 ? 1 : 0;
