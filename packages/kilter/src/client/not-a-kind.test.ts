// What the types forbid, and what an import of modules that import each other gives all the same: undefined instead of a kind.
import { expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import type { Client } from './client.ts';
import { failure, WebApp, world } from './scripted-client.test-support.ts';

const missing = undefined as never;

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['get', (client) => client.get(missing, 'a')],
  ['find', (client) => client.find(missing, 'a')],
  ['list', (client) => client.list(missing)],
  ['listPage', (client) => client.listPage(missing)],
  ['each', (client) => client.each(missing).next()],
  ['watch', async (client) => client.watch(missing).next()],
  ['patch', (client) => client.patch(missing, 'a', {})],
  ['delete', (client) => client.delete(missing, 'a')],
  ['deleteAll', (client) => client.deleteAll(missing, { namespace: 'shop' })],
  ['scale', (client) => client.scale(missing, 'a')],
  ['subresource', async (client) => client.subresource(missing, 'a', 'status')],
  ['the name of one', (client) => client.get('WebApp' as never, 'a')],
])('%s: what is not a kind is refused as such, with what it is', async (name, call) => {
  const { client, seen } = world([]);
  const error = await failure(call(client));
  expect(hasCode(error, 'CLIENT_OPTION_INVALID')).toBe(true);
  expect(String(error)).toContain(`${name === 'the name of one' ? "'WebApp'" : 'undefined'} is not a kind`);
  expect(seen).toEqual([]);
});

test.each<[string, (client: Client) => Promise<unknown>, string]>([
  ['create', (client) => client.create(missing), 'undefined has no metadata'],
  ['update', (client) => client.update({ spec: {} } as never), '{ spec: {} } has no metadata'],
  ['edit', (client) => client.edit({ spec: {} } as never, () => undefined), '{ spec: {} } has no metadata'],
  ['patch', (client) => client.patch(WebApp, 'a', missing), 'undefined is not a patch'],
])('%s of nothing is refused as such', async (_, call, words) => {
  const { client, seen } = world([]);
  expect(String(await failure(call(client)))).toContain(words);
  expect(seen).toEqual([]);
});
