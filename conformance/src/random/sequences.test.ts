import type { ApiServer } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { embeddedServers } from '../embedded.ts';
import { admitted, encoded, granted, plain } from './experiments.ts';
import { type Found, look } from './sequences.ts';

const minutes = 180_000;

const withoutUpdates = (server: ApiServer): void => {
  server.fail({ verb: 'update', kind: 'ConfigMap', fault: { type: 'status', code: 503 } });
};

const reports = async (found: Promise<Found>): Promise<string> => (await found).reports.join('\n');

describe('random sequences', () => {
  test(
    'find nothing between two servers that are alike',
    async () => {
      await using real = embeddedServers();
      await using embedded = embeddedServers();
      const nothing = { wavering: 0, differing: 0, reports: [] };
      const lanes = { runs: 20, seed: 1, lanes: 2 };
      expect(await look(plain, { real, embedded }, lanes)).toEqual({ alike: 20, ...nothing });
      expect(await look(encoded, { real, embedded }, { runs: 6, seed: 1 })).toEqual({ alike: 6, ...nothing });
    },
    minutes,
  );

  test(
    'find nothing where webhooks, policies and quotas have a say, and a server that does not ask them',
    async () => {
      await using real = embeddedServers();
      await using embedded = embeddedServers();
      expect(await reports(look(admitted, { real, embedded }, { runs: 6, seed: 1 }))).toBe('');
      const broken = (server: ApiServer): void => {
        server.fail({ verb: 'update', kind: 'ResourceQuota', fault: { type: 'status', code: 503 } });
      };
      await using bad = embeddedServers(broken);
      expect(await reports(look(admitted, { real, embedded: bad }, { runs: 20, seed: 1 }))).toContain('quota');
    },
    minutes,
  );

  test(
    'find nothing in the rights of two servers that are alike, and what differs between two that are not',
    async () => {
      await using real = embeddedServers();
      await using embedded = embeddedServers();
      expect(await reports(look(granted, { real, embedded }, { runs: 4, seed: 1 }))).toBe('');
      const broken = (server: ApiServer): void => {
        server.fail({ verb: 'create', kind: 'SelfSubjectRulesReview', fault: { type: 'status', code: 503 } });
      };
      await using bad = embeddedServers(broken);
      const report = await reports(look(granted, { real, embedded: bad }, { runs: 50, seed: 1 }));
      expect(report).toMatch(/shrunk \d+ times[^]*selfsubjectrulesreviews[^]*ask\d\.status/);
    },
    minutes,
  );

  test(
    'find a server that is broken, and show the shortest sequence',
    async () => {
      await using real = embeddedServers();
      await using embedded = embeddedServers(withoutUpdates);
      const report = await reports(look(plain, { real, embedded }, { runs: 100, seed: 1 }));
      expect(report).toMatch(/shrunk \d+ times to 2 requests:[^]*"method":"PUT".*configmaps/);
      expect(report).toContain('step0.status');
    },
    minutes,
  );

  test(
    'go on after a difference where all are asked for, and tell each shape once',
    async () => {
      const broken = (server: ApiServer): void => {
        withoutUpdates(server);
        server.fail({ verb: 'list', kind: 'ConfigMap', fault: { type: 'status', code: 503 } });
      };
      await using real = embeddedServers();
      await using embedded = embeddedServers(broken);
      const found = await look(encoded, { real, embedded }, { runs: 40, seed: 1, all: true });
      for (const method of ['PUT', 'GET']) expect(found.reports.join('\n')).toContain(`"method":"${method}"`);
      expect(found.differing).toBeGreaterThan(found.reports.length);
      expect(found.alike + found.differing).toBe(40);
    },
    minutes,
  );
});
