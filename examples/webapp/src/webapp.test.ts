// What the operator does, on whatever backend: `webapp.real.test.ts` runs it on a real control plane, as three processes.
import type { Cluster } from '@kilter/testing';
import { Deployment, ReplicaSet } from 'kilter/k8s/apps/v1';
import { Pod, Service } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploymentFor, serviceFor } from './children.ts';
import { differences, spoil, strip } from './disturbances.test-support.ts';
import { isInProcess, openStage, type Stage } from './stage.test-support.ts';
import { testAdmission, testVersions } from './webapp-versions.test-support.ts';
import { WebApp } from './webapp.ts';

// One for all tests, each with its own WebApp name: a real control plane takes seconds to start.
let stage: Stage;
let env: Cluster;
beforeAll(async () => {
  stage = await openStage();
  env = stage.env;
}, 240_000);
afterAll(() => stage?.[Symbol.asyncDispose](), 60_000);

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
    expect(stage.isPublished('nginx-app')).toBe(true);
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

  test('repairs every field of its children that is edited or taken out by hand', async () => {
    const spec = { image: 'nginx:1.25', replicas: 2, env: [{ name: 'A', value: 'b' }], tlsSecret: 'cert' };
    const app = await env.client.create(WebApp.build({ name: 'healed', spec }));
    await env.eventually(WebApp, 'healed', isReady);
    const wanted = { deployment: deploymentFor(app), service: serviceFor(app) };
    for (const disturb of [spoil, strip]) {
      await disturb(env.client, wanted);
      await env.eventually(Deployment, 'healed', (now) => differences(wanted.deployment, now).length === 0);
      await env.eventually(Service, 'healed', (now) => differences(wanted.service, now).length === 0);
    }
    await env.eventually(WebApp, 'healed', isReady);
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
    expect(stage.isPublished('passing')).toBe(false);
  });
});

describe('the conditions of a WebApp', { timeout: 240_000 }, () => {
  test('say what happens and of which generation it is said', async () => {
    const app = await readyApp('told');
    const told = app.status?.conditions?.map(({ type, status, reason, observedGeneration }) => [
      type,
      status,
      reason,
      observedGeneration,
    ]);
    expect(told?.toSorted()).toEqual([
      ['Available', 'True', 'Serving', 1],
      ['Degraded', 'False', 'AsExpected', 1],
      ['Progressing', 'False', 'Available', 1],
      ['Ready', 'True', 'Available', 1],
    ]);
    await env.client.scale(WebApp, 'told', 4);
    const scaled = await env.eventually(
      WebApp,
      'told',
      (now) => isReady(now) && now.status?.observedGeneration === 2 && now.status.availableReplicas === 4,
    );
    expect(scaled.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
      '4 of 4 replicas are available',
    );
  });
});

describe('the webhooks of a WebApp', { timeout: 240_000 }, () => {
  testAdmission(() => env);
});

describe('the versions of a WebApp', { timeout: 240_000 }, () => {
  testVersions(() => env);
});

const inOne = isInProcess() ? ' (skipped: here it runs in the process of the test)' : '';
describe.skipIf(isInProcess())(`three replicas${inOne}`, { timeout: 240_000 }, () => {
  test(`one leads, and when it dies another goes on; webhooks are answered by those that are left${inOne}`, async () => {
    const leads = (): readonly number[] =>
      stage.replicas.flatMap((one, i) => (one.output().includes('this replica leads') ? [i] : []));
    const [leader = -1, ...others] = leads();
    expect(others).toEqual([]);
    stage.replicas[leader]?.kill('SIGKILL');
    // The API server may send one more review over a connection that ends with the process.
    const asked = () => env.client.create(sample('asked'), { dryRun: true });
    await expect.poll(asked, { timeout: 10_000 }).toBeDefined();
    await expect(env.client.patch(WebApp, 'told', { spec: { image: 'nginx' } })).rejects.toThrow('spec.image');
    await expect.poll(leads, { timeout: 90_000 }).toHaveLength(2);
    await readyApp('after');
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
    ['the rule', { image: 'nginx:latest' }, /spec\.image: Invalid value: .*pin the image tag/],
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

test('C-01: all of this needs the rules the operator derives from its declarations: none is missing, none unused', () => {
  expect(env.permissions).toEqual({ missing: [], unused: [] });
});
