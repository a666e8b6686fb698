import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { make } from '../certificates/unusual.test-support.ts';
import { askKilter, lay } from './kubeconfigs/run.test-support.ts';
import { material, rows, table } from './kubeconfigs/table.test-support.ts';
import { type KubeconfigWorld, openKubeconfigWorld } from './kubeconfigs/world.test-support.ts';

const { servers, words } = material(make, Date.now());
let folder = '';
let world: KubeconfigWorld;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kilter-kubeconfigs-'));
  world = await openKubeconfigWorld(servers);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('a row that differs says why, and no two are called the same', () => {
  for (const { kilter, because } of rows) expect(kilter === undefined).toBe(because === undefined);
  expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
});

describe('a kubeconfig is read as kubectl reads it', () => {
  test.each(table)('TR-14: %s', async (_, row, id) => {
    const laid = await lay(row, { ...words, ...world.words }, { folder, id });
    const { outcome, said } = await askKilter(laid, world.arrivals);
    expect(outcome, said).toEqual(row.kilter ?? row.kubectl);
    if (row.says !== undefined) expect(said).toMatch(row.says);
  });
});
