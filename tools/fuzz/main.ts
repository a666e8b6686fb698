// npm run fuzz: mutated input to everything in the runtime that reads what others wrote, and mutated requests to the embedded server.
import { commandLine } from '../command-line.ts';
import { type Finding, fuzz, type Target } from './fuzz.ts';
import { fuzzRequests } from './requests.ts';
import { type RequestTarget, requestTargets } from './request-targets.ts';
import { targets } from './targets.ts';

const all: readonly (Target | RequestTarget)[] = [...targets, ...requestTargets];

const usage = `npm run fuzz                     sends 100,000 mutated inputs to each parser, drawn with seed 1
  -- --seed 7                    draws others; the same seed draws the same inputs
  -- --count 1000000             draws more of them
  -- --only objects,yaml         only some parsers: ${targets.map(({ name }) => name).join(', ')};
                                 of the embedded server: ${requestTargets.map(({ name }) => name).join(', ')}`;

const { values } = commandLine({
  usage,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    only: { type: 'string' },
  },
});

function wanted(): typeof all {
  const names = values.only?.split(',') ?? all.map(({ name }) => name);
  const unknown = names.filter((name) => !all.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`unknown parser: ${unknown.join(', ')}\n${usage}`);
  return all.filter(({ name }) => names.includes(name));
}

const findingsIn = (target: Target | RequestTarget, options: { seed: number; count: number }): Promise<Finding[]> =>
  'request' in target ? fuzzRequests(target, options) : Promise.resolve(fuzz(target, options));

async function run(): Promise<void> {
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1) throw new Error(usage);
  for (const target of wanted()) {
    const start = performance.now();
    const findings = await findingsIn(target, { seed, count });
    const took = (performance.now() - start) / 1000;
    console.log(
      `${target.name.padEnd(24)} ${findings.length === 0 ? `${count} inputs, ${took.toFixed(1)} s` : 'FAILED'}`,
    );
    for (const { problem, input } of findings)
      console.log(`  ${problem.slice(0, 300)}\n    input (base64): ${input.slice(0, 2000)}`);
    if (findings.length > 0) process.exitCode = 1;
  }
}

await run();
