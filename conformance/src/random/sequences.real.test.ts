import { findBinaries } from '@kilter/testing';
import { expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { realServers } from '../real.ts';
import { admitted, encoded, granted, plain } from './experiments.ts';
import { look } from './sequences.ts';

const { missing } = findBinaries();

test.skipIf(missing !== undefined)(
  `random sequences find nothing between the embedded server and a real one${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 300_000 },
  async () => {
    await using real = await realServers();
    await using embedded = embeddedServers();
    // The same ones each time: others are looked for by `npm run conformance -- --random`.
    const servers = { real, embedded };
    expect((await look(plain, servers, { runs: 100, seed: 1 })).reports).toEqual([]);
    expect((await look(admitted, servers, { runs: 50, seed: 31 })).reports).toEqual([]);
    expect((await look(granted, servers, { runs: 50, seed: 1 })).reports).toEqual([]);
    expect((await look(encoded, servers, { runs: 50, seed: 1 })).reports).toEqual([]);
  },
);
