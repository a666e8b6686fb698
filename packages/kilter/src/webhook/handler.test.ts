import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource } from '../crd/index.ts';
import { ApiError } from '../errors/index.ts';
import { virtualClock } from '../internal/index.ts';
import { Pod } from '../k8s/core/v1.ts';
import { mutating, validating } from './declaration.ts';
import { App, app, mutatePath, patchIn, review, served, validatePath } from './webhook.test-support.ts';

const conflict = new ApiError(
  { code: 409, reason: 'Conflict', message: 'busy', causes: [], retryAfterSeconds: undefined, details: { name: 'x' } },
  { method: 'PUT', path: '/x' },
);
const throwing = (error: unknown) =>
  served([
    validating(App, (_, { warn }) => {
      warn('look out');
      throw error;
    }),
  ]);

describe('an answer', () => {
  test('WH-1 is 200 with verdict and UID, for what is allowed, refused, broken and thrown', async () => {
    const { post } = served([validating(App, ({ spec }, { deny }) => void (spec.image === 'bad' && deny('no')))]);
    const bodies = [review(), review({ object: app({ image: 'bad' }) }), review({ object: 'x' })];
    const answers = await Promise.all(bodies.map((body) => post(validatePath, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => (JSON.parse(body) as { response: object }).response)).toMatchObject([
      { uid: 'u1', allowed: true },
      { uid: 'u1', allowed: false, status: { code: 403, message: 'no' } },
      { uid: 'u1', allowed: false, status: { code: 400 } },
    ]);
    const { status, body } = await throwing(new Error('oops')).post(validatePath, review());
    expect([status, JSON.parse(body)]).toMatchObject([200, { response: { uid: 'u1', allowed: false } }]);
  });

  test.each([
    ['another content type', review(), 'text/plain', 400, 'the content type is "text/plain"'],
    ['no content type', review(), '', 400, 'the content type is ""'],
    ['an empty body', ' ', 'application/json', 400, 'the body is empty'],
    ['no JSON', '{"a"', 'application/json', 400, 'the body is not JSON'],
    ['a list', '[]', 'application/json', 400, 'the body is not an AdmissionReview'],
    ['another kind', { kind: 'Pod', apiVersion: 'v1' }, 'application/json', 400, 'the body is not an AdmissionReview'],
    ['no request', { ...review(), request: null }, 'application/json', 400, 'has no request'],
    [
      'another version',
      { ...review(), apiVersion: 'admission.k8s.io/v2' },
      'application/json',
      400,
      'is of "admission.k8s.io/v2"',
    ],
    ['no uid', review({ uid: undefined }), 'application/json', 400, 'no uid'],
    ['no operation', review({ operation: 5 }), 'application/json', 400, 'no operation'],
    ['no kind', review({ kind: 'App' }), 'application/json', 400, 'does not say the kind'],
    ['no object', review({ object: null }), 'application/json', 400, 'the CREATE has no object'],
    [
      'an object that is none',
      review({ object: { metadata: [] } }),
      'application/json',
      400,
      'its object is not an object',
    ],
    ['a user that is none', review({ userInfo: 'jane' }), 'application/json', 400, 'its userInfo is not an object'],
    [
      'an unknown version',
      review({
        kind: { group: 'example.com', version: 'v9', kind: 'App' },
        object: { ...app(), apiVersion: 'example.com/v9' },
      }),
      'application/json',
      400,
      'is asked about App.example.com v9, and knows App.example.com v1',
    ],
    ['an unknown operation', review({ operation: 'MOVE' }), 'application/json', 400, "'MOVE' is not one"],
    [
      'an object of another version than it says',
      review({ object: { ...app(), apiVersion: 'example.com/v9' } }),
      'application/json',
      400,
      'its object is of another kind or version than it says',
    ],
    [
      'an object of another kind than it says',
      review({ object: { ...app(), kind: 'Pod' } }),
      'application/json',
      400,
      'its object is of another kind or version than it says',
    ],
    [
      'an older object of another version than it says',
      review({ operation: 'UPDATE', oldObject: { ...app(), apiVersion: 'example.com/v0' } }),
      'application/json',
      400,
      'its oldObject is of another kind or version than it says',
    ],
  ])('WH-2 to %s is refused with the reason in the result', async (_, body, type, code, message) => {
    const { post } = served([validating(App, () => undefined)]);
    const answer = await post(validatePath, body, type);
    expect(answer.status).toBe(200);
    const { response } = JSON.parse(answer.body) as { response: { status: { message: string } } };
    expect(response).toMatchObject({ allowed: false, status: { status: 'Failure', code } });
    expect(response.status.message).toContain(message);
  });

  test('WH-2 to a body that was larger than is read is 413 in the result', async () => {
    const { handler } = served([validating(App, () => undefined)]);
    const { status, body } = await handler.answer({
      path: validatePath,
      contentType: 'application/json',
      body: undefined,
    });
    expect([status, JSON.parse(body)]).toMatchObject([200, { response: { allowed: false, status: { code: 413 } } }]);
  });

  test('C-09 to an object that is nested without end is a refusal', async () => {
    const { ask } = served([mutating(App, () => undefined)]);
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
    const body = JSON.stringify(review({ object: app({ image: 'a', deep: 'HERE' }) })).replace('"HERE"', deep);
    expect(await ask(mutatePath, body)).toMatchObject({ allowed: false, status: { code: 400 } });
  });
});

describe('a function that returns something', () => {
  const answering = (value: unknown) => (() => value) as () => void;

  test.each<[string, unknown]>([
    ['false', false],
    ['true', true],
    ['a text', 'no'],
    ['another object', app({ image: 'b:1' })],
    ['a promise of false', Promise.resolve(false)],
  ])('WH-5 %s: nothing is admitted by mistake', async (_, value) => {
    for (const [path, webhook] of [
      [validatePath, validating(App, answering(value))],
      [mutatePath, mutating(App, answering(value))],
    ] as const) {
      const response = await served([webhook]).ask(path, review());
      expect(response).toMatchObject({ allowed: false, status: { code: 403 } });
      expect(response.status?.message).toMatch(/^the function of the webhook returned .*, which is not an answer$/);
    }
  });

  test('may return what it was given', async () => {
    const draft = mutating(App, ((object: App) => object) as never);
    expect(await served([draft]).ask(mutatePath, review())).toEqual({ uid: 'u1', allowed: true });
  });
});

describe('a mutating webhook', () => {
  const labelled = mutating(App, (draft) => {
    draft.metadata.labels['a/b'] ??= 'c';
    draft.spec.port ??= 80;
  });

  test('WH-3 answers with a patch of what it changed', async () => {
    const response = await served([labelled]).ask(mutatePath, review());
    expect(response).toMatchObject({ uid: 'u1', allowed: true, patchType: 'JSONPatch' });
    expect(patchIn(response)).toEqual([
      { op: 'add', path: '/metadata/labels', value: { 'a/b': 'c' } },
      { op: 'add', path: '/spec/port', value: 80 },
    ]);
  });

  test('WH-3 answers without a patch where nothing changed', async () => {
    const object = app({ image: 'a', port: 1 }, { labels: { 'a/b': 'x' } });
    const response = await served([labelled]).ask(mutatePath, review({ object }));
    expect(response).toEqual({ uid: 'u1', allowed: true });
    const untouched = served([mutating(App, () => undefined)]);
    expect(await untouched.ask(mutatePath, review())).toEqual({ uid: 'u1', allowed: true });
  });

  test('WH-3 leaves fields alone that it does not know, numbers beyond 2^53 among them', async () => {
    const body = JSON.stringify(review({ object: app({ image: 'a', newer: { big: 'BIG' }, list: [{ x: null }] }) }));
    const response = await served([labelled]).ask(mutatePath, body.replace('"BIG"', '9007199254740993'));
    expect(JSON.stringify(patchIn(response))).not.toMatch(/newer|list|image/);
  });

  test.each([
    ['a date', (draft: App) => void Object.assign(draft.spec, { at: new Date(0) }), 'spec.at is a Date'],
    ['a bigint', (draft: App) => void Object.assign(draft.spec, { port: 1n }), 'spec.port is a bigint'],
    ['NaN', (draft: App) => void (draft.spec.port = Number.NaN), 'spec.port is NaN'],
    ['a name', (draft: App) => void (draft.metadata.name = 'x'), 'metadata.name was changed from shop to x'],
    ['a kind', (draft: App) => void Object.assign(draft, { kind: 'X' }), 'kind was changed from App to X'],
    ['no metadata', (draft: App) => void Object.assign(draft, { metadata: null }), 'metadata was removed'],
    ['itself', (draft: App) => void Object.assign(draft.spec, { self: draft }), 'is nested deeper than 128 levels'],
  ])('that leaves %s in the draft refuses the request and says so', async (_, change, message) => {
    const response = await served([mutating(App, change)]).ask(mutatePath, review());
    expect(response).toMatchObject({ allowed: false });
    expect(response.status?.message).toContain(message);
  });

  test('is asked before the schema is: a function that fails on what is not of its type refuses with the fields', async () => {
    const { ask, metrics } = served([mutating(App, (draft) => void (draft.spec.image = draft.spec.image.trim()))]);
    const response = await ask(mutatePath, review({ object: app({ port: 'x' }) }));
    expect(response).toMatchObject({ allowed: false, status: { code: 422, reason: 'Invalid' } });
    expect(response.status?.message).toMatch(/spec\.image: .*spec\.port: /);
    expect(metrics.text()).toContain('controller_runtime_webhook_panics_total 0');
  });

  test('a name may be given to what has none yet', async () => {
    const named = mutating(App, (draft) => void (draft.metadata.name = 'made'));
    const object = app({ image: 'a' }, { name: undefined, generateName: 'm-' });
    const response = await served([named]).ask(mutatePath, review({ object }));
    expect(patchIn(response)).toEqual([{ op: 'add', path: '/metadata/name', value: 'made' }]);
  });

  test('can refuse as well, and then changes nothing', async () => {
    const refusing = mutating(App, (draft, { deny }) => {
      draft.spec.image = 'x';
      deny('spec.image', 'no');
    });
    const response = await served([refusing]).ask(mutatePath, review());
    expect([response.allowed, response.patch]).toEqual([false, undefined]);
  });
});

describe('what a function receives', () => {
  test('who asks for what', async () => {
    const seen: unknown[] = [];
    const { ask } = served([
      validating(
        App,
        { on: ['CREATE', 'UPDATE'] },
        (object, { user, dryRun, options, operation, old, name, namespace }) => {
          seen.push({ object, user, dryRun, options, operation, old, name, namespace });
        },
      ),
    ]);
    await ask(validatePath, review({ operation: 'UPDATE', oldObject: app({ image: 'old' }), dryRun: true }));
    expect(seen).toEqual([
      {
        object: app(),
        user: { name: 'jane', uid: undefined, groups: ['devs'], extra: {} },
        dryRun: true,
        options: { kind: 'CreateOptions' },
        operation: 'UPDATE',
        old: app({ image: 'old' }),
        name: 'shop',
        namespace: 'default',
      },
    ]);
  });

  test('WH-4 on DELETE it gets the object that would go', async () => {
    const guard = validating(App, { on: ['DELETE'] }, ({ spec }, { deny }) => deny(`it runs ${spec.image}`));
    const { ask } = served([guard]);
    const going = review({ operation: 'DELETE', object: null, oldObject: app({ image: 'last' }) });
    expect(await ask(validatePath, going)).toMatchObject({ allowed: false, status: { message: 'it runs last' } });
    const nothing = review({ operation: 'DELETE', object: null, oldObject: null });
    expect(await ask(validatePath, nothing)).toMatchObject({ allowed: false, status: { code: 400 } });
  });

  test('WH-4 of CONNECT, of deletes to a mutating one and of operations it did not declare it hears nothing', async () => {
    let calls = 0;
    const count = (): void => void (calls += 1);
    const { ask } = served([mutating(App, count), validating(App, { on: ['UPDATE'] }, count)]);
    for (const [path, operation] of [
      [mutatePath, 'DELETE'],
      [mutatePath, 'CONNECT'],
      [validatePath, 'CONNECT'],
      [validatePath, 'CREATE'],
    ] as const) {
      expect(await ask(path, review({ operation }))).toEqual({ uid: 'u1', allowed: true });
    }
    expect(calls).toBe(0);
  });

  test('a subresource is asked about with what is sent to it', async () => {
    const scaled = validating(App, { on: ['UPDATE'], subresource: 'scale' }, ({ spec }, { deny }) => {
      if ((spec?.replicas ?? 0) > 3) deny('spec.replicas', 'three are enough');
    });
    const { ask, handler } = served([scaled]);
    expect(handler.paths).toEqual([`${validatePath}-scale`]);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'shop' }, spec: { replicas: 4 } };
    const kind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const asked = review({ operation: 'UPDATE', kind, subResource: 'scale', object: scale, oldObject: scale });
    expect(await ask(`${validatePath}-scale`, asked)).toMatchObject({ allowed: false, status: { code: 422 } });
  });
});

describe('a refusal', () => {
  test('names every field as the server names invalid ones', async () => {
    const { ask } = served([
      validating(App, (_, { deny }) => {
        deny('spec.image', 'name a tag');
        deny('spec.tags[0]', 'too long');
        deny('and another thing');
      }),
    ]);
    expect((await ask(validatePath, review())).status).toEqual({
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'App.example.com "shop" is invalid: [spec.image: name a tag, spec.tags[0]: too long, and another thing]',
      details: {
        name: 'shop',
        group: 'example.com',
        kind: 'App',
        causes: [
          { reason: 'FieldValueInvalid', field: 'spec.image', message: 'name a tag' },
          { reason: 'FieldValueInvalid', field: 'spec.tags[0]', message: 'too long' },
          { reason: 'FieldValueForbidden', message: 'and another thing' },
        ],
      },
    });
  });

  test('WH-5 passes an API error on with code and details; anything else is 403 with its message', async () => {
    const ask = (error: unknown) => throwing(error).ask(validatePath, review());
    expect(await ask(conflict)).toMatchObject({
      status: { code: 409, reason: 'Conflict', message: 'busy', details: { name: 'x' } },
    });
    expect(await ask(new Error('outer', { cause: conflict }))).toMatchObject({ status: { code: 409 } });
    expect(await ask(new TypeError('x is undefined'))).toMatchObject({
      status: { code: 403, message: 'x is undefined' },
    });
    expect(await ask('a text')).toMatchObject({ status: { code: 403, message: "a thrown string: 'a text'" } });
  });

  test('WH-5 takes warnings along, and so does what is allowed', async () => {
    expect(await throwing(conflict).ask(validatePath, review())).toMatchObject({ warnings: ['look out'] });
    const { ask } = served([validating(App, async (_, { warn }) => warn('soon gone'))]);
    expect(await ask(validatePath, review())).toEqual({ uid: 'u1', allowed: true, warnings: ['soon gone'] });
  });
});

describe('WH-8', () => {
  test('paths have group, version and kind; the core group is empty', () => {
    const { handler } = served([
      mutating(App, () => undefined),
      validating(App, () => undefined),
      validating(Pod, () => undefined),
      validating(Pod, { path: '/own/place' }, () => undefined),
    ]);
    expect(handler.paths).toEqual([mutatePath, validatePath, '/validate--v1-pod', '/own/place']);
  });

  test('conversions of all kinds are at /convert', () => {
    expect(served([], { kinds: [Versioned] }).handler.paths).toEqual(['/convert']);
  });

  test('a review of v1beta1 is answered as one', async () => {
    const { post } = served([validating(App, () => undefined)]);
    const { body } = await post(validatePath, { ...review(), apiVersion: 'admission.k8s.io/v1beta1' });
    expect(JSON.parse(body)).toEqual({
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid: 'u1', allowed: true },
    });
  });

  test('other paths are not found', async () => {
    const { post } = served([validating(App, () => undefined)]);
    expect((await post('/', review())).status).toBe(404);
    expect((await post('/convert', review())).status).toBe(404);
  });
});

describe('time', () => {
  test('a function that never answers ends before the API server gives up, and is not a verdict', async () => {
    const clock = virtualClock();
    const signals: AbortSignal[] = [];
    const never = validating(App, (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const { post, metrics } = served([never], { clock });
    const answer = post(validatePath, review());
    await clock.advance(9400);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(200);
    expect(await answer).toMatchObject({ status: 504 });
    expect((await answer).body).toContain(`${validatePath} has not answered after 9.5 s`);
    expect(signals[0]?.aborted).toBe(true);
    expect(metrics.text()).toContain(
      `controller_runtime_webhook_requests_total{code="504",webhook="${validatePath}"} 1`,
    );
  });

  test('nothing is left waiting after an answer', async () => {
    const clock = virtualClock();
    await served([validating(App, async () => undefined)], { clock }).ask(validatePath, review());
    expect(clock.pending).toBe(0);
  });
});

class Versioned extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Versioned',
  spec: z.object({ size: z.int() }),
  versions: { v1alpha1: { spec: z.object({ size: z.string() }) } },
}).converts({
  v1alpha1: {
    up: ({ size }) => ({ size: Number(size) }),
    down: ({ size }) => ({ size: String(size) }),
  },
}) {}

describe('conversions', () => {
  const old = {
    apiVersion: 'example.com/v1alpha1',
    kind: 'Versioned',
    metadata: { name: 'a', uid: 'x' },
    spec: { size: '3' },
  };
  const conversion = (objects: unknown[], desiredAPIVersion = 'example.com/v1') => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'c1', desiredAPIVersion, objects },
  });

  test('WH-6 all objects of a review are answered, each with its kind, name and UID', async () => {
    const { post } = served([], { kinds: [Versioned] });
    const { status, body } = await post('/convert', conversion([old, old]));
    const { kind, metadata } = old;
    const converted = { apiVersion: 'example.com/v1', kind, metadata, spec: { size: 3 } };
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      {
        kind: 'ConversionReview',
        response: {
          uid: 'c1',
          result: { status: 'Success' },
          convertedObjects: [converted, converted],
        },
      },
    ]);
  });

  test.each([
    ['the same version', conversion([old], 'example.com/v1alpha1'), 'c1', 'is already of example.com/v1alpha1'],
    ['an unknown kind', conversion([{ ...old, kind: 'X' }]), 'c1', 'this webhook converts Versioned.example.com'],
    ['no review', {}, '', 'not a ConversionReview'],
    ['no JSON', '{', '', 'not JSON'],
  ])('WH-6 %s fails the review with the reason, and nothing is converted', async (_, body, uid, message) => {
    const { post, metrics } = served([], { kinds: [Versioned] });
    const answer = await post('/convert', body);
    const { response } = JSON.parse(answer.body) as { response: { result: { message: string } } };
    expect([answer.status, response]).toMatchObject([
      200,
      { uid, result: { status: 'Failure' }, convertedObjects: [] },
    ]);
    expect(response.result.message).toContain(message);
    expect(metrics.text()).toContain('controller_runtime_webhook_requests_total{code="200",webhook="/convert"} 1');
  });
});

describe('ME-1 metrics', () => {
  test('are there before the first call, and count calls by path and code', async () => {
    const { ask, metrics } = served([validating(App, () => undefined)]);
    const lines = (): string[] =>
      metrics
        .text()
        .split('\n')
        .filter((line) => !line.startsWith('#') && !line.includes('_bucket'));
    const label = `webhook="${validatePath}"`;
    expect(lines()).toEqual([
      `controller_runtime_webhook_requests_total{code="200",${label}} 0`,
      `controller_runtime_webhook_requests_total{code="500",${label}} 0`,
      `controller_runtime_webhook_requests_in_flight{${label}} 0`,
      'controller_runtime_webhook_panics_total 0',
      'controller_runtime_conversion_webhook_panics_total 0',
      '',
    ]);
    await ask(validatePath, review());
    expect(lines()).toContain(`controller_runtime_webhook_latency_seconds_count{${label}} 1`);
    expect(lines()).toContain(`controller_runtime_webhook_requests_total{code="200",${label}} 1`);
    expect(lines()).toContain(`controller_runtime_webhook_requests_in_flight{${label}} 0`);
  });

  test('show calls that are running, and what threw', async () => {
    const open = Promise.withResolvers<void>();
    const { ask, metrics } = served([validating(App, () => open.promise)]);
    const asking = ask(validatePath, review());
    expect(metrics.text()).toContain(`requests_in_flight{webhook="${validatePath}"} 1`);
    open.reject(new Error('x'));
    await asking;
    expect(metrics.text()).toContain('controller_runtime_webhook_panics_total 1');
  });
});
