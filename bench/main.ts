// Measurements side by side with the peers: `npm run bench`, `npm run bench -- client`, `npm run bench -- --smoke`,
// `npm run bench -- --only sync,burst-pods`.
import { parseArgs } from 'node:util';
import { apiserver } from './apiserver/bench.ts';
import { cached } from './cached/bench.ts';
import { client } from './client/bench.ts';
import { compare, scenarios } from './compare/bench.ts';
import { published } from './compare/published.ts';
import { loop } from './loop/bench.ts';
import type { Bench } from './harness/options.ts';
import { types } from './types/run.ts';

const benches: readonly Bench[] = [compare, client, types, loop, apiserver, cached, published];

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    before: { type: 'string' },
  },
  allowPositionals: true,
});
const known = benches.map(({ name }) => name);
const given = [...positionals, ...values.only.split(',').filter((name) => name !== '')];
const chosen = given.filter((name) => known.includes(name));
const only = given.filter((name) => !known.includes(name));
const unknown = only.filter((name) => !scenarios.some((scenario) => scenario.name.startsWith(name)));
if (unknown.length > 0) {
  const names = scenarios.map(({ name }) => name).join(', ');
  throw new Error(
    `no bench and no scenario is called ${unknown.join(', ')}; there are the benches ${known.join(', ')} and the scenarios ${names}`,
  );
}
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number from 1 on, not ${values.rounds}`);
for (const bench of benches) {
  const asked = given.length === 0 || chosen.includes(bench.name) || (bench === compare && only.length > 0);
  if (asked)
    await bench.run({
      smoke: values.smoke,
      only,
      rounds,
      ...(values.before !== undefined && { before: values.before }),
    });
}
