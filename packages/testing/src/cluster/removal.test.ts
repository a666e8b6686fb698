import { ConfigMap, Namespace } from 'kilter/k8s/core/v1';
import { connectTo, virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { apiServer } from '@kilter/apiserver';
import { CreatedObjects } from './created-objects.ts';
import { removeAll } from './removal.ts';
import { Waiting } from './waiting.ts';
import { withExchange } from './with-exchange.ts';

function world() {
  const runtime = virtualRuntime();
  const server = apiServer({ runtime });
  const created = new CreatedObjects();
  const client = connectTo(created.watching(server.connection('me')), { runtime });
  const waiting = new Waiting({ clock: runtime.clock, interval: 10 });
  const remove = () => removeAll(created.list(), { client, waiting, within: 1000 });
  return { server, client, remove, created };
}

const config = (name: string, finalizers: string[] = []) => {
  const object = ConfigMap.build({ name, namespace: 'default' });
  return { ...object, metadata: { ...object.metadata, finalizers } };
};

test('what was created is deleted; what is gone already, or has become somebody else’s, is left alone', async () => {
  const { server, client, remove } = world();
  await using _ = server;
  const other = connectTo(server.connection('other'));
  await client.create(config('mine'));
  await client.create(config('gone'));
  await client.create(config('replaced'));
  await client.delete(ConfigMap, 'gone');
  await client.delete(ConfigMap, 'replaced');
  await other.create(config('replaced'));
  await other.create(config('theirs'));
  await remove();
  const names = (await client.list(ConfigMap, { namespace: 'default' })).map(({ metadata }) => metadata.name);
  expect(names.filter((name) => name !== 'kube-root-ca.crt').toSorted()).toEqual(['replaced', 'theirs']);
});

test('it waits for finalizers, and what they hold for too long is named', async () => {
  const { server, client, remove } = world();
  await using _ = server;
  await client.create(config('slow', ['example.com/held']));
  await expect(remove()).rejects.toMatchObject({
    code: 'TESTING_LEFT_BEHIND',
    message: expect.stringContaining('ConfigMap default/slow (finalizers ["example.com/held"])') as string,
  });
  const released = client.patch(ConfigMap, 'slow', { metadata: { finalizers: null } });
  await Promise.all([remove(), released]);
  expect(await client.find(ConfigMap, 'slow')).toBeUndefined();
});

test('a server that was away for a moment is asked again', async () => {
  const { server, client, created } = world();
  await using _ = server;
  await client.create(config('mine'));
  const runtime = virtualRuntime();
  const direct = server.connection('me');
  let asked = 0;
  const away = withExchange(direct, (request) => {
    if (request.method !== 'DELETE') return direct.exchange(request);
    return (asked += 1) === 1 ? Promise.reject(new Error('away')) : direct.exchange(request);
  });
  const waiting = new Waiting({ clock: runtime.clock, interval: 10 });
  await removeAll(created.list(), { client: connectTo(away, { runtime }), waiting, within: 1000 });
  expect(asked).toBe(2);
  expect(await client.find(ConfigMap, 'mine')).toBeUndefined();
});

test('the end of a namespace is asked for and not waited for', async () => {
  const { server, client, remove } = world();
  await using _ = server;
  const space = Namespace.build({ name: 'mine' });
  await client.create({ ...space, metadata: { ...space.metadata, finalizers: ['example.com/held'] } });
  await remove();
  expect((await client.get(Namespace, 'mine')).metadata.deletionTimestamp).toBeDefined();
});

test('of many that stay, ten are named', async () => {
  const { server, client, remove } = world();
  await using _ = server;
  for (let n = 0; n < 13; n += 1) await client.create(config(`c${n}`, ['example.com/held']));
  await expect(remove()).rejects.toThrow(/ and 3 more \(/);
});
