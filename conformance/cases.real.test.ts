// Every case on a real control plane: the goldens are what it answers today.
import { findBinaries } from '@kilter/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cases } from './cases/index.ts';
import { examine, goldenOf, judge } from './src/judge.ts';
import { freshRun, realServers } from './src/real.ts';
import { details } from './src/report.ts';
import type { Servers } from './src/server.ts';

const { missing } = findBinaries();

describe.skipIf(missing !== undefined)(
  `on a real server${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let servers: Servers;
    beforeAll(async () => void (servers = await realServers()), 120_000);
    afterAll(() => servers?.[Symbol.asyncDispose](), 60_000);

    describe.concurrent('each case is answered as recorded', () => {
      for (const testCase of cases) {
        // Configurations of webhooks reach the server in its own time, and Go walks maps in any order: what differs is asked again, from
        // the beginning and under new names.
        test(`${testCase.id}`, { retry: 2 }, async () => {
          const verdict = judge(await examine(testCase, { ...servers, run: freshRun() }), goldenOf(testCase));
          expect(verdict.differences, details(verdict)).toEqual([]);
        });
      }
    });
  },
);
