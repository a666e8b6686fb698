// The same table as the embedded server's, judged by the server whose verdicts it states.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { type ControlPlane, controlPlane } from '../src/controlplane/index.ts';
import { realTableServer } from './real-server.test-support.ts';
import { caseMismatches, definitionMismatches, install, servable, type Server } from './served.test-support.ts';
import { table } from './table.test-support.ts';

const isThere = realServer.binaries !== undefined;
const minutes = 60_000;

describe.skipIf(!isThere)(`the table of definitions, judged by a real server (${realServer.reason})`, () => {
  let plane: ControlPlane;
  let server: Server & { close(): void };
  const rows = isThere ? servable(table) : [];
  beforeAll(async () => {
    plane = await controlPlane();
    server = realTableServer({ url: plane.url, ca: plane.ca, token: plane.token, settle: () => sleep(500) });
    await install(rows, server);
  }, 5 * minutes);
  afterAll(async () => {
    server?.close();
    await plane?.stop();
  }, minutes);

  for (const served of rows) {
    const { row, libraries } = served;
    test(`${row.shows}: ${row.title} (${libraries})`, async () => {
      expect(definitionMismatches(served)).toEqual([]);
      if (row.refusedLater === undefined) expect(await caseMismatches(served, server)).toEqual([]);
    });
  }
  // A suite of no tests would be an error where there is no server.
  test('the table is not empty', () => expect(table.length).toBeGreaterThan(80));
});
