// Measurements side by side with the peers: `npm run bench`, `npm run bench -- client`, `npm run bench -- --smoke`.
import { parseArgs } from 'node:util';
import { client } from './client/bench.ts';
import { loop } from './loop/bench.ts';
import type { Bench } from './harness/options.ts';
import { types } from './types/run.ts';

const benches: readonly Bench[] = [client, types, loop];

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { smoke: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const known = benches.map(({ name }) => name);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}; there are: ${known.join(', ')}`);
for (const bench of benches) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue;
  await bench.run({ smoke: values.smoke });
}
