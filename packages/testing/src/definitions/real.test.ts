// Runs where KILTER_REAL_SERVER and KILTER_REAL_TOKEN name a throw-away kube-apiserver of the version the contracts speak of.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realServer } from './real-server.test-support.ts';
import { caseMismatches, definitionMismatches, install, servable, uninstall } from './served.test-support.ts';
import { table } from './table.test-support.ts';

const { KILTER_REAL_SERVER: url, KILTER_REAL_TOKEN: token } = process.env;
const isThere = url !== undefined && token !== undefined;
const minutes = 60_000;

describe.skipIf(!isThere)(
  `the table of definitions, judged by a real server${isThere ? '' : ' (skipped: KILTER_REAL_SERVER and KILTER_REAL_TOKEN are not set)'}`,
  () => {
    const server = realServer({ url: url ?? 'https://localhost', token: token ?? '', settle: () => sleep(500) });
    const rows = isThere ? servable(table) : [];
    beforeAll(async () => {
      await uninstall(rows, server);
      await install(rows, server);
    }, 5 * minutes);
    afterAll(async () => {
      await uninstall(rows, server);
      server.close();
    }, 5 * minutes);

    for (const served of rows) {
      const { row, libraries } = served;
      test(`${row.shows}: ${row.title} (${libraries})`, async () => {
        expect(definitionMismatches(served)).toEqual([]);
        if (row.refusedLater === undefined) expect(await caseMismatches(served, server)).toEqual([]);
      });
    }
    // A suite of no tests would be an error where there is no server.
    test('the table is not empty', () => expect(table.length).toBeGreaterThan(80));
  },
);
