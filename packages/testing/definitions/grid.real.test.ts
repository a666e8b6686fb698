// Schemas crossed with values: what `validate` says of each is what a real server says.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { type ControlPlane, controlPlane } from '../src/controlplane/index.ts';
import { grid } from './grid.test-support.ts';
import { realTableServer } from './real-server.test-support.ts';
import { caseMismatches, definitionMismatches, install, servable, type Server } from './served.test-support.ts';

const isThere = realServer.binaries !== undefined;
const minutes = 60_000;

describe.skipIf(!isThere)(`schemas crossed with values, judged by a real server (${realServer.reason})`, () => {
  let plane: ControlPlane;
  let server: Server & { close(): void };
  const rows = isThere ? servable(grid()) : [];
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
    test(`CRD-A1: ${served.row.title}`, async () => {
      expect(definitionMismatches(served)).toEqual([]);
      expect(await caseMismatches(served, server)).toEqual([]);
    });
  }
  // A suite of no tests would be an error where there is no server.
  test('the grid is not empty', () => expect(isThere ? rows.length : 133).toBeGreaterThanOrEqual(133));
});
