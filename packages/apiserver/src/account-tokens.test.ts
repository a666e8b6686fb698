// Tokens of service accounts: issued, checked, and refused once they no longer count.
import { Buffer } from 'node:buffer';
import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { metadataOf, paths, type Reply, ServerUnderTest } from './server-under-test.test-support.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const reviews = '/apis/authentication.k8s.io/v1';

class Accounts extends ServerUnderTest {
  uid = '';

  static async started(): Promise<Accounts> {
    const api = new Accounts({ authorization: 'RBAC' });
    onTestFinished(() => api.server.close());
    const made = await api.ok(`POST ${accounts}`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    api.uid = metadataOf(made).uid;
    return api;
  }

  request(spec: JsonObject = {}, metadata: JsonObject = {}): Promise<Reply> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec };
    return this.send(`POST ${accounts}/robot/token`, body);
  }

  async token(spec: JsonObject = {}): Promise<string> {
    const { body } = await this.request(spec);
    return (body['status'] as { token: string }).token;
  }

  /** Who the server takes the bearer of a token for. */
  whoIs(token: string): Promise<Reply> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    return this.send(`POST ${reviews}/selfsubjectreviews`, body, { headers: { authorization: `Bearer ${token}` } });
  }

  async review(token: string, audiences?: string[]): Promise<JsonObject> {
    const spec = { token, ...(audiences !== undefined && { audiences }) };
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec };
    return (await this.ok(`POST ${reviews}/tokenreviews`, body))['status'] as JsonObject;
  }
}

const partOf = (token: string, index: number): JsonObject =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as JsonObject;

describe('API-Z9: a token of a service account', () => {
  test('names the account with its groups, and the key set of the server proves it', async () => {
    const api = await Accounts.started();
    const token = await api.token();
    const { body } = await api.whoIs(token);
    expect(body['status']).toMatchObject({
      userInfo: {
        username: 'system:serviceaccount:default:robot',
        uid: api.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${partOf(token, 1)['jti'] as string}`] },
      },
    });
    const { keys } = (await api.ok('GET /openid/v1/jwks')) as unknown as { keys: (JsonWebKey & { kid: string })[] };
    const jwk = keys.find(({ kid }) => kid === partOf(token, 0)['kid']);
    const key = createPublicKey({ key: jwk ?? {}, format: 'jwk' });
    const at = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(at + 1), 'base64url');
    expect(verify('sha256', Buffer.from(token.slice(0, at)), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
  });

  test('has the audiences and the time that were asked for, and an hour for this server unless told', async () => {
    const api = await Accounts.started();
    const plain = partOf(await api.token(), 1) as Record<string, number>;
    expect(plain).toMatchObject({
      aud: ['https://kubernetes.default.svc'],
      sub: 'system:serviceaccount:default:robot',
    });
    expect((plain['exp'] ?? 0) - (plain['iat'] ?? 0)).toBe(3600);
    const other = partOf(await api.token({ audiences: ['vault'], expirationSeconds: 600 }), 1) as Record<
      string,
      number
    >;
    expect(other).toMatchObject({ aud: ['vault'], exp: (other['iat'] ?? 0) + 600 });
  });

  test('counts until it has expired, a minute of leeway later', async () => {
    const api = await Accounts.started();
    const token = await api.token({ expirationSeconds: 600 });
    await api.clock.advance(659_000);
    expect((await api.whoIs(token)).code).toBe(201);
    await api.clock.advance(3000);
    expect((await api.whoIs(token)).code).toBe(401);
    expect(await api.review(token)).toMatchObject({ error: expect.stringContaining('has expired') as string });
  });

  test('for somebody else does not count here, and does where its audience is asked for', async () => {
    const api = await Accounts.started();
    const token = await api.token({ audiences: ['vault'] });
    expect((await api.whoIs(token)).code).toBe(401);
    expect(await api.review(token, ['vault', 'more'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await api.review(token)).not.toHaveProperty('authenticated');
  });

  test('is worth nothing once its account is gone, be there a new one of that name', async () => {
    const api = await Accounts.started();
    const token = await api.token();
    await api.ok(`DELETE ${accounts}/robot`);
    expect((await api.whoIs(token)).code).toBe(401);
    await api.ok(`POST ${accounts}`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } });
    expect((await api.whoIs(token)).code).toBe(401);
  });

  test('bound to a pod says so, and dies with it', async () => {
    const api = await Accounts.started();
    const spec = { serviceAccountName: 'robot', nodeName: 'box', containers: [{ name: 'c', image: 'i' }] };
    const pod = await api.ok(`POST ${paths.pods}`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
    const token = await api.token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } });
    const { body } = await api.whoIs(token);
    expect(body['status']).toMatchObject({
      userInfo: {
        extra: {
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': [metadataOf(pod).uid],
          'authentication.kubernetes.io/node-name': ['box'],
        },
      },
    });
    await api.ok(`DELETE ${paths.pods}/p?gracePeriodSeconds=0`);
    expect((await api.whoIs(token)).code).toBe(401);
  });

  test('of a stranger, changed on the way, or unsigned does not count', async () => {
    const api = await Accounts.started();
    const token = await api.token();
    const [head = '', , end = ''] = token.split('.');
    const admin = Buffer.from(JSON.stringify({ ...partOf(token, 1), sub: 'x' })).toString('base64url');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const signed = token.slice(0, token.lastIndexOf('.'));
    const foreign = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const forged = [
      `${head}.${admin}.${end}`,
      `${signed}.${foreign.toString('base64url')}`,
      `${none}.${token.split('.')[1] ?? ''}.`,
      `${none}.${token.split('.')[1] ?? ''}.${end}`,
      `${signed}.`,
      'a.b.c',
    ];
    for (const one of forged) expect((await api.whoIs(one)).code, one).toBe(401);
  });

  test.each([
    ['too short', { expirationSeconds: 599 }, {}, 422],
    ['too long', { expirationSeconds: 2 ** 32 + 1 }, {}, 422],
    ['of another name', {}, { name: 'other' }, 422],
    ['of another uid', {}, { uid: 'other' }, 409],
    ['bound to what is not there', { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } }, {}, 404],
    ['bound to what cannot be', { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } }, {}, 400],
  ])('%s is refused', async (_, spec, metadata, code) => {
    const api = await Accounts.started();
    expect((await api.request(spec, metadata)).code).toBe(code);
  });
});
