import { cluster } from '@kilter/testing';
import { Deployment, ReplicaSet } from 'kilter/k8s/apps/v1';
import { Pod, Service } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

const sample = (name = 'nginx-app') =>
  WebApp.build({ name, namespace: 'default', spec: { image: 'nginx:1.25', replicas: 3, port: 80 } });

async function start() {
  const runtime = virtualRuntime();
  const dns = memoryDns();
  const env = await cluster({ operator: webappOperator({ dns }), runtime });
  return { env, dns, clock: runtime.clock };
}

const isReady = (app: WebApp) =>
  app.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
const writes = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));

describe('a WebApp', () => {
  test('becomes a Deployment and a Service, and Ready when its pods are', async () => {
    const { env, dns, clock } = await start();
    await using _ = env;
    await env.client.create(sample());
    const app = await env.eventually(WebApp, 'nginx-app', isReady);
    expect(app.status).toMatchObject({ availableReplicas: 3, observedGeneration: 1 });
    expect(await env.client.list(Pod, { namespace: 'default' })).toHaveLength(3);
    expect((await env.client.get(Service, 'nginx-app')).spec?.ports).toMatchObject([{ port: 80, targetPort: 80 }]);
    expect([...dns.names]).toEqual(['nginx-app']);
    await clock.advance(1000);
    const events = await env.client.list(Event, { namespace: 'default' });
    expect(events.filter(({ reason }) => reason === 'Ready')).toMatchObject([
      { type: 'Normal', reportingController: 'webapp-operator', regarding: { kind: 'WebApp', name: 'nginx-app' } },
    ]);
  });

  test('follows a change of its spec', async () => {
    const { env } = await start();
    await using _ = env;
    await env.client.create(sample());
    await env.eventually(WebApp, 'nginx-app', isReady);
    await env.client.patch(WebApp, 'nginx-app', { spec: { replicas: 5, image: 'nginx:1.27' } });
    await env.eventually(
      WebApp,
      'nginx-app',
      { status: { availableReplicas: 5, observedGeneration: 2 } },
      { within: '60s' },
    );
    const [container] = (await env.client.get(Deployment, 'nginx-app')).spec?.template?.spec?.containers ?? [];
    expect(container?.image).toBe('nginx:1.27');
  });

  test.each([
    [
      'deleted',
      async (env: Awaited<ReturnType<typeof start>>['env']) => {
        await env.client.delete(Deployment, 'nginx-app');
        await env.client.delete(Service, 'nginx-app');
      },
    ],
    [
      'edited',
      async (env: Awaited<ReturnType<typeof start>>['env']) => {
        await env.client.patch(Deployment, 'nginx-app', { spec: { replicas: 7 } });
        await env.client.patch(Service, 'nginx-app', { spec: { selector: { 'app.kubernetes.io/name': 'other' } } });
      },
    ],
  ])('repairs children that are %s by hand', async (_, disturb) => {
    const { env } = await start();
    await using __ = env;
    await env.client.create(sample());
    await env.eventually(WebApp, 'nginx-app', isReady);
    await disturb(env);
    await env.eventually(Deployment, 'nginx-app', { spec: { replicas: 3 }, status: { availableReplicas: 3 } });
    await env.eventually(Service, 'nginx-app', { spec: { selector: { 'app.kubernetes.io/name': 'nginx-app' } } });
    await env.eventually(WebApp, 'nginx-app', isReady);
  });

  test('takes its children and its name with it', async () => {
    const { env, dns, clock } = await start();
    await using _ = env;
    await env.client.create(sample());
    await env.eventually(WebApp, 'nginx-app', isReady);
    await env.client.delete(WebApp, 'nginx-app');
    await env.gone(WebApp, 'nginx-app');
    await env.gone(Deployment, 'nginx-app');
    await env.gone(Service, 'nginx-app');
    await clock.advance(60_000);
    expect(await env.client.list(Pod, { namespace: 'default' })).toEqual([]);
    expect([...dns.names]).toEqual([]);
    expect(await env.client.list(ReplicaSet, { namespace: 'default' })).toEqual([]);
  });

  test('is left alone at rest: no write but lease renewals in ten minutes, the 30 s requeue included', async () => {
    const { env, clock } = await start();
    await using _ = env;
    await env.client.create(sample());
    await env.eventually(WebApp, 'nginx-app', isReady);
    await clock.advance(60_000);
    const [manager] = env.managers;
    const before = { writes: writes(env.requests).length, runs: manager?.runs.recent().length ?? 0 };
    await clock.advance(600_000);
    expect(writes(env.requests).slice(before.writes)).toEqual([]);
    const runs = manager?.runs.recent().slice(before.runs) ?? [];
    expect(runs.length).toBeGreaterThanOrEqual(19);
    expect(new Set(runs.flatMap(({ causes }) => causes))).toEqual(new Set(['timer: poll the rollout']));
  });
});

describe('a WebApp that breaks its schema is refused with the field and the rule', () => {
  test.each([
    ['an empty image', { image: '' }, 'spec.image in body should be at least 1 chars long'],
    ['too many replicas', { image: 'a:1', replicas: 101 }, 'spec.replicas in body should be less than or equal to 100'],
    [
      'a text for a number',
      { image: 'a:1', replicas: 'three' },
      'spec.replicas in body must be of type integer: "string"',
    ],
    ['no image', {}, 'spec.image: Required value'],
    ['the rule', { image: 'nginx:latest' }, 'pin the image tag'],
  ])('%s', async (_, spec, message) => {
    const { env } = await start();
    await using __ = env;
    const bad = { ...sample(), spec } as unknown as WebApp;
    await expect(env.client.create(bad)).rejects.toThrow(message);
  });

  test('unknown fields are refused under strict validation', async () => {
    const { env } = await start();
    await using _ = env;
    const body = JSON.stringify({ ...sample(), spec: { image: 'a:1', imgae: 'b' } });
    const answer = await env.server.api.handle({
      method: 'POST',
      path: '/apis/example.com/v1/namespaces/default/webapps?fieldValidation=Strict',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(body),
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    expect(answer.status).toBe(400);
    expect(Buffer.concat(chunks).toString()).toContain('unknown field \\"spec.imgae\\"');
  });
});
