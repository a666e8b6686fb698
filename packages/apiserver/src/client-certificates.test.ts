// Users by client certificate, over TLS.
import { request } from 'node:https';
import { createAuthority, issue } from 'kilter/certificates';
import { systemRuntime } from 'kilter/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { apiServer } from './api-server.ts';
import type { ApiServer, ServedAddress } from './server-interface.ts';

const now = systemRuntime.clock.now();
const day = 86_400_000;
const who = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

interface Shown {
  readonly certificate?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

interface Seen {
  readonly status: number;
  readonly user: { readonly username?: string; readonly groups?: string[]; readonly extra?: Record<string, string[]> };
}

function ask({ host, port, ca }: ServedAddress, { certificate: cert, key, headers = {} }: Shown): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host,
        port,
        ca,
        cert,
        key,
        agent: false,
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { status } = JSON.parse(text) as { status: { userInfo?: Seen['user'] } };
          resolve({ status: response.statusCode ?? 0, user: status.userInfo ?? {} });
        });
      },
    );
    sent.on('error', reject);
    sent.end(who);
  });
}

function server(): ApiServer {
  const started = apiServer({
    controllers: { gc: false, workloads: false },
    users: { robin: { name: 'robin', groups: [] } },
  });
  onTestFinished(() => started.close());
  return started;
}

test('API-Z1: a certificate of the server names a user and groups, and says which certificate it was', async () => {
  const api = server();
  const served = await api.listen();
  const { user, status } = await ask(served, api.certify({ name: 'alice', groups: ['team', 'ops'] }));
  expect([status, user.username, user.groups]).toEqual([201, 'alice', ['team', 'ops', 'system:authenticated']]);
  expect(user.extra).toEqual({
    'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
  });
  // Whoever shows a good certificate is that user, whatever token comes along.
  const both = await ask(served, { ...api.certify({ name: 'bob' }), headers: { authorization: 'Bearer robin' } });
  expect([both.user.username, both.user.groups]).toEqual(['bob', ['system:authenticated']]);
});

test('API-Z1: one listener is as good as another, but not another server', async () => {
  const [one, other] = [server(), server()];
  const [first, second] = [await one.listen(), await one.listen()];
  const shown = one.certify({ name: 'alice' });
  expect((await ask(first, shown)).user.username).toBe('alice');
  expect((await ask(second, shown)).user.username).toBe('alice');
  expect((await ask(await other.listen(), shown)).status).toBe(401);
});

test('API-Z1: certificates that are foreign, over, or not for clients are 401, unless a token helps', async () => {
  const api = server();
  const clients = createAuthority({ name: 'clients', now: now - 10 * day, days: 30 });
  const served = await api.listen({ clientCa: clients.certificate });
  const subject = { name: 'alice', now, days: 1, usage: 'client' as const };
  expect((await ask(served, issue(clients, subject))).user.username).toBe('alice');
  const bad = {
    foreign: issue(createAuthority({ name: 'clients', now, days: 1 }), subject),
    over: issue(clients, { ...subject, now: now - 5 * day, days: 2 }),
    early: issue(clients, { ...subject, now: now + 5 * day, days: 2 }),
    'of a server': issue(clients, { ...subject, usage: 'server', dnsNames: ['alice'] }),
    'of the server itself': api.certify({ name: 'alice' }),
  };
  for (const [what, shown] of Object.entries(bad)) {
    expect([what, (await ask(served, shown)).status]).toEqual([what, 401]);
    const { user } = await ask(served, { ...shown, headers: { authorization: 'Bearer robin' } });
    expect([what, user.username]).toEqual([what, 'robin']);
  }
});

test('API-Z4: groups that come as headers of their own are groups of their own', async () => {
  const api = server();
  const headers = { 'impersonate-user': 'carol', 'impersonate-group': ['a, b', 'c'] };
  const { user } = await ask(await api.listen(), { ...api.certify({ name: 'alice' }), headers });
  expect([user.username, user.groups]).toEqual(['carol', ['a, b', 'c', 'system:authenticated']]);
});
