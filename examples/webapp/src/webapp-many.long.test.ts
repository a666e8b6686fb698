// A thousand WebApps, on virtual time and on a real control plane: many minutes, so its own command (npm run test:long).
import { findBinaries } from '@kilter/testing';
import { systemRuntime, virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { expectFewWrites, type ManyFigures } from './webapp-many.test-support.ts';

const count = 1000;
const tell = (where: string, figures: ManyFigures): void => console.log(`${count} WebApps, ${where}:`, figures);
const { missing } = findBinaries();

test('a thousand WebApps on the embedded server, ten virtual minutes at rest', async () => {
  const runtime = virtualRuntime();
  const pass = (ms: number): Promise<void> => runtime.clock.advance(ms);
  const figures = await expectFewWrites({ backend: 'embedded', runtime, count, pass, rest: 600_000 });
  tell('embedded server', figures);
  expect(figures.writesAtRest).toBe(0);
}, 900_000);

const told = missing === undefined ? '' : ` (skipped: ${missing})`;
test.skipIf(missing !== undefined)(
  `a thousand WebApps on a real control plane, two minutes at rest${told}`,
  async () => {
    const runtime = systemRuntime;
    const pass = (ms: number): Promise<void> => runtime.clock.sleep(ms);
    const rest = 120_000;
    const figures = await expectFewWrites({ backend: 'control-plane', runtime, count, pass, rest });
    tell('control plane', figures);
    expect(figures.writesAtRest).toBe(0);
  },
  1_800_000,
);
