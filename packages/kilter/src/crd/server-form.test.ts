import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { customResource } from './index.ts';

const Thing = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({
    name: z.string().optional(),
    needed: z.string().default('yes'),
    inner: z.object({ size: z.int().optional(), word: z.string().nullable().optional() }).optional(),
    list: z.array(z.object({ at: z.iso.datetime().optional() })).optional(),
    map: z.record(z.string(), z.iso.datetime()).optional(),
    any: z.any().optional(),
    strict: z.strictObject({ a: z.string().optional() }).optional(),
  }),
  status: z.object({ since: z.iso.datetime().optional(), word: z.string().optional() }),
});

const parse = (spec: unknown, status?: unknown): unknown => {
  const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' }, spec, status };
  const parsed = Thing.parse(object);
  return status === undefined ? parsed.spec : parsed.status;
};

describe('CRD-A12: parse takes what the server stores', () => {
  test.each<[string, unknown, unknown]>([
    ['null in an optional field', { name: null }, { needed: 'yes' }],
    ['null where there is a default', { needed: null }, { needed: 'yes' }],
    ['null for an object, and in one', { inner: null, strict: { a: null } }, { needed: 'yes', strict: {} }],
    [
      'null where it is a value',
      { inner: { word: null, size: null }, any: null },
      { needed: 'yes', inner: { word: null }, any: null },
    ],
    ['null in an item', { list: [{ at: null }] }, { needed: 'yes', list: [{}] }],
    [
      'a time of another zone',
      { list: [{ at: '2020-01-01T00:00:00+02:00' }] },
      { needed: 'yes', list: [{ at: '2020-01-01T00:00:00+02:00' }] },
    ],
    [
      'a time in small letters',
      { map: { a: '2020-01-01t00:00:00.5z' } },
      { needed: 'yes', map: { a: '2020-01-01t00:00:00.5z' } },
    ],
  ])('%s', (_, spec, expected) => expect(parse(spec)).toEqual(expected));

  test('of the status as well', () => {
    const status = { since: '2020-01-01T00:00:00-11:30', word: null };
    expect(parse({}, status)).toEqual({ since: '2020-01-01T00:00:00-11:30' });
    expect(parse({}, null)).toBeUndefined();
  });

  test.each([
    ['a null item', { list: [null] }, 'spec.list[0]'],
    ['what is not a time', { list: [{ at: '2020-01-01 00:00:00' }] }, 'spec.list[0].at'],
    ['a null key of the object itself', null, 'spec'],
  ])('%s is refused as the server refuses it', (_, spec, path) => expect(() => parse(spec)).toThrow(path));

  test('build is written in code, and takes no null', () => {
    expect(() => Thing.build({ name: 'x', spec: { name: null } as never })).toThrow('spec.name');
    const built = Thing.build({ name: 'x', spec: { map: { a: '2020-01-01T00:00:00+02:00' } } });
    expect(built.spec.map).toEqual({ a: '2020-01-01T00:00:00+02:00' });
    expect(() => Thing.build({ name: 'x', spec: { any: new Date(0) } })).toThrow('spec.any');
  });
});
