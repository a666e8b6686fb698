import { describe, expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import type { Client } from './index.ts';
import { app, failure, Node, stored, WebApp, world } from './scripted-client.test-support.ts';

const unplaced = WebApp.build({ name: 'shop', spec: { image: 'x' } });

describe('a client of a namespace', () => {
  test('is there for every verb that names none; a call that names one wins', async () => {
    const { client, seen } = world([{ body: { ...stored, items: [], status: { token: 't' } } }]);
    const shop = client.with({ namespace: 'shop' });
    await shop.get(WebApp, 'a');
    await shop.list(WebApp);
    await shop.create(unplaced);
    await shop.update(unplaced);
    await shop.patch(WebApp, 'a', {});
    await shop.apply(unplaced, { manager: 'me' });
    await shop.delete(WebApp, 'a');
    await shop.deleteAll(WebApp, {});
    await shop.scale(WebApp, 'a');
    await shop.evict('a');
    await shop.token('a');
    expect(seen.filter(({ path }) => !path.includes('/namespaces/shop/'))).toEqual([]);
    expect(seen).toHaveLength(11);
    seen.length = 0;
    await shop.get(WebApp, { namespace: 'x', name: 'a' });
    await shop.list(WebApp, { namespace: 'x' });
    await shop.update({ ...unplaced, metadata: { name: 'a', namespace: 'x' } });
    await shop.deleteAll(WebApp, { namespace: 'x' });
    expect(seen.filter(({ path }) => !path.includes('/namespaces/x/'))).toEqual([]);
    seen.length = 0;
    await shop.get(Node, 'a');
    expect(seen[0]?.path).toBe('/api/v1/nodes/a');
  });

  test('everything in all namespaces is still everything', async () => {
    const item = { metadata: { name: 'a', namespace: 'x' } };
    const { client, seen } = world([{ body: { metadata: {}, items: [item] } }]);
    await client.with({ namespace: 'shop' }).deleteAll(WebApp, { allNamespaces: true });
    expect(seen.map(({ path }) => path)).toEqual([
      '/apis/example.com/v1/webapps',
      '/apis/example.com/v1/namespaces/x/webapps',
    ]);
  });
});

describe('a client for dry runs', () => {
  const verbs: [string, (client: Client) => Promise<unknown>][] = [
    ['create', (client) => client.create(app(), { dryRun: false })],
    ['update', (client) => client.update(app(), { dryRun: false })],
    ['edit', (client) => client.edit(app(), (draft) => void (draft.spec.replicas = 9), { dryRun: false })],
    ['patch', (client) => client.patch(WebApp, 'shop', {}, { dryRun: false })],
    ['apply', (client) => client.apply(app(), { manager: 'me', dryRun: false })],
    ['delete', (client) => client.delete(app(), { dryRun: false })],
    ['deleteAll', (client) => client.deleteAll(WebApp, { namespace: 'x', dryRun: false })],
    ['scale', (client) => client.scale(WebApp, 'shop', 3, { dryRun: false })],
    ['evict', (client) => client.evict('web', { dryRun: false })],
    ['a part', (client) => client.subresource(WebApp, 'shop', 'status').patch({}, { dryRun: false })],
  ];
  test.each(verbs)('CL-7: %s stores nothing, whatever the call says', async (_, call) => {
    const { client, seen } = world([{ body: { ...stored, items: [] } }]);
    const dry = client.with({ dryRun: true });
    await call(dry);
    await call(dry.with({ dryRun: false, namespace: 'x' }));
    expect(seen.map(({ query }) => query.dryRun)).toEqual(['All', 'All']);
  });
});

describe('a client with a manager', () => {
  test('CL-8: signs every write with it, applies too; an owner given with the call wins', async () => {
    const { client, seen } = world([{ body: stored }], { manager: 'op' });
    const mine = client.with({ manager: 'op/webapp' });
    await mine.create(app());
    await mine.patch(WebApp, 'shop', {});
    await mine.apply(app());
    await mine.apply(app(), { manager: 'other' });
    await mine.subresource(WebApp, 'shop', 'status').patch({});
    expect(seen.map(({ query }) => query.fieldManager)).toEqual([
      'op/webapp',
      'op/webapp',
      'op/webapp',
      'other',
      'op/webapp',
    ]);
  });

  test('the name a client only has by default owns no applied fields', async () => {
    const { client, seen } = world([{ body: stored }], { manager: 'op' });
    const untyped = client as unknown as { apply(object: unknown): Promise<unknown> };
    expect(hasCode(await failure(untyped.apply(app())), 'CLIENT_MANAGER_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });
});

test('defaults add up, validation among them, and the client they came from keeps its own', async () => {
  const { client, seen } = world([{ body: stored }]);
  const strict = client.with({ fieldValidation: 'Strict' }).with({ manager: 'me' });
  await strict.create(app());
  await strict.create(app(), { fieldValidation: 'Ignore' });
  await client.create(app());
  expect(seen.map(({ query }) => query)).toEqual([
    { fieldManager: 'me', fieldValidation: 'Strict' },
    { fieldManager: 'me', fieldValidation: 'Ignore' },
    {},
  ]);
});

test.each([Number.NaN, Infinity, 0, -1, '5s'])('a deadline of %s can be no deadline', (deadline) => {
  const { client } = world([{ body: stored }]);
  expect(() => client.with({ deadline: deadline as number })).toThrow(/CLIENT_OPTION_INVALID/);
});

test('it shares what was discovered, and closing it closes nothing', async () => {
  let closed = 0;
  const resources = { body: { resources: [{ name: 'gadgets', kind: 'Gadget', namespaced: true }] } };
  const close = (): Promise<void> => {
    closed += 1;
    return Promise.resolve();
  };
  const { client, seen } = world([resources], { close });
  const other = client.with({ namespace: 'x' });
  await client.kind('acme.io/v1', 'Gadget');
  await other.kind('acme.io/v1', 'Gadget');
  expect(seen).toHaveLength(1);
  await other[Symbol.asyncDispose]();
  expect(closed).toBe(0);
});

test('the version of the server', async () => {
  const { client, seen } = world([
    { body: { major: '1', minor: '36', gitVersion: 'v1.36.3', platform: 'linux/amd64' } },
  ]);
  expect(await client.version()).toEqual({ major: '1', minor: '36', gitVersion: 'v1.36.3', platform: 'linux/amd64' });
  expect(seen[0]?.path).toBe('/version');
});
