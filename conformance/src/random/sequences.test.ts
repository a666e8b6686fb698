import type { ApiServer } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { firstDifference, firstDifferenceOfAdmission, firstDifferenceOfRights } from './sequences.ts';

const minutes = 180_000;

describe('random sequences', () => {
  test(
    'find nothing between two servers that are alike',
    async () => {
      await using one = embeddedServers();
      await using other = embeddedServers();
      expect(await firstDifference(one, other, { runs: 20, seed: 1, lanes: 2 })).toBeUndefined();
    },
    minutes,
  );

  test(
    'find nothing where webhooks, policies and quotas have a say, and a server that does not ask them',
    async () => {
      await using one = embeddedServers();
      await using other = embeddedServers();
      expect(await firstDifferenceOfAdmission(one, other, { runs: 6, seed: 1 })).toBeUndefined();
      const broken = (server: ApiServer): void => {
        server.fail({ verb: 'update', kind: 'ResourceQuota', fault: { type: 'status', code: 503 } });
      };
      await using bad = embeddedServers(broken);
      await expect(firstDifferenceOfAdmission(one, bad, { runs: 20, seed: 1 })).resolves.toContain('quota');
    },
    minutes,
  );

  test(
    'find nothing in the rights of two servers that are alike, and what differs between two that are not',
    async () => {
      await using one = embeddedServers();
      await using other = embeddedServers();
      expect(await firstDifferenceOfRights(one, other, { runs: 4, seed: 1 })).toBeUndefined();
      const broken = (server: ApiServer): void => {
        server.fail({ verb: 'create', kind: 'SelfSubjectRulesReview', fault: { type: 'status', code: 503 } });
      };
      await using bad = embeddedServers(broken);
      const report = await firstDifferenceOfRights(one, bad, { runs: 50, seed: 1 });
      expect(report).toMatch(/shrunk \d+ times[^]*selfsubjectrulesreviews[^]*ask\d\.status/);
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
      expect(report).toMatch(/shrunk \d+ times to 2 requests:[^]*"method":"PUT".*configmaps/);
      expect(report).toContain('step0.status');
    },
    minutes,
  );
});
