// Minutes pass here in a moment: only the embedded server lets a test move its time. A thousand of them: `webapp-many.long.test.ts`.
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { expectFewWrites } from './webapp-many.test-support.ts';

test('a hundred WebApps converge, rest without a write for ten minutes, and cost three writes each when all are scaled', async () => {
  const runtime = virtualRuntime();
  const pass = (ms: number): Promise<void> => runtime.clock.advance(ms);
  const figures = await expectFewWrites({ backend: 'embedded', runtime, count: 100, pass, rest: 600_000 });
  expect(figures.writesAtRest).toBe(0);
}, 120_000);
