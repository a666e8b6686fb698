import { describe, expect, test } from 'vitest';
import {
  apiErrorOf,
  type Code,
  hasCode,
  isAlreadyExists,
  isApplyConflict,
  isBadRequest,
  isConflict,
  isDisruptionBudget,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNamespaceTerminating,
  isNotAcceptable,
  isNotFound,
  isRefused,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
  isUnavailable,
  isWebhookUnavailable,
} from '../errors/index.ts';
import { type Client, json, strategic } from './index.ts';
import { type Answer, app, failure, refused, stored, WebApp, world } from './scripted-client.test-support.ts';

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

test.each([undefined, null, 'shop'])(
  'an object whose metadata is %s is refused before anything is sent',
  async (metadata) => {
    const { client, seen } = world([]);
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata } as never;
    for (const call of [client.create(object), client.update(object), client.apply(object, { manager: 'me' })]) {
      expect(hasCode(await failure(call), 'CLIENT_NAME_INVALID')).toBe(true);
    }
    expect(seen).toEqual([]);
  },
);

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

const caused = (status: number, reason: string, cause: string): Answer =>
  refused(status, reason, { causes: [{ reason: cause, message: 'because' }] });
const said = (code: number, message: string): Answer => ({
  status: code,
  body: { kind: 'Status', status: 'Failure', code, reason: 'InternalError', message },
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
    [405, 'MethodNotAllowed', isMethodNotAllowed],
    [406, 'NotAcceptable', isNotAcceptable],
    [413, 'RequestEntityTooLarge', isTooLarge],
    [415, 'UnsupportedMediaType', isNotAcceptable],
    [418, 'Teapot', isRefused],
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
      isApplyConflict,
      isExpired,
      isInvalid,
      isTooManyRequests,
      isUnavailable,
      isWebhookUnavailable,
      isTimeout,
      isMethodNotAllowed,
      isNotAcceptable,
      isTooLarge,
      isRefused,
      isNamespaceTerminating,
      isDisruptionBudget,
    ];
    expect([predicate(error), predicate(wrapped)]).toEqual([true, true]);
    expect(all.filter((other) => other !== predicate).some((other) => other(wrapped))).toBe(false);
  });

  test.each<[string, Answer, (error: unknown) => boolean, (error: unknown) => boolean]>([
    ['fields of others', caused(409, 'Conflict', 'FieldManagerConflict'), isApplyConflict, isConflict],
    [
      'a namespace on its way out',
      caused(403, 'Forbidden', 'NamespaceTerminating'),
      isNamespaceTerminating,
      isForbidden,
    ],
    ['a disruption budget', caused(429, 'TooManyRequests', 'DisruptionBudget'), isDisruptionBudget, isTooManyRequests],
    [
      'an admission webhook that is down',
      said(500, 'Internal error occurred: failed calling webhook "x.example.com": no endpoints'),
      isWebhookUnavailable,
      isUnavailable,
    ],
    [
      'a conversion webhook that is down',
      said(500, 'conversion webhook for example.com/v1, Kind=WebApp failed: Post "https://x": refused'),
      isWebhookUnavailable,
      isUnavailable,
    ],
  ])('CL-12: %s is told apart, and is what it is in general', async (...[, answer, special, general]) => {
    const { client } = world([answer]);
    const error = await failure(client.create(app()));
    expect([special(error), general(error)]).toEqual([true, true]);
    expect(special(new Error('outer', { cause: error }))).toBe(true);
  });

  test('an invalid object names every field, a refused rate the time to wait', async () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'must be positive', field: 'spec.replicas' }];
    const invalid = world([refused(422, 'Invalid', { causes })]);
    const error = apiErrorOf(await failure(invalid.client.update(app())));
    expect(error?.status.causes).toEqual(causes);
    expect(error?.message).toContain('spec.replicas: must be positive');
    const busy = world([refused(429, 'TooManyRequests', { retryAfterSeconds: 7 })]);
    expect(apiErrorOf(await failure(busy.client.update(app())))?.status.retryAfterSeconds).toBe(7);
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
