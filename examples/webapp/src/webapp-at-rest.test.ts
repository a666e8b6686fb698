// Ten minutes pass here in a moment: only the embedded server lets a test move its time.
import { cluster } from '@kilter/testing';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

const isReady = (app: WebApp) =>
  app.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
const writes = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));

test('a WebApp is left alone at rest: no write but lease renewals in ten minutes, the 30 s requeue included', async () => {
  const runtime = virtualRuntime();
  const operator = webappOperator({ dns: memoryDns() });
  await using env = await cluster({ backend: 'embedded', operator, runtime });
  await env.client.create(WebApp.build({ name: 'nginx-app', spec: { image: 'nginx:1.25', replicas: 3 } }));
  await env.eventually(WebApp, 'nginx-app', isReady);
  await runtime.clock.advance(60_000);
  const [manager] = env.managers;
  const before = { writes: writes(env.requests).length, runs: manager?.runs.recent().length ?? 0 };
  await runtime.clock.advance(600_000);
  expect(writes(env.requests).slice(before.writes)).toEqual([]);
  const runs = manager?.runs.recent().slice(before.runs) ?? [];
  expect(runs.length).toBeGreaterThanOrEqual(19);
  expect(new Set(runs.flatMap(({ causes }) => causes))).toEqual(new Set(['timer: poll the rollout']));
});
