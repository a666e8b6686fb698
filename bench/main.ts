// Measurements side by side with the peers.
import { commandLine } from '../tools/command-line.ts';
import { apiserver } from './apiserver/bench.ts';
import { cached } from './cached/bench.ts';
import { client } from './client/bench.ts';
import { compare, scenarios } from './compare/bench.ts';
import { published } from './compare/published.ts';
import { loop } from './loop/bench.ts';
import type { Bench } from './harness/options.ts';
import { types } from './types/run.ts';

const benches: readonly Bench[] = [compare, client, types, loop, apiserver, cached, published];

const known = benches.map(({ name }) => name);
const names = scenarios.map(({ name }) => name).join(', ');
const usage = `npm run bench                    runs every bench: ${known.join(', ')}
  -- client                      runs one of them
  -- --only sync-pods,burst      runs the scenarios of compare whose names begin like this: ${names}
  -- --rounds 3                  takes fewer rounds than five
  -- --smoke                     uses small counts and writes nothing
  -- types --before CHECKOUT     compares the built-in kinds with those of an earlier commit
bench/README.md says what each measures.`;

const { values, positionals } = commandLine({
  usage,
  options: {
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    before: { type: 'string' },
  },
  words: true,
});
const given = [...positionals, ...values.only.split(',').filter((name) => name !== '')];
const chosen = given.filter((name) => known.includes(name));
const only = given.filter((name) => !known.includes(name));
const unknown = only.filter((name) => !scenarios.some((scenario) => scenario.name.startsWith(name)));
if (unknown.length > 0)
  throw new Error(`no bench and no scenario is called ${unknown.join(', ')}; there are:\n${usage}`);
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1)
  throw new Error(`--rounds takes a whole number of at least 1, not ${values.rounds}`);
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
