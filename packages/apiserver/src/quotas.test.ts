import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { configMap, paths, ServerUnderTest } from './server-under-test.test-support.ts';

const { configMaps } = paths;
const quotas = '/api/v1/namespaces/default/resourcequotas';

const used = async (api: ServerUnderTest): Promise<Json | undefined> => {
  const { body } = await api.send(`GET ${quotas}/q`);
  return (body['status'] as JsonObject)['used'];
};

async function bounded(api: ServerUnderTest, hard: JsonObject): Promise<void> {
  await api.ok(`POST ${quotas}`, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } });
  await api.server.idle();
}

describe('API-A8: a quota on a server with its controllers', () => {
  test('counts what is there, what comes at once, and what goes', async () => {
    await using api = new ServerUnderTest({ controllers: { gc: true, workloads: false } });
    await api.ok(`POST ${configMaps}`, configMap('a'));
    await bounded(api, { 'count/configmaps': '3' });
    // One is the certificate that every namespace gets.
    expect(await used(api)).toEqual({ 'count/configmaps': '2' });
    await api.ok(`POST ${configMaps}`, configMap('b'));
    expect(await used(api)).toEqual({ 'count/configmaps': '3' });
    expect((await api.send(`POST ${configMaps}`, configMap('c'))).code).toBe(403);
    await api.ok(`DELETE ${configMaps}/a`);
    await api.server.idle();
    expect(await used(api)).toEqual({ 'count/configmaps': '2' });
    await api.ok(`POST ${configMaps}`, configMap('c'));
  });

  test('does not let two pass at once where there is room for one', async () => {
    await using api = new ServerUnderTest({ controllers: { gc: true, workloads: false } });
    await bounded(api, { secrets: '1' });
    const secret = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    const path = '/api/v1/namespaces/default/secrets';
    const codes = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await api.send(`POST ${path}`, secret(name))).code),
    );
    expect(codes.sort()).toEqual([201, 403, 403]);
    expect(await used(api)).toEqual({ secrets: '1' });
  });

  test('charges nothing for a dry run, and frees what a pod used that has ended', async () => {
    await using api = new ServerUnderTest({ controllers: { gc: true, workloads: false } });
    await bounded(api, { pods: '1', 'count/pods': '9' });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'c' }] },
    };
    const pods = '/api/v1/namespaces/default/pods';
    await api.ok(`POST ${pods}?dryRun=All`, pod);
    expect(await used(api)).toEqual({ pods: '0', 'count/pods': '0' });
    await api.ok(`POST ${pods}`, pod);
    expect(await used(api)).toEqual({ pods: '1', 'count/pods': '1' });
    await api.ok(`PUT ${pods}/p/status`, { ...pod, status: { phase: 'Succeeded' } });
    await api.server.idle();
    expect(await used(api)).toEqual({ pods: '0', 'count/pods': '1' });
  });
});
