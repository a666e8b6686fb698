import { findBinaries } from '@kilter/testing';
import { expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { realServers } from '../real.ts';
import { firstDifference } from './sequences.ts';

const { missing } = findBinaries();

test.skipIf(missing !== undefined)(
  `random sequences find nothing between the embedded server and a real one${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 300_000 },
  async () => {
    await using real = await realServers();
    await using embedded = embeddedServers();
    expect(await firstDifference(real, embedded, { runs: 100 })).toBeUndefined();
  },
);
