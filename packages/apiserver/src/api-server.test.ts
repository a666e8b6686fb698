import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import type { JsonObject } from 'kilter/api';
import { createAuthority, issue } from 'kilter/certificates';
import { systemRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { apiServer } from './api-server.ts';
import type { ApiServer } from './server-interface.ts';
import { ConnectionLost, type Listener } from './http/index.ts';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps } = paths;

describe('faults', () => {
  test('API-H3: a status with Retry-After, for so many calls of a verb and kind', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a'));
    api.server.fail({
      verb: 'get',
      group: 'example.com',
      kind: 'WebApp',
      times: 2,
      fault: { type: 'status', code: 429, retryAfter: 7 },
    });
    const hit = await api.send(`GET ${webApps}/a`);
    expect([hit.code, hit.headers['retry-after'], hit.body['reason'], hit.body['details']]).toEqual([
      429,
      '7',
      'TooManyRequests',
      { retryAfterSeconds: 7 },
    ]);
    expect((await api.send(`GET ${webApps}`)).code).toBe(200);
    expect((await api.send(`GET ${configMaps}`)).code).toBe(200);
    expect((await api.send(`GET ${webApps}/a`)).code).toBe(429);
    expect((await api.send(`GET ${webApps}/a`)).code).toBe(200);
  });

  test('API-H3: a delay, a lost request, a lost answer', async () => {
    await using api = new ServerUnderTest();
    const stopDelay = api.server.fail({ verb: 'create', fault: { type: 'delay', ms: 500 } });
    const delayed = api.send(`POST ${configMaps}`, configMap('a'));
    await api.clock.advance(499);
    expect((await api.send(`GET ${configMaps}/a`)).code).toBe(404);
    await api.clock.advance(1);
    expect((await delayed).code).toBe(201);
    stopDelay();
    api.server.fail({ kind: 'ConfigMap', name: 'b', verb: 'update', times: 1, fault: { type: 'lost-request' } });
    api.server.fail({ kind: 'ConfigMap', name: 'a', verb: 'update', times: 1, fault: { type: 'lost-answer' } });
    await api.ok(`POST ${configMaps}`, configMap('b'));
    await expect(api.send(`PUT ${configMaps}/b`, configMap('b', { data: { k: 'v' } }))).rejects.toThrow(ConnectionLost);
    await expect(api.send(`PUT ${configMaps}/a`, configMap('a', { data: { k: 'v' } }))).rejects.toThrow(ConnectionLost);
    expect(await api.ok(`GET ${configMaps}/b`)).not.toHaveProperty('data');
    expect(await api.ok(`GET ${configMaps}/a`)).toMatchObject({ data: { k: 'v' } });
  });

  test('a rule can be taken away, and one about a subresource hits nothing else', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a'));
    const remove = api.server.fail({
      verb: 'patch',
      subresource: 'status',
      fault: { type: 'status', code: 500, message: 'boom' },
    });
    const status = () => api.send(`PATCH ${webApps}/a/status`, { status: { replicas: 1 } }, { type: types.merge });
    const failed = await status();
    expect([failed.code, failed.body['reason'], failed.body['message']]).toEqual([500, 'InternalError', 'boom']);
    expect((await api.send(`PATCH ${webApps}/a`, {}, { type: types.merge })).code).toBe(200);
    remove();
    expect((await status()).code).toBe(200);
  });
});

describe('controllers', () => {
  test('a deleted owner takes its dependents along; switched off, they stay', async () => {
    for (const gc of [true, false]) {
      await using api = new ServerUnderTest({ controllers: { gc, workloads: false } });
      const { uid } = metadataOf(await api.ok(`POST ${configMaps}`, configMap('owner')));
      const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }] as JsonObject[];
      await api.ok(`POST ${configMaps}`, configMap('child', { metadata: { ownerReferences } }));
      await api.ok(`DELETE ${configMaps}/owner`);
      await api.server.idle();
      expect((await api.send(`GET ${configMaps}/child`)).code).toBe(gc ? 404 : 200);
    }
  });

  test('a Deployment becomes Available, in time that a test moves', async () => {
    await using api = new ServerUnderTest({ controllers: {} });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template };
    await api.ok(`POST ${paths.deployments}`, { metadata: { name: 'd' }, spec });
    await api.clock.advance(5000);
    expect(await api.ok(`GET ${paths.deployments}/d`)).toMatchObject({
      status: { availableReplicas: 2, observedGeneration: 1 },
    });
  });
});

describe('close', () => {
  test('API-E12: ends watches, waits and timers, and answers 503 from then on', async () => {
    const api = new ServerUnderTest({ controllers: {} });
    const watch = await api.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
    await api.ok('POST /api/v1/namespaces/default/events', { metadata: { name: 'e' }, involvedObject: {} });
    const waiting = api.send(`GET ${configMaps}?resourceVersion=99999`);
    api.server.fail({ verb: 'delete', fault: { type: 'delay', ms: 60_000 } });
    const delayed = api.send(`DELETE ${configMaps}/nope`);
    await api.clock.settle();
    expect(api.clock.pending).toBeGreaterThan(0);
    await api.server.close();
    await api.clock.settle();
    expect([watch.done, (await waiting).code, (await delayed).code]).toEqual([true, 504, 404]);
    expect(api.clock.pending).toBe(0);
    const late = await api.send('GET /healthz');
    expect([late.code, late.body['reason'], late.headers['retry-after']]).toEqual([503, 'ServiceUnavailable', '1']);
    await api.server.close();
  });
});

interface SocketReply {
  readonly status: number | undefined;
  readonly warnings: readonly string[];
  readonly body: JsonObject;
  readonly text: string;
}

interface SocketAsking {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly tls?: { ca: string; cert?: string; key?: string };
}

function ask(
  listener: Listener,
  path: string,
  { method = 'GET', body, headers = {}, tls }: SocketAsking = {},
): Promise<SocketReply> {
  const options = {
    host: listener.host,
    port: listener.port,
    path,
    method,
    headers: { authorization: 'Bearer t', ...headers },
  };
  return new Promise((resolve, reject) => {
    const request = tls === undefined ? plainRequest(options) : tlsRequest({ ...options, ...tls });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const raw = response.rawHeaders;
        const warnings = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === 'warning');
        resolve({
          status: response.statusCode,
          warnings,
          text,
          body: text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {},
        });
      });
    });
    request.end(body);
  });
}

function realServer(users: string[] = []): ApiServer {
  return apiServer({
    users: { t: { name: 'tester', groups: [] } },
    controllers: { gc: false, workloads: false },
    onRequest: ({ user }) => users.push(user),
  });
}

describe('on a socket', () => {
  test('the same server answers, with one header per warning', async () => {
    const server = realServer();
    const listener = await server.listen({ plain: true });
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    const body = JSON.stringify(configMap('a', { b: 1, c: 1 }));
    const created = await ask(listener, configMaps, { method: 'POST', body });
    expect([created.status, created.warnings]).toEqual([
      201,
      ['299 - "unknown field \\"b\\""', '299 - "unknown field \\"c\\""'],
    ]);
    expect((await ask(listener, `${configMaps}/a`)).body).toEqual(created.body);
    expect((await ask(listener, '/nope')).text).toBe('404 page not found\n');
    const large = await ask(listener, configMaps, { method: 'POST', body: 'x'.repeat(4_000_000) });
    expect(large.body['message']).toBe('Request entity too large: limit is 3145728');
    await server.close();
  });

  test('a watch sends its headers at once and each event as it comes, until the server is closed', async () => {
    const server = realServer();
    const listener = await server.listen({ plain: true });
    const events: string[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      const request = plainRequest({
        host: listener.host,
        port: listener.port,
        path: `${configMaps}?watch=1`,
        headers: { authorization: 'Bearer t' },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        void ask(listener, configMaps, { method: 'POST', body: JSON.stringify(configMap('a')) });
        response.on('data', (chunk: Buffer) => {
          events.push((JSON.parse(chunk.toString()) as { type: string }).type);
          if (events.length === 1) void ask(listener, `${configMaps}/a`, { method: 'DELETE' });
          else server.breakWatches();
        });
        response.on('end', resolve);
      });
      request.end();
    });
    await ended;
    expect(events).toEqual(['ADDED', 'DELETED']);
    expect(server.registry.usage().watches).toBe(0);
    await server.close();
  });

  test('a client that hangs up ends its watch', async () => {
    const server = realServer();
    const listener = await server.listen({ plain: true });
    const socket = connect(listener.port, listener.host);
    socket.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    expect(server.registry.usage().watches).toBe(1);
    socket.destroy();
    await expect.poll(() => server.registry.usage().watches).toBe(0);
    await server.close();
  });

  test('a lost answer is a broken connection', async () => {
    const server = realServer();
    const listener = await server.listen({ plain: true });
    server.fail({ verb: 'create', fault: { type: 'lost-answer' } });
    await expect(ask(listener, configMaps, { method: 'POST', body: JSON.stringify(configMap('a')) })).rejects.toThrow(
      'socket hang up',
    );
    expect((await ask(listener, `${configMaps}/a`)).status).toBe(200);
    await server.close();
  });

  test('a port that is taken is named with a cure', async () => {
    const server = realServer();
    const { port } = await server.listen({ plain: true });
    await expect(server.listen({ port, plain: true })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is already in use: stop what listens there, choose another port, or leave the port out`,
    );
    await server.close();
  });

  test('closing leaves no connection open, idle ones and watches included', async () => {
    const server = realServer();
    const listener = await server.listen({ plain: true });
    const watch = ask(listener, `${configMaps}?watch=1`);
    await expect.poll(() => server.registry.usage().watches).toBe(1);
    await server.close();
    await watch.then(
      () => undefined,
      (error: unknown) => expect(error).toBeInstanceOf(Error),
    );
    await expect(ask(listener, '/healthz')).rejects.toThrow('ECONNREFUSED');
  });

  test('API-Z1: over TLS a client certificate of the client CA names the user, and another one is 401', async () => {
    const users: string[] = [];
    const server = realServer(users);
    const now = systemRuntime.clock.now();
    const authority = createAuthority({ name: 'ca', now, days: 1 });
    const clients = createAuthority({ name: 'clients', now, days: 1 });
    const leaf = issue(authority, {
      name: 'localhost',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
      now,
      days: 1,
      usage: 'server',
    });
    const alice = issue(clients, { name: 'alice', now, days: 1, usage: 'client' });
    const listener = await server.listen({ cert: leaf.certificate, key: leaf.key, clientCa: clients.certificate });
    expect(listener.url).toBe(`https://127.0.0.1:${listener.port}`);
    const ca = authority.certificate;
    await ask(listener, '/version', { tls: { ca } });
    await ask(listener, '/version', {
      tls: { ca, cert: alice.certificate, key: alice.key },
      headers: { authorization: '' },
    });
    const stranger = issue(authority, { name: 'eve', now, days: 1, usage: 'client' });
    const shown = { tls: { ca, cert: stranger.certificate, key: stranger.key } };
    const refused = await ask(listener, '/version', { ...shown, headers: { authorization: '' } });
    expect([refused.status, refused.body['message']]).toEqual([401, 'Unauthorized']);
    await ask(listener, '/version', shown);
    expect(users).toEqual(['tester', 'alice', '', 'tester']);
    await server.close();
  });
});
