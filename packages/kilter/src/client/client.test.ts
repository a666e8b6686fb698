import { describe, expect, test } from 'vitest';
import {
  apiErrorOf,
  type Code,
  hasCode,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
} from '../errors/index.ts';
import { type Client, json, strategic } from './index.ts';
import { type Answer, app, failure, Node, refused, stored, WebApp, world } from './scripted-client.test-support.ts';

describe('writes', () => {
  const verbs: [string, (client: Client, options: { dryRun?: boolean }) => Promise<unknown>, string][] = [
    ['create', (client, options) => client.create(app(), options), 'POST /apis/example.com/v1/namespaces/mine/webapps'],
    [
      'update',
      (client, options) => client.update(app(), options),
      'PUT /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'edit',
      (client, options) => client.edit(app(), (draft) => void (draft.spec.replicas = 3), options),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'patch',
      (client, options) => client.patch(WebApp, 'shop', { spec: { replicas: 3 } }, options),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'apply',
      (client, options) => client.apply(app(), { manager: 'me', ...options }),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'delete of an object',
      (client, options) => client.delete(app(), options),
      'DELETE /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'delete by name',
      (client, options) => client.delete(WebApp, 'shop', options),
      'DELETE /apis/example.com/v1/namespaces/mine/webapps/shop',
    ],
    [
      'create of a subresource',
      (client, options) => client.create(app(), { subresource: 'eviction', ...options }),
      'POST /apis/example.com/v1/namespaces/mine/webapps/shop/eviction',
    ],
    [
      'update of a subresource',
      (client, options) => client.update(app(), { subresource: 'status', ...options }),
      'PUT /apis/example.com/v1/namespaces/mine/webapps/shop/status',
    ],
    [
      'edit of a subresource',
      (client, options) =>
        client.edit(app(), (draft) => void (draft.status.ready = true), { subresource: 'status', ...options }),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop/status',
    ],
    [
      'patch of a subresource',
      (client, options) =>
        client.patch(WebApp, 'shop', { spec: { replicas: 3 } }, { subresource: 'scale', ...options }),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop/scale',
    ],
    [
      'apply of a subresource',
      (client, options) => client.apply(app(), { manager: 'me', subresource: 'status', ...options }),
      'PATCH /apis/example.com/v1/namespaces/mine/webapps/shop/status',
    ],
  ];

  test.each(verbs)('%s goes to its place', async (_, call, expected) => {
    const { client, seen } = world([{ body: stored }]);
    await call(client, {});
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([expected]);
    expect(seen[0]?.query.dryRun).toBeUndefined();
  });

  test.each(verbs)('CL-7: %s can be a dry run', async (_, call) => {
    const { client, seen } = world([{ body: stored }]);
    await call(client, { dryRun: true });
    expect(seen[0]?.query.dryRun).toBe('All');
    // Where there is a body, the server reads the options of a delete from it alone.
    if (seen[0]?.method === 'DELETE') expect(seen[0].body).toMatchObject({ dryRun: ['All'] });
  });

  test.each(verbs)('%s of a guarded client asks the gate; its dry run does not', async (_, call) => {
    const { client, seen } = world([{ body: stored }], { guarded: true, gate: { closed: () => 'not leading' } });
    expect(hasCode(await failure(call(client, {})), 'TRANSPORT_GATE_CLOSED')).toBe(true);
    expect(seen).toEqual([]);
    await call(client, { dryRun: true });
    expect(seen).toHaveLength(1);
  });

  test.each(verbs.filter(([name]) => !name.startsWith('delete')))(
    'CL-3: %s returns the answer with apiVersion, kind and managedFields, and leaves its frozen argument alone',
    async (_, call) => {
      const { apiVersion: __, kind: ___, ...rest } = stored;
      const answer = { ...rest, metadata: { ...stored.metadata, resourceVersion: '8' } };
      const { client } = world([{ body: answer }]);
      expect(await call(client, {})).toEqual({ ...stored, metadata: answer.metadata });
    },
  );

  test('what the caller changes after the call is not sent', async () => {
    const { client, seen } = world([{ body: stored }]);
    const object = structuredClone(stored);
    const done = client.update(object);
    object.spec.image = 'changed';
    await done;
    expect(seen[0]?.body).toEqual(stored);
  });

  test('an answer under another kind keeps it: a scale is a Scale', async () => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'shop' }, spec: { replicas: 3 } };
    const { client } = world([{ body: scale }]);
    expect(await client.patch(WebApp, 'shop', { spec: { replicas: 3 } }, { subresource: 'scale' })).toEqual(scale);
  });

  test('patches are sent as what they are', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.patch(WebApp, { name: 'shop', namespace: 'x' }, { spec: { replicas: null } });
    await client.patch(WebApp, 'shop', strategic<WebApp>({ spec: { replicas: 2 } }));
    await client.patch(WebApp, 'shop', json([{ op: 'remove', path: '/spec/replicas' }]));
    expect(seen.map(({ type, body }) => [type, body])).toEqual([
      ['application/merge-patch+json', { spec: { replicas: null } }],
      ['application/strategic-merge-patch+json', { spec: { replicas: 2 } }],
      ['application/json-patch+json', [{ op: 'remove', path: '/spec/replicas' }]],
    ]);
    expect(seen[0]?.path).toContain('/namespaces/x/');
  });

  test('the field manager is the client’s, or the call’s', async () => {
    const { client, seen } = world([{ body: stored }], { manager: 'op/webapp' });
    await client.create(app());
    await client.create(app(), { manager: 'other' });
    expect(seen.map(({ query }) => query.fieldManager)).toEqual(['op/webapp', 'other']);
  });
});

describe('delete', () => {
  test('CL-9: an object carries its UID as a precondition', async () => {
    const { client, seen } = world([{ body: { kind: 'Status', status: 'Success' } }]);
    await client.delete(app(), { propagation: 'Foreground', gracePeriod: 5 });
    expect(seen[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u1' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 5,
    });
  });

  test('CL-9: an object without a UID is not deleted by its name', async () => {
    const { client, seen } = world([{ body: {} }]);
    const error = await failure(client.delete(WebApp.build({ name: 'shop', spec: { image: 'x' } })));
    expect(hasCode(error, 'CLIENT_UID_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });

  test('by kind and name it is whatever has that name', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.delete(WebApp, { namespace: 'x', name: 'shop' }, { propagation: 'Orphan' });
    await client.delete(Node, 'n1');
    expect(seen.map(({ path, body }) => [path, body])).toEqual([
      [
        '/apis/example.com/v1/namespaces/x/webapps/shop',
        { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan' },
      ],
      ['/api/v1/nodes/n1', { apiVersion: 'v1', kind: 'DeleteOptions' }],
    ]);
  });

  test('an empty name is never the whole collection', async () => {
    const { client, seen } = world([{ body: {} }]);
    expect(hasCode(await failure(client.delete(WebApp, '')), 'CLIENT_NAME_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });
});

describe('apply', () => {
  test('sends the fields given, without what the server refuses, and does not force', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.apply(WebApp.fields({ name: 'shop', namespace: 'x', spec: { replicas: 3 } }), { manager: 'me' });
    await client.apply(app(), { manager: 'me', force: true });
    expect(seen[0]).toEqual({
      method: 'PATCH',
      path: '/apis/example.com/v1/namespaces/x/webapps/shop',
      query: { fieldManager: 'me' },
      type: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'example.com/v1',
        kind: 'WebApp',
        metadata: { name: 'shop', namespace: 'x' },
        spec: { replicas: 3 },
      },
    });
    expect(seen[1]?.query).toEqual({ fieldManager: 'me', force: 'true' });
    expect(seen[1]?.body).toEqual({ ...stored, metadata: { name: 'shop', namespace: 'mine', uid: 'u1' } });
  });

  test('a conflict is an error of its own, naming manager and fields', async () => {
    const message = 'Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas';
    const causes = [{ reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.replicas' }];
    const { client } = world([
      { status: 409, body: { kind: 'Status', code: 409, reason: 'Conflict', message, details: { causes } } },
    ]);
    const error = await failure(client.apply(app(), { manager: 'me' }));
    expect(hasCode(error, 'CLIENT_APPLY_CONFLICT')).toBe(true);
    expect(isConflict(error)).toBe(true);
    expect(String(error)).toContain('"kubectl"');
    expect(String(error)).toContain('.spec.replicas');
    expect(apiErrorOf(error)?.status.causes).toEqual(causes);
  });

  test('without a manager it is refused before it is sent', async () => {
    const { client, seen } = world([{ body: stored }]);
    expect(hasCode(await failure(client.apply(app(), { manager: '' })), 'CLIENT_MANAGER_MISSING')).toBe(true);
    expect(seen).toEqual([]);
  });
});

describe('failures', () => {
  test.each<[number, string, (error: unknown) => boolean]>([
    [400, 'BadRequest', isBadRequest],
    [401, 'Unauthorized', isUnauthorized],
    [403, 'Forbidden', isForbidden],
    [404, 'NotFound', isNotFound],
    [409, 'AlreadyExists', isAlreadyExists],
    [409, 'Conflict', isConflict],
    [410, 'Expired', isExpired],
    [410, 'Gone', isExpired],
    [422, 'Invalid', isInvalid],
    [429, 'TooManyRequests', isTooManyRequests],
    [500, 'InternalError', isUnavailable],
    [503, 'ServiceUnavailable', isUnavailable],
    [504, 'Timeout', isTimeout],
    [405, 'MethodNotAllowed', (error) => hasCode(error, 'CLIENT_REFUSED')],
    [413, 'RequestEntityTooLarge', (error) => hasCode(error, 'CLIENT_REFUSED')],
  ])('CL-12: %d %s has its predicate, and no other, through causes too', async (status, reason, predicate) => {
    const { client } = world([refused(status, reason)]);
    const error = await failure(client.update(app()));
    const wrapped = new Error('outer', { cause: new Error('middle', { cause: error }) });
    const all = [
      isBadRequest,
      isUnauthorized,
      isForbidden,
      isNotFound,
      isAlreadyExists,
      isConflict,
      isExpired,
      isInvalid,
    ];
    expect([predicate(error), predicate(wrapped)]).toEqual([true, true]);
    expect(all.filter((other) => other !== predicate).some((other) => other(wrapped))).toBe(false);
  });

  test.each<[string, Answer, Code]>([
    ['a login page', { body: '<html>please log in</html>', type: 'text/html' }, 'CLIENT_UNEXPECTED_ANSWER'],
    ['nothing', { body: '' }, 'CLIENT_UNEXPECTED_ANSWER'],
    ['a list of JSON', { body: [] }, 'CLIENT_UNEXPECTED_ANSWER'],
    ['null', { body: 'null' }, 'CLIENT_UNEXPECTED_ANSWER'],
    ['half an object', { body: '{"data":{"password":"hunter2"' }, 'CLIENT_UNEXPECTED_ANSWER'],
    ['a proxy’s 404', { status: 404, body: '<html>404</html>', type: 'text/html' }, 'CLIENT_UNEXPECTED_ANSWER'],
  ])('%s in place of an object is an unexpected answer', async (_, answer, code) => {
    const { client } = world([answer]);
    const error = await failure(client.find(WebApp, 'shop'));
    expect(hasCode(error, code)).toBe(true);
    expect(String(error)).not.toContain('hunter2');
  });
});
