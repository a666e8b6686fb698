// A sample of what `npm run test:long` shows with a thousand.
import { findBinaries } from '@kilter/testing';
import { systemRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { expectFewWrites } from './webapp-many.test-support.ts';

const { missing } = findBinaries();
const told = missing === undefined ? '' : ` (skipped: ${missing})`;

test.skipIf(missing !== undefined)(
  `thirty WebApps on a real control plane, twenty seconds at rest${told}`,
  async () => {
    const runtime = systemRuntime;
    const pass = (ms: number): Promise<void> => runtime.clock.sleep(ms);
    const many = { count: 30, rest: 20_000 };
    const figures = await expectFewWrites({ backend: 'control-plane', runtime, pass, ...many });
    expect(figures.writesAtRest).toBe(0);
  },
  600_000,
);
