import { findBinaries } from '@kilter/testing';
import { expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { realServers } from '../real.ts';
import { firstDifference, firstDifferenceOfAdmission, firstDifferenceOfRights } from './sequences.ts';

const { missing } = findBinaries();

test.skipIf(missing !== undefined)(
  `random sequences find nothing between the embedded server and a real one${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 300_000 },
  async () => {
    await using real = await realServers();
    await using embedded = embeddedServers();
    // The same ones each time: others are looked for by `npm run conformance -- --random`.
    expect(await firstDifference(real, embedded, { runs: 100, seed: 1 })).toBeUndefined();
    expect(await firstDifferenceOfAdmission(real, embedded, { runs: 50, seed: 31 })).toBeUndefined();
    expect(await firstDifferenceOfRights(real, embedded, { runs: 50, seed: 1 })).toBeUndefined();
  },
);
