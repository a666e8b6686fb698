import { describe, expect, test } from 'vitest';
import { hasCode, isDisruptionBudget, isTooManyRequests } from '../errors/index.ts';
import { json } from './index.ts';
import { app, failure, Node, refused, type Seen, stored, WebApp, world } from './scripted-client.test-support.ts';

const scale = {
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'shop', namespace: 'mine', uid: 'u1', resourceVersion: '8' },
  spec: { replicas: 3 },
  status: { replicas: 2, selector: 'app=shop' },
} as const;
const place = ({ method, path, type }: Seen): string => `${method} ${path} ${type ?? ''}`.trim();

describe('a part of an object', () => {
  test('every verb goes to it, with a body of its own kind that is about the object', async () => {
    const { client, seen } = world([{ body: scale }]);
    const part = client.subresource(WebApp, { namespace: 'x', name: 'shop' }, 'scale');
    const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 3 } } as const;
    expect(await part.get()).toEqual(scale);
    expect(await part.create(body)).toEqual(scale);
    await part.update({ ...body, metadata: { resourceVersion: '7' } }, { dryRun: true });
    await part.patch({ spec: { replicas: 3 } });
    await part.patch(json([{ op: 'replace', path: '/spec/replicas', value: 3 }]));
    await part.apply(body, { manager: 'me', force: true });
    const path = '/apis/example.com/v1/namespaces/x/webapps/shop/scale';
    expect(seen.map(place)).toEqual([
      `GET ${path}`,
      `POST ${path} application/json`,
      `PUT ${path} application/json`,
      `PATCH ${path} application/merge-patch+json`,
      `PATCH ${path} application/json-patch+json`,
      `PATCH ${path} application/apply-patch+yaml`,
    ]);
    expect(seen[1]?.body).toEqual({ ...body, metadata: { name: 'shop', namespace: 'x' } });
    expect(seen[2]).toMatchObject({
      query: { dryRun: 'All' },
      body: { metadata: { name: 'shop', namespace: 'x', resourceVersion: '7' } },
    });
    expect(seen[5]?.query).toEqual({ fieldManager: 'me', force: 'true' });
  });

  test('its body cannot be about another object', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client
      .subresource(WebApp, 'shop', 'status')
      .update({ ...app(), metadata: { name: 'other', namespace: 'other' } });
    expect(seen[0]).toMatchObject({
      path: '/apis/example.com/v1/namespaces/mine/webapps/shop/status',
      body: { metadata: { name: 'shop', namespace: 'mine' } },
    });
  });

  test('of a kind without namespaces has none', async () => {
    const { client, seen } = world([{ body: {} }]);
    await client.subresource(Node, 'n1', 'proxy').create({ apiVersion: 'v1', kind: 'X', any: 'thing' });
    expect(seen[0]).toMatchObject({ path: '/api/v1/nodes/n1/proxy', body: { metadata: { name: 'n1' }, any: 'thing' } });
  });

  test.each(['', '..', 'a/b'])('named %j there is none', async (name) => {
    const { client, seen } = world([{ body: {} }]);
    expect(hasCode(await failure(client.subresource(WebApp, 'shop', name).get()), 'CLIENT_NAME_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('an apply needs its manager', async () => {
    const { client, seen } = world([{ body: {} }]);
    const part = client.subresource(WebApp, 'shop', 'status');
    expect(hasCode(await failure(part.apply(app(), { manager: '' })), 'CLIENT_MANAGER_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });
});

test('an Eviction or a TokenRequest is sent to the object it names; a Scale does not say what it scales', async () => {
  const { client, seen } = world([{ body: { kind: 'Status', status: 'Success' } }]);
  const body = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a', namespace: 'x' } });
  await client.create(body('policy/v1', 'Eviction'));
  await client.create({ ...body('authentication.k8s.io/v1', 'TokenRequest'), spec: {} });
  expect(seen.map(place)).toEqual([
    'POST /api/v1/namespaces/x/pods/a/eviction application/json',
    'POST /api/v1/namespaces/x/serviceaccounts/a/token application/json',
  ]);
  const nameless = { ...body('policy/v1', 'Eviction'), metadata: {} } as unknown as typeof stored;
  expect(hasCode(await failure(client.create(nameless)), 'CLIENT_NAME_INVALID')).toBe(true);
  const unknown = await failure(world([{ body: { resources: [] } }]).client.create(body('autoscaling/v1', 'Scale')));
  expect(hasCode(unknown, 'CLIENT_KIND_UNKNOWN')).toBe(true);
});

describe('scale', () => {
  test('is read, or set by a patch of that number alone', async () => {
    const { client, seen } = world([{ body: scale }]);
    expect(await client.scale(WebApp, 'shop')).toEqual(scale);
    expect(await client.scale(WebApp, 'shop', 0, { manager: 'me', dryRun: true })).toEqual(scale);
    const path = '/apis/example.com/v1/namespaces/mine/webapps/shop/scale';
    expect(seen.map(place)).toEqual([`GET ${path}`, `PATCH ${path} application/merge-patch+json`]);
    expect(seen[1]).toMatchObject({ query: { fieldManager: 'me', dryRun: 'All' }, body: { spec: { replicas: 0 } } });
  });

  test.each([-1, 1.5, Number.NaN, undefined])(
    '%s replicas cannot be meant, and are not a question either',
    async (replicas) => {
      const { client, seen } = world([{ body: scale }]);
      const error = await failure(client.scale(WebApp, 'shop', replicas as number));
      expect(hasCode(error, 'CLIENT_OPTION_INVALID')).toBe(true);
      expect(seen).toEqual([]);
    },
  );
});

describe('evict', () => {
  test('asks the Pod to go, with the options of its deletion', async () => {
    const { client, seen } = world([{ body: { kind: 'Status', status: 'Success' } }]);
    await client.evict({ namespace: 'x', name: 'web' }, { gracePeriod: 5, preconditions: { uid: 'u1' }, dryRun: true });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/x/pods/web/eviction',
      query: { dryRun: 'All' },
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'web', namespace: 'x' },
        deleteOptions: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          gracePeriodSeconds: 5,
          preconditions: { uid: 'u1' },
          dryRun: ['All'],
        },
      },
    });
  });

  test('a disruption budget that does not allow it says so, and what to do', async () => {
    const causes = [{ reason: 'DisruptionBudget', message: 'The disruption budget db needs 3 healthy pods' }];
    const { client } = world([refused(429, 'TooManyRequests', { causes })]);
    const error = await failure(client.evict('web'));
    expect([isTooManyRequests(error), isDisruptionBudget(error)]).toEqual([true, true]);
    expect(String(error)).toContain('PodDisruptionBudget');
  });
});

describe('token', () => {
  test('is asked for with its audiences, time and owner', async () => {
    const status = { token: 'secret-token', expirationTimestamp: '2026-01-01T01:00:00Z' };
    const { client, seen } = world([{ body: { kind: 'TokenRequest', metadata: {}, spec: {}, status } }]);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', uid: 'p1' } };
    expect(
      await client.token(
        { namespace: 'x', name: 'sa' },
        { audiences: ['vault'], expirationSeconds: 600, boundTo: pod },
      ),
    ).toEqual({ token: 'secret-token', expiresAt: '2026-01-01T01:00:00Z' });
    await client.token('sa');
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/x/serviceaccounts/sa/token',
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: ['vault'],
          expirationSeconds: 600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'p1' },
        },
      },
    });
    expect(seen[1]?.body).toMatchObject({ spec: {} });
  });

  test.each<[string, string]>([
    ['without a token', '{"kind":"TokenRequest","status":{"half":"secret-token"}}'],
    ['that breaks off', '{"kind":"TokenRequest","status":{"token":"secret-token"'],
  ])('an answer %s is unexpected, and is not shown', async (_, body) => {
    const { client } = world([{ body }]);
    const error = await failure(client.token('sa'));
    expect(hasCode(error, 'CLIENT_UNEXPECTED_ANSWER')).toBe(true);
    expect(String(error)).not.toContain('secret-token');
  });
});
