// What the operator does, on whatever backend: `webapp.real.test.ts` runs it on a real control plane.
import { type Cluster, cluster } from '@kilter/testing';
import { Deployment, ReplicaSet } from 'kilter/k8s/apps/v1';
import { Pod, Service } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

const dns = memoryDns();
// One for all tests, each with a WebApp of its own name: a real control plane takes seconds to start.
let env: Cluster;
beforeAll(async () => {
  env = await cluster({ operator: webappOperator({ dns }) });
}, 120_000);
afterAll(() => env?.[Symbol.asyncDispose](), 60_000);

const sample = (name: string) => WebApp.build({ name, spec: { image: 'nginx:1.25', replicas: 3, port: 80 } });

const isReady = (app: WebApp) =>
  app.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

async function readyApp(name: string): Promise<WebApp> {
  await env.client.create(sample(name));
  return env.eventually(WebApp, name, isReady);
}

const labelled = (name: string) => ({ namespace: env.namespace, labels: { 'app.kubernetes.io/name': name } });
// What goes one after the other is soon gone; on a real control plane within seconds.
const soon = { timeout: 60_000 };

describe('a WebApp', { timeout: 240_000 }, () => {
  test('becomes a Deployment and a Service, and Ready when its pods are', async () => {
    const app = await readyApp('nginx-app');
    expect(app.status).toMatchObject({ availableReplicas: 3, observedGeneration: 1 });
    expect(await env.client.list(Pod, labelled('nginx-app'))).toHaveLength(3);
    expect((await env.client.get(Service, 'nginx-app')).spec?.ports).toMatchObject([{ port: 80, targetPort: 80 }]);
    expect([...dns.names]).toContain('nginx-app');
    const events = async () => {
      const all = await env.client.list(Event, { namespace: env.namespace });
      return all.filter(({ reason, regarding }) => reason === 'Ready' && regarding?.name === 'nginx-app');
    };
    await expect
      .poll(events, soon)
      .toMatchObject([{ type: 'Normal', reportingController: 'webapp-operator', regarding: { kind: 'WebApp' } }]);
  });

  test('follows a change of its spec', async () => {
    await readyApp('changed');
    await env.client.patch(WebApp, 'changed', { spec: { replicas: 5, image: 'nginx:1.27' } });
    await env.eventually(WebApp, 'changed', { status: { availableReplicas: 5, observedGeneration: 2 } });
    const [container] = (await env.client.get(Deployment, 'changed')).spec?.template?.spec?.containers ?? [];
    expect(container?.image).toBe('nginx:1.27');
  });

  test.each([
    [
      'deleted',
      async (name: string) => {
        await env.client.delete(Deployment, name);
        await env.client.delete(Service, name);
      },
    ],
    [
      'edited',
      async (name: string) => {
        await env.client.patch(Deployment, name, { spec: { replicas: 7 } });
        await env.client.patch(Service, name, { spec: { selector: { 'app.kubernetes.io/name': 'other' } } });
      },
    ],
  ])('repairs children that are %s by hand', async (name, disturb) => {
    await readyApp(name);
    await disturb(name);
    await env.eventually(Deployment, name, { spec: { replicas: 3 }, status: { availableReplicas: 3 } });
    await env.eventually(Service, name, { spec: { selector: { 'app.kubernetes.io/name': name } } });
    await env.eventually(WebApp, name, isReady);
  });

  test('takes its children and its name with it', async () => {
    await readyApp('passing');
    await env.client.delete(WebApp, 'passing');
    await env.gone(WebApp, 'passing');
    // A real garbage collector looks for new kinds twice a minute; owners of a kind it does not know yet are not missed.
    await env.gone(Deployment, 'passing', { within: '2m' });
    await env.gone(Service, 'passing');
    await expect.poll(() => env.client.list(Pod, labelled('passing')), soon).toEqual([]);
    await expect.poll(() => env.client.list(ReplicaSet, labelled('passing')), soon).toEqual([]);
    expect([...dns.names]).not.toContain('passing');
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
    ['no image', {}, 'spec.image: '],
    ['the rule', { image: 'nginx:latest' }, 'pin the image tag'],
  ])('%s', async (_, spec, message) => {
    const bad = { ...sample('bad'), spec } as unknown as WebApp;
    await expect(env.client.create(bad)).rejects.toThrow(message);
  });

  test('unknown fields are refused under strict validation', async () => {
    const bad = { ...sample('bad'), spec: { image: 'a:1', imgae: 'b' } } as unknown as WebApp;
    const creating = env.client.create(bad, { fieldValidation: 'Strict' });
    await expect(creating).rejects.toMatchObject({
      status: { code: 400, message: expect.stringContaining('unknown field "spec.imgae"') as string },
    });
  });
});
