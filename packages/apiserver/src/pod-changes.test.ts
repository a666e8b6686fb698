// Changes of a Pod through endpoints of their own.
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { paths, type Reply, ServerUnderTest, types } from './server-under-test.test-support.ts';

const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '64Mi' } };

async function withPod(): Promise<ServerUnderTest> {
  const api = new ServerUnderTest();
  onTestFinished(() => api.server.close());
  await api.ok(`POST ${paths.pods}`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources }] },
  });
  return api;
}

const change = (api: ServerUnderTest, endpoint: string, spec: JsonObject): Promise<Reply> =>
  api.send(`PATCH ${paths.pods}/p/${endpoint}`, { spec }, { type: types.strategic });
const specOf = ({ body }: Reply): JsonObject => body['spec'] as JsonObject;

describe('API-R6: pods/ephemeralcontainers', () => {
  test('takes containers that stay as they are', async () => {
    const api = await withPod();
    const join = (...ephemeralContainers: JsonObject[]): Promise<Reply> =>
      change(api, 'ephemeralcontainers', { ephemeralContainers });
    const first = await join({ name: 'd', image: 'busybox', targetContainerName: 'c' });
    expect(specOf(first)['ephemeralContainers']).toMatchObject([{ name: 'd', imagePullPolicy: 'Always' }]);
    const changed = await join({ name: 'd', image: 'other' });
    expect([changed.code, changed.body['message']]).toEqual([422, expect.stringContaining('"d" may not be changed')]);
    for (const wrong of [
      { name: 'c', image: 'i' },
      { name: 'e', image: 'i', ports: [{ containerPort: 80 }] },
      { name: 'e', image: 'i', targetContainerName: 'x' },
    ])
      expect([wrong, (await join(wrong)).code]).toEqual([wrong, 422]);
  });

  test('leaves the rest of the Pod alone, and the Pod itself does not take them', async () => {
    const api = await withPod();
    const body = { metadata: { name: 'p', labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'other' }] } };
    const put = await api.send(`PUT ${paths.pods}/p/ephemeralcontainers`, body);
    expect(put.body).toMatchObject({ metadata: { name: 'p' }, spec: { containers: [{ image: 'i' }] } });
    expect(put.body['metadata']).not.toHaveProperty('labels');
    const through = await api.send(
      `PATCH ${paths.pods}/p`,
      { spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } },
      { type: types.merge },
    );
    expect(through.code).toBe(422);
  });
});

describe('API-R6: pods/resize', () => {
  test('changes cpu and memory, as a new generation', async () => {
    const api = await withPod();
    const more = await change(api, 'resize', { containers: [{ name: 'c', resources: { requests: { cpu: '150m' } } }] });
    expect(specOf(more)['containers']).toMatchObject([{ resources: { requests: { cpu: '150m', memory: '64Mi' } } }]);
    expect(more.body['metadata']).toMatchObject({ generation: 2 });
  });

  test.each([
    ['another class of service', { containers: [{ name: 'c', resources: { requests: { cpu: '200m' } } }] }],
    ['storage', { containers: [{ name: 'c', resources: { requests: { 'ephemeral-storage': '1Gi' } } }] }],
    ['another container', { containers: [{ name: 'x', image: 'i' }] }],
    ['less than there was', { containers: [{ name: 'c', resources: { limits: { cpu: null } } }] }],
  ])('refuses %s', async (_, spec) => {
    const api = await withPod();
    expect((await change(api, 'resize', spec as JsonObject)).code).toBe(422);
  });
});
