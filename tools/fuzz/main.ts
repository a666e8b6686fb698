// npm run fuzz: mutated input to everything in the runtime that reads what others wrote.
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const usage = `npm run fuzz                     100,000 mutated inputs to each parser, drawn with seed 1
  -- --seed 7                    other ones; the same seed draws the same ones
  -- --count 1000000             more of them
  -- --only objects,yaml         some parsers: ${targets.map(({ name }) => name).join(', ')}`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100000' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function wanted(): typeof targets {
  const names = values.only?.split(',') ?? targets.map(({ name }) => name);
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`unknown parser: ${unknown.join(', ')}\n${usage}`);
  return targets.filter(({ name }) => names.includes(name));
}

function run(): void {
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!Number.isInteger(seed) || !Number.isInteger(count) || count < 1) throw new Error(usage);
  for (const target of wanted()) {
    const start = performance.now();
    const findings = fuzz(target, { seed, count });
    const took = (performance.now() - start) / 1000;
    console.log(
      `${target.name.padEnd(16)} ${findings.length === 0 ? `${count} inputs, ${took.toFixed(1)} s` : 'FAILED'}`,
    );
    for (const { problem, input } of findings)
      console.log(`  ${problem.slice(0, 300)}\n    input (base64): ${input.slice(0, 2000)}`);
    if (findings.length > 0) process.exitCode = 1;
  }
}

if (values.help) console.log(usage);
else run();
