import type { JsonObject } from 'kilter/api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Storage } from '../storage/index.ts';
import { objectIn, objectsIn } from '../values/index.ts';
import { refusal, RegistryUnderTest } from './registry-under-test.test-support.ts';

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

const onNodes = (nodePort?: number): JsonObject => ({
  type: 'NodePort',
  ports: [{ port: 80, ...(nodePort !== undefined && { nodePort }) }],
});

const addressOf = (stored: JsonObject): unknown => objectIn(stored, 'spec')['clusterIP'];
const portOf = (stored: JsonObject): unknown => objectsIn(objectIn(stored, 'spec'), 'ports')[0]?.['nodePort'];

/** The address after one, in the order they are handed out. */
function following(address: unknown): string {
  const [a = 0, b = 0, c = 0, d = 0] = String(address).split('.').map(Number);
  return [a, b, c, d + 1].join('.');
}

test('an address somebody asked for is not handed out to another, until it is free', async () => {
  const api = new RegistryUnderTest();
  const first = await api.object('create', 'services', { body: service('first') });
  const wanted = following(addressOf(first));
  await api.object('create', 'services', { body: service('wanted', { clusterIP: wanted }) });
  const next = await api.object('create', 'services', { body: service('next') });
  expect(addressOf(next)).toBe(following(wanted));
  const again = service('again', { clusterIP: wanted });
  expect(await refusal(api.object('create', 'services', { body: again }))).toMatchObject({
    code: 422,
    message: expect.stringContaining('provided IP is already allocated') as string,
  });
  await api.ask('delete', 'services', { name: 'wanted' });
  expect(addressOf(await api.object('create', 'services', { body: again }))).toBe(wanted);
});

test('a port of the nodes is free for its own Service and for another protocol, and when it was given up', async () => {
  const api = new RegistryUnderTest();
  const first = await api.object('create', 'services', { body: service('first', onNodes(30_100)) });
  await api.object('update', 'services', { name: 'first', body: first });
  const taken = { code: 422, message: expect.stringContaining('provided port is already allocated') as string };
  expect(await refusal(api.object('create', 'services', { body: service('b', onNodes(30_100)) }))).toMatchObject(taken);
  const udp = { type: 'NodePort', ports: [{ port: 53, protocol: 'UDP', nodePort: 30_100 }] };
  expect(portOf(await api.object('create', 'services', { body: service('udp', udp) }))).toBe(30_100);
  const moved = { ...first, spec: { ...objectIn(first, 'spec'), ...onNodes(30_101) } };
  const current = await api.object('get', 'services', { name: 'first' });
  await api.object('update', 'services', { name: 'first', body: { ...moved, metadata: current.metadata } });
  expect(portOf(await api.object('create', 'services', { body: service('b', onNodes(30_100)) }))).toBe(30_100);
});

test('a port that is handed out is one nobody has', async () => {
  const api = new RegistryUnderTest();
  const first = portOf(await api.object('create', 'services', { body: service('first', onNodes()) })) as number;
  for (let ahead = 1; ahead < 5; ahead += 1)
    await api.object('create', 'services', { body: service(`asked-${ahead}`, onNodes(first + ahead)) });
  const given = portOf(await api.object('create', 'services', { body: service('given', onNodes()) })) as number;
  expect([given > first + 4, given <= 32_767]).toEqual([true, true]);
});

test('what a restored snapshot holds counts, and nothing else', async () => {
  const api = new RegistryUnderTest();
  await api.object('create', 'services', { body: service('kept', onNodes(30_200)) });
  const snapshot = api.registry.snapshot();
  await api.object('create', 'services', { body: service('lost', onNodes(30_201)) });
  api.registry.restore(snapshot);
  expect((await refusal(api.object('create', 'services', { body: service('b', onNodes(30_200)) }))).code).toBe(422);
  expect(portOf(await api.object('create', 'services', { body: service('c', onNodes(30_201)) }))).toBe(30_201);
});

test('nobody looks through all Services to create one', async () => {
  const api = new RegistryUnderTest();
  const lists = vi.spyOn(Storage.prototype, 'list');
  onTestFinished(() => lists.mockRestore());
  await api.object('create', 'services', { body: service('a', onNodes()) });
  await api.object('create', 'services', { body: service('b', { ...onNodes(30_300), clusterIP: '10.97.0.1' }) });
  expect(lists.mock.calls.filter(([bucket]) => bucket === '/services')).toEqual([]);
});
