import { controller, operator, type Operator } from 'kilter';
import { ConfigMap, Namespace, Secret } from 'kilter/k8s/core/v1';
import type { Connection, ExchangeRequest } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { askedRight } from './asked-rights.ts';
import { Note, notesOperator } from './backends.test-support.ts';
import { cluster } from './index.ts';
import { OperatorRequests } from './permission-use.ts';

describe('C-01: the right a request needs is what the authorizer is asked', () => {
  const at = (namespace: string | undefined, name?: string) => ({ namespace, name });
  test.each([
    ['GET', '/api/v1/pods', { verb: 'list', group: '', resource: 'pods', ...at(undefined) }],
    ['GET', '/api/v1/namespaces/a/pods?limit=500', { verb: 'list', group: '', resource: 'pods', ...at('a') }],
    [
      'GET',
      '/apis/apps/v1/deployments?watch=true',
      { verb: 'watch', group: 'apps', resource: 'deployments', ...at(undefined) },
    ],
    [
      'GET',
      '/apis/apps/v1/deployments?watch=1',
      { verb: 'watch', group: 'apps', resource: 'deployments', ...at(undefined) },
    ],
    [
      'GET',
      '/apis/apps/v1/deployments?watch=false',
      { verb: 'list', group: 'apps', resource: 'deployments', ...at(undefined) },
    ],
    ['GET', '/api/v1/namespaces/a/pods/p', { verb: 'get', group: '', resource: 'pods', ...at('a', 'p') }],
    ['GET', '/api/v1/namespaces/a/pods/p/log', { verb: 'get', group: '', resource: 'pods/log', ...at('a', 'p') }],
    [
      'POST',
      '/api/v1/namespaces/a/pods/p/eviction',
      { verb: 'create', group: '', resource: 'pods/eviction', ...at('a', 'p') },
    ],
    ['POST', '/api/v1/namespaces/a/pods', { verb: 'create', group: '', resource: 'pods', ...at('a') }],
    ['PUT', '/api/v1/namespaces/a/pods/p', { verb: 'update', group: '', resource: 'pods', ...at('a', 'p') }],
    [
      'PATCH',
      '/apis/e.com/v1/namespaces/a/xs/x/status?force=true',
      { verb: 'patch', group: 'e.com', resource: 'xs/status', ...at('a', 'x') },
    ],
    ['DELETE', '/api/v1/namespaces/a/pods/p', { verb: 'delete', group: '', resource: 'pods', ...at('a', 'p') }],
    ['DELETE', '/api/v1/namespaces/a/pods', { verb: 'deletecollection', group: '', resource: 'pods', ...at('a') }],
    ['GET', '/api/v1/namespaces', { verb: 'list', group: '', resource: 'namespaces', ...at(undefined) }],
    ['GET', '/api/v1/namespaces/a', { verb: 'get', group: '', resource: 'namespaces', ...at(undefined, 'a') }],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      { verb: 'update', group: '', resource: 'namespaces/finalize', ...at(undefined, 'a') },
    ],
    ['PATCH', '/api/v1/nodes/n%2E1', { verb: 'patch', group: '', resource: 'nodes', ...at(undefined, 'n.1') }],
    [
      'GET',
      '/apis/c/v1/namespaces/a/leases?fieldSelector=metadata.name%3Dl&watch=true',
      { verb: 'watch', group: 'c', resource: 'leases', ...at('a', 'l') },
    ],
    [
      'GET',
      '/api/v1/pods?fieldSelector=metadata.name%3Dp%2Cspec.nodeName%3Dn',
      { verb: 'list', group: '', resource: 'pods', ...at(undefined) },
    ],
    ['GET', '/api', undefined],
    ['GET', '/apis/apps/v1', undefined],
    ['GET', '/version', undefined],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', undefined],
    [
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      { verb: 'create', group: 'authorization.k8s.io', resource: 'subjectaccessreviews', ...at(undefined) },
    ],
  ])('%s %s', (method, path, right) => {
    expect(askedRight(method, path)).toEqual(right);
  });
});

const nothing = () => Promise.resolve();

/** An operator's requests, sent by hand; each `METHOD path status`. */
async function afterRequests(operator: Operator, requests: readonly string[]) {
  const answers = (request: ExchangeRequest) =>
    Promise.resolve({ status: Number(request.headers['answer']), headers: {}, body: [] });
  const connection = { namespace: 'default', exchange: answers } as unknown as Connection;
  const asked = new OperatorRequests(operator, { namespace: 'default' });
  const over = asked.over(connection);
  for (const text of requests) {
    const [method = '', path = '', answer = '200'] = text.split(' ');
    await over.exchange({ method, path, headers: { answer } } as unknown as ExchangeRequest);
  }
  return asked.use;
}

describe('C-01: what is declared beside what was asked for', () => {
  const notes = '/apis/harness.example.com/v1/notes';
  const one = '/apis/harness.example.com/v1/namespaces/a/notes/n';
  const reading = [`GET ${notes}`, `GET ${notes}?watch=true`];
  const own = [...reading, `PATCH ${one}/status`];
  const simple = operator({ name: 'simple', controllers: [controller(Note).reconcile(nothing)] });

  test('is the same where each was asked for; what is rare is not missed', async () => {
    expect(await afterRequests(simple, own)).toEqual({ missing: [], unused: [] });
  });

  test('names what nothing asked for, and what declares it', async () => {
    expect(await afterRequests(simple, reading)).toEqual({
      missing: [],
      unused: [
        'simple: patch notes/status.harness.example.com: the controller note writes the status of Note.harness.example.com',
      ],
    });
  });

  test('names what nothing declares, once, refused or not', async () => {
    const others = [
      'POST /api/v1/namespaces/a/configmaps 403',
      'POST /api/v1/namespaces/a/configmaps 201',
      'GET /api/v1/nodes/n 404',
    ];
    expect(await afterRequests(simple, [...own, ...others])).toEqual({
      missing: ['simple: create configmaps in namespace a', 'simple: get nodes'],
      unused: [],
    });
  });

  test('takes an apply that made its object for a create as well, as the server does', async () => {
    const owning = operator({ name: 'o', controllers: [controller(Note).owns(ConfigMap).reconcile(nothing)] });
    const children = ['GET /api/v1/configmaps', 'GET /api/v1/configmaps?watch=1'];
    const applied = 'PATCH /api/v1/namespaces/a/configmaps/c?fieldManager=o';
    const unused = 'o: create configmaps: the controller note owns ConfigMap';
    expect(await afterRequests(owning, [...own, ...children, `${applied} 200`])).toEqual({
      missing: [],
      unused: [unused],
    });
    expect(await afterRequests(owning, [...own, ...children, `${applied} 201`])).toEqual({ missing: [], unused: [] });
    const undeclared = await afterRequests(simple, [...own, `${applied} 201`]);
    expect(undeclared.missing).toEqual([
      'simple: create configmaps in namespace a',
      'simple: patch configmaps in namespace a',
    ]);
  });

  test('is compared for each namespace a Role would be for, and for names', async () => {
    const secrets = operator({
      name: 'o',
      leaderElection: { namespace: 'sys' },
      controllers: [
        controller(Note)
          .reads(Secret, { namespaces: ['a', 'b'] })
          .reconcile(nothing),
      ],
    });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/sys/leases';
    const asked = ['a', 'c'].flatMap((name) => [
      `GET /api/v1/namespaces/${name}/secrets`,
      `GET /api/v1/namespaces/${name}/secrets?watch=1`,
    ]);
    expect(await afterRequests(secrets, [...own, ...asked, `GET ${leases}/o`, `PUT ${leases}/other`])).toEqual({
      missing: [
        'o: list secrets in namespace c',
        'o: update leases.coordination.k8s.io in namespace sys',
        'o: watch secrets in namespace c',
      ],
      unused: ['o: watch secrets in namespace b: the controller note reads Secret'],
    });
  });

  test('counts what holds everywhere once, also where a namespace needs it too', async () => {
    const both = operator({
      name: 'o',
      controllers: [
        controller(Note)
          .reads(ConfigMap)
          .watches(ConfigMap, () => undefined, { namespaces: ['a'] })
          .reconcile(nothing),
      ],
    });
    const asked = ['GET /api/v1/configmaps', 'GET /api/v1/configmaps?watch=1'];
    expect(await afterRequests(both, [...own, ...asked])).toEqual({ missing: [], unused: [] });
  });
});

describe('C-01: env.permissions', () => {
  test('is empty for an operator that does what it declares, under just these rules', async () => {
    await using env = await cluster({
      backend: 'embedded',
      operator: notesOperator({ leaderElection: true }),
      rbac: 'derived',
    });
    expect(env.permissions.unused).not.toEqual([]);
    await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
    await env.eventually(Note, 'a', { status: { copied: 'hello' } });
    expect(env.permissions).toEqual({ missing: [], unused: [] });
    // The second replica of the same operator uses nothing yet, and is the same operator.
    await env.start(notesOperator({ leaderElection: true }));
    expect(env.permissions).toEqual({ missing: [], unused: [] });
  });

  test('names what an operator does beside its declarations, whatever it may do', async () => {
    const undeclared = controller(Note)
      .owns(Secret)
      .reconcile(async (note, ctx) => {
        await ctx.client.create(Namespace.build({ name: note.metadata.name }));
      });
    await using env = await cluster({
      backend: 'embedded',
      operator: operator({ name: 'o', controllers: [undeclared] }),
    });
    await env.client.create(Note.build({ name: 'made', spec: { text: 'x' } }));
    await env.eventually(Namespace, 'made', {});
    expect(env.permissions.missing).toEqual(['o: create namespaces']);
    expect(env.permissions.unused).toContain('o: patch secrets: the controller note owns Secret');
  });
});
