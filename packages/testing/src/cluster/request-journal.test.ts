import { connectTo, type Connection, type ExchangeRequest, inMemory } from 'kilter/runtime';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { recorded, RequestJournal } from './request-journal.ts';

async function* answer(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', uid: 'u' } };
const echo = inMemory(async ({ path }) => {
  if (path.includes('/lost')) throw new Error('the line is dead');
  return { status: path.includes('/none') ? 404 : 200, headers: {}, body: answer(JSON.stringify(object)) };
});

test('what a real server is asked is recorded: method, path with query, status, user agent and the body as sent', async () => {
  const journal = new RequestJournal();
  const client = connectTo(recorded(echo, journal, 'operator'), { manager: 'me' });
  await client.get(ConfigMap, 'a');
  await client.find(ConfigMap, 'none').catch(() => undefined);
  await client.patch(ConfigMap, 'a', { data: { k: 'v' } });
  expect(journal.requests).toEqual([
    {
      method: 'GET',
      path: '/api/v1/namespaces/default/configmaps/a',
      status: 200,
      user: 'operator',
      userAgent: 'me/kilter',
    },
    expect.objectContaining({ method: 'GET', status: 404 }),
    expect.objectContaining({
      method: 'PATCH',
      path: '/api/v1/namespaces/default/configmaps/a?fieldManager=me',
      body: '{"data":{"k":"v"}}',
    }),
  ]);
});

test('a request without an answer is not recorded, and fails as it would have', async () => {
  const journal = new RequestJournal();
  const client = connectTo(recorded(echo, journal, 'operator'));
  await expect(client.patch(ConfigMap, 'lost', {})).rejects.toMatchObject({ code: 'TRANSPORT_OUTCOME_UNKNOWN' });
  expect(journal.requests).toEqual([]);
});

test('a recorded connection does all that the connection does', async () => {
  const done: string[] = [];
  const full: Connection = {
    namespace: 'shop',
    host: 'example',
    exchange: () => Promise.reject(new Error('none')),
    renewCredentials: (refused) => Promise.resolve(done.push(`renew ${refused.path}`) > 0),
    usage: () => [{ session: 'watch', protocol: 'h2', connections: 1, requests: 2 }],
    close: () => Promise.resolve(void done.push('close')),
  };
  const connection = recorded(full, new RequestJournal(), 'operator');
  expect(connection).toMatchObject({ namespace: 'shop', host: 'example' });
  expect(await connection.renewCredentials?.({ path: '/x' } as ExchangeRequest)).toBe(true);
  expect(connection.usage?.()).toHaveLength(1);
  await connection.close();
  expect(done).toEqual(['renew /x', 'close']);
  // What it cannot do it does not pretend to do: nobody tries a 401 again in vain.
  expect(recorded(echo, new RequestJournal(), 'operator')).not.toHaveProperty('renewCredentials');
});

const request = (path: string, body?: string) => ({
  method: 'POST',
  path,
  status: 201,
  user: 'operator',
  userAgent: '',
  body,
});

test('the journal keeps the last 10,000 requests', () => {
  const journal = new RequestJournal();
  for (let n = 0; n < 10_005; n += 1) journal.add(request(`/${n}`));
  expect(journal.requests).toHaveLength(10_000);
  expect([journal.requests[0]?.path, journal.requests.at(-1)?.path]).toEqual(['/5', '/10004']);
});

test('the journal keeps 32 MiB of bodies, and the newest request whatever its size', () => {
  const journal = new RequestJournal();
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 40; n += 1) journal.add(request(`/${n}`, mebibyte));
  expect(journal.requests.map(({ path }) => path)).toEqual(Array.from({ length: 32 }, (_, n) => `/${n + 8}`));
  journal.add(request('/huge', mebibyte.repeat(33)));
  expect(journal.requests.map(({ path }) => path)).toEqual(['/huge']);
  journal.add(request('/small', 'x'));
  expect(journal.requests.map(({ path }) => path)).toEqual(['/small']);
});
