import type { ApiServer } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { firstDifference } from './sequences.ts';

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
      const broken = (server: ApiServer): void => {
        server.fail({ verb: 'update', kind: 'ConfigMap', fault: { type: 'status', code: 503 } });
      };
      await using one = embeddedServers();
      await using other = embeddedServers(broken);
      const report = await firstDifference(one, other, { runs: 100, seed: 1 });
      expect(report).toMatch(/shrunk \d+ times to 1 requests:\n.*"method":"PUT".*configmaps/);
      expect(report).toContain('step0.status');
    },
    minutes,
  );
});
