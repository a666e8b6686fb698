import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedTableServer } from './embedded-server.test-support.ts';
import { caseMismatches, definitionMismatches, install, servable } from './served.test-support.ts';
import { table } from './table.test-support.ts';

describe('the table of definitions, judged by the embedded server', () => {
  const server = embeddedTableServer();
  const rows = servable(table);
  // Some hundred definitions: more than a hook is given elsewhere.
  beforeAll(() => install(rows, server), 120_000);
  afterAll(() => server[Symbol.asyncDispose]());

  for (const served of rows) {
    const { row, libraries } = served;
    test(`${row.shows}: ${row.title} (${libraries})`, async () => {
      expect(definitionMismatches(served)).toEqual([]);
      if (row.refusedLater === undefined) expect(await caseMismatches(served, server)).toEqual([]);
    });
  }
});
