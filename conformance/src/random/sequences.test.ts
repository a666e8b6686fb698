import { type EmbeddedServer, findBinaries } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { realServers } from '../real.ts';
import { firstDifference } from './sequences.ts';

const { missing } = findBinaries();
const minutes = 60_000;

describe('random sequences', () => {
  test(
    'find nothing between two servers that are alike',
    async () => {
      await using one = embeddedServers();
      await using other = embeddedServers();
      expect(await firstDifference(one, other, { runs: 20, seed: 1 })).toBeUndefined();
    },
    minutes,
  );

  test(
    'find a server that is broken, and show the shortest sequence',
    async () => {
      const broken = ({ api }: EmbeddedServer): void => {
        api.fail({ verb: 'update', kind: 'ConfigMap', fault: { type: 'status', code: 503 } });
      };
      await using one = embeddedServers();
      await using other = embeddedServers(broken);
      const report = await firstDifference(one, other, { runs: 100, seed: 1 });
      expect(report).toMatch(/shrunk \d+ times to 1 requests:\n.*"method":"PUT".*configmaps/);
      expect(report).toContain('step0.status');
    },
    minutes,
  );

  test.skipIf(missing !== undefined)(
    `find nothing between the embedded server and a real one${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    async () => {
      await using real = await realServers();
      await using embedded = embeddedServers();
      expect(await firstDifference(real, embedded, { runs: 100 })).toBeUndefined();
    },
    5 * minutes,
  );
});
