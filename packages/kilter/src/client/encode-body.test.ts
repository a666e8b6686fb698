import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasCode, isInvalid } from '../errors/index.ts';
import { encodeBody } from './encode-body.ts';
import { app, failure, frozen, type WebApp, WebApp as Kind, world } from './scripted-client.test-support.ts';

const rules = { what: 'Pod x', rounded: 'refused' } as const;

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

function nested(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
}

describe('a body', () => {
  test('is sent as JSON says it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const whole = JSON.stringify(value);
        // Whole numbers beyond 2^53 have their own test.
        fc.pre(!/\d{16}|e\+/.test(whole));
        expect(encodeBody(value, rules)).toBe(whole);
      }),
    );
  });

  test.each<[string, unknown, string]>([
    ['NaN', { spec: { size: Number.NaN } }, '.spec.size is NaN'],
    ['an infinite number', { list: [1, Number.POSITIVE_INFINITY] }, '.list[1] is Infinity'],
    ['a Map', { data: new Map() }, '.data is a Map'],
    ['a Set', { data: new Set() }, '.data is a Set'],
    ['a promise', { data: { a: Promise.resolve('x') } }, '.data.a is a promise'],
    ['a function', { data: [() => 'x'] }, '.data[0] is a function'],
    ['a symbol', { data: { a: Symbol('x') } }, '.data.a is a symbol'],
  ])('that holds %s would say something else, and is refused by its path', (...[, value, shown]) => {
    const error = caught(() => encodeBody(value, rules));
    expect(hasCode(error, 'CLIENT_VALUE_INVALID')).toBe(true);
    expect(String(error)).toContain(`Pod x: ${shown}`);
  });

  test('may be nested as deep as objects are, and no deeper; one that holds itself has no bottom', () => {
    expect(encodeBody(nested(128), rules)).toContain('bottom');
    const ring: Record<string, unknown> = {};
    ring.self = { ring };
    for (const value of [nested(129), nested(200_000), ring]) {
      expect(
        hasCode(
          caught(() => encodeBody(value, rules)),
          'CLIENT_VALUE_INVALID',
        ),
      ).toBe(true);
    }
  });

  test('a whole number beyond 2^53 was rounded; a bigint and a number in raw JSON say what they are', () => {
    const error = caught(() => encodeBody({ list: [{ big: 2 ** 53 }] }, rules));
    expect(hasCode(error, 'CLIENT_NUMBER_ROUNDED')).toBe(true);
    expect(String(error)).toContain('.list[0].big');
    expect(encodeBody({ big: 2 ** 53 - 1, small: 0.5 }, rules)).toBe('{"big":9007199254740991,"small":0.5}');
    expect(encodeBody({ big: 9223372036854775807n }, rules)).toBe('{"big":9223372036854775807}');
    const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('9223372036854775807');
    expect(encodeBody({ big: raw }, rules)).toBe('{"big":9223372036854775807}');
  });

  test('what can say itself in JSON does', () => {
    expect(encodeBody({ at: new Date(0) }, rules)).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });
});

describe('J-01: an object 10,000 levels deep', () => {
  const deep = { ...app(), spec: { image: 'x', deep: nested(10_000) } } as unknown as WebApp;
  const verbs: [string, () => Promise<unknown>][] = [
    ['create', () => world([]).client.create(deep)],
    ['update', () => world([]).client.update(deep)],
    ['apply', () => world([]).client.apply(deep, { manager: 'me' })],
    ['patch', () => world([]).client.patch(Kind, 'shop', deep)],
    ['edit', () => world([]).client.edit(deep, (draft) => void (draft.spec.replicas = 2))],
    [
      'edit that makes it',
      () => world([]).client.edit(app(), (draft) => void Object.assign(draft.spec, { deep: nested(10_000) })),
    ],
    ['create of a part', () => world([]).client.subresource(Kind, 'shop', 'status').create(deep)],
  ];
  test.each(verbs)('%s is a coded error, sent nowhere', async (_, call) => {
    const error = await failure(call());
    expect(hasCode(error, 'CLIENT_VALUE_INVALID')).toBe(true);
    expect(isInvalid(error)).toBe(false);
  });

  test('is read as it is', async () => {
    const levels = 10_000;
    const text = JSON.stringify({ ...app(), spec: 'DEEP' }).replace(
      '"DEEP"',
      `${'['.repeat(levels)}${']'.repeat(levels)}`,
    );
    const { client } = world([{ body: text }, { body: `{"metadata":{},"items":[${text}]}` }]);
    let read: unknown = (await client.get(Kind, 'shop')).spec;
    let depth = 0;
    for (; Array.isArray(read); read = read[0]) depth += 1;
    expect(depth).toBe(levels);
    expect(await client.list(Kind)).toHaveLength(1);
  });
});

describe('J-04: a whole number beyond 2^53 that was read', () => {
  const text = JSON.stringify(app()).replace('"future":', '"big":9223372036854775807,"future":');
  const read = async () => {
    const scripted = world([{ body: text }]);
    return { ...scripted, object: frozen(await scripted.client.get(Kind, 'shop')) };
  };

  test.each<[string, (scripted: Awaited<ReturnType<typeof read>>) => Promise<unknown>]>([
    ['update', ({ client, object }) => client.update(object)],
    ['apply', ({ client, object }) => client.apply(object, { manager: 'me' })],
    ['create', ({ client, object }) => client.create(object)],
    ['update of a part', ({ client, object }) => client.subresource(Kind, 'shop', 'status').update(object)],
  ])('%s of the whole object would change it, and is refused', async (_, call) => {
    const scripted = await read();
    expect(hasCode(await failure(call(scripted)), 'CLIENT_NUMBER_ROUNDED')).toBe(true);
    expect(scripted.seen).toHaveLength(1);
  });

  test('an edit, a patch and an apply of other fields do not send it', async () => {
    const { client, object, seen } = await read();
    await client.edit(object, (draft) => void (draft.spec.replicas = 2));
    await client.edit(object, (draft) => void (draft.status.ready = true), { subresource: 'status' });
    await client.patch(Kind, 'shop', { spec: { replicas: 2 } });
    await client.apply(Kind.fields({ name: 'shop', spec: { replicas: 2 } }), { manager: 'me' });
    expect(seen).toHaveLength(5);
    expect(JSON.stringify(seen.slice(1))).not.toContain('big');
  });
});
