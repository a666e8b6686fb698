// Commands of kubectl on the embedded server, beside what a real one gave: needs kubectl, and no other part of a control plane.
import { findBinaries } from '@kilter/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KubectlRuns } from './kubectl/run.ts';
import { scenarios } from './kubectl/scenarios.ts';
import { embeddedServer, type Served } from './kubectl/servers.ts';
import { judge, readDifferences, readGoldens, surprises } from './kubectl/verdict.ts';

const { binaries, missing } = findBinaries();
const absent = binaries?.kubectl === undefined;

describe.skipIf(absent)(`kubectl${absent ? ` (skipped: ${missing ?? 'there is none'})` : ''}`, () => {
  let served: Served;
  let runs: KubectlRuns;
  beforeAll(async () => {
    served = await embeddedServer();
    runs = new KubectlRuns(served.target);
  });
  afterAll(async () => {
    runs?.[Symbol.dispose]();
    await served?.[Symbol.asyncDispose]();
  });

  test('at least a hundred commands are compared', () => {
    expect(Object.values(readGoldens().scenarios).flat().length).toBeGreaterThanOrEqual(100);
  });

  for (const scenario of scenarios) {
    const known = readDifferences().filter((one) => one.scenario === scenario.id);
    test(`${scenario.id}: ${scenario.commands.length} commands, ${known.length} known to differ`, async () => {
      const verdicts = judge(scenario.id, readGoldens().scenarios[scenario.id], await runs.run(scenario));
      expect(surprises(verdicts, known)).toEqual([]);
    });
  }
});
