import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedTableServer } from './embedded-server.test-support.ts';
import { grid } from './grid.test-support.ts';
import { caseMismatches, definitionMismatches, install, servable } from './served.test-support.ts';

describe('schemas crossed with values: validate and the embedded server agree', () => {
  const server = embeddedTableServer();
  const rows = servable(grid());
  beforeAll(() => install(rows, server), 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(rows.map((served) => [served.row.title, served] as const))('CRD-A1: %s', async (_, served) => {
    expect(definitionMismatches(served)).toEqual([]);
    expect(await caseMismatches(served, server)).toEqual([]);
  });

  test('there are as many as there should be', () => {
    expect(rows.length).toBeGreaterThanOrEqual(133);
    expect(rows.flatMap(({ row }) => row.cases).length).toBeGreaterThanOrEqual(4000);
  });
});
