import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json, JsonObject, KubeObject } from '../api/index.ts';
import { deltaOf } from './conversion-delta.ts';
import { restore } from './conversion-restore.ts';
import { base, dataOf, object, specOf } from './conversion.test-support.ts';
import type { Structural } from './structural.ts';
import { atomic, type Convertible, customResource, listMap, listSet } from './index.ts';

const container = z.object({ name: z.string(), image: z.string(), args: z.array(z.string()).optional() });

/** The older version shows the image of one container, and makes one where there is none. */
const pods: Convertible = customResource({
  ...base,
  spec: z.object({ containers: z.array(container).meta(listMap('name')).optional(), node: z.string().optional() }),
  versions: { v1alpha1: { spec: z.object({ image: z.string().optional(), node: z.string().optional() }) } },
}).converts({
  v1alpha1: {
    up: ({ image, node }) => ({
      ...(image !== undefined && { containers: [{ name: 'main', image }] }),
      ...(node !== undefined && { node }),
    }),
    down: ({ containers = [], node }) => {
      const image = containers.find(({ name }) => name === 'main')?.image;
      return { ...(image !== undefined && { image }), ...(node !== undefined && { node }) };
    },
  },
});

/** What an edit of the spec in the older version makes of it in the newest. */
function edited(kind: Convertible, spec: unknown, edit: (older: JsonObject) => unknown): Json | undefined {
  const down = kind.convert(object('v1', spec), 'v1alpha1');
  return specOf(kind.convert({ ...down, spec: edit(specOf(down) as JsonObject) } as KubeObject, 'v1'));
}

describe('CRD-V6: items that the older version does not show', () => {
  const main = { name: 'main', image: 'a', args: ['-v'] };
  const [proxy, log] = [
    { name: 'proxy', image: 'p' },
    { name: 'log', image: 'l' },
  ];
  const containers = (...items: object[]): object => ({ containers: items });

  test('come back on their places although one beside them was changed', () => {
    expect(edited(pods, containers(proxy, main, log), () => ({ image: 'b' }))).toEqual(
      containers(proxy, { ...main, image: 'b' }, log),
    );
  });

  test('come back although all that was shown is gone, or is there for the first time', () => {
    expect(edited(pods, containers(main, proxy, log), () => ({}))).toEqual(containers(proxy, log));
    expect(edited(pods, containers(proxy), () => ({ image: 'b' }))).toEqual(
      containers(proxy, { name: 'main', image: 'b' }),
    );
    expect(edited(pods, containers(main), () => ({}))).toEqual({});
  });

  test('leave no data behind', () => {
    const whole = object('v1', containers(main, proxy));
    const down = pods.convert(whole, 'v1alpha1');
    expect(dataOf(down)).toBeTypeOf('string');
    expect(pods.convert(down, 'v1')).toEqual(whole);
    const up = pods.convert({ ...down, spec: { image: 'b', node: 'n' } } as KubeObject, 'v1');
    expect(up).toEqual(object('v1', { ...containers({ ...main, image: 'b' }, proxy), node: 'n' }));
  });

  test('do not come back over an item of their name that somebody made since', () => {
    const all: Convertible = customResource({
      ...base,
      spec: z.object({ list: z.array(container).meta(listMap('name')) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(container).meta(listMap('name')) }) } },
    }).converts({
      v1alpha1: { up: (old) => old, down: ({ list }) => ({ list: list.filter(({ name }) => name !== 'log') }) },
    });
    expect(edited(all, { list: [main, log] }, () => ({ list: [main, { name: 'log', image: 'new' }] }))).toEqual({
      list: [main, { name: 'log', image: 'new' }],
    });
    expect(edited(all, { list: [main, log, proxy] }, () => ({ list: [proxy] }))).toEqual({ list: [log, proxy] });
  });

  test('what was made up for the older version goes again, unless somebody made something of it', () => {
    const one: Convertible = customResource({
      ...base,
      spec: z.object({ list: z.array(container).meta(listMap('name')), node: z.string() }),
      versions: { v1alpha1: { spec: z.object({ image: z.string(), node: z.string() }) } },
    }).converts({
      v1alpha1: {
        up: ({ image, node }) => ({ list: [{ name: 'main', image }], node }),
        down: ({ list, node }) => ({ image: list.find(({ name }) => name === 'main')?.image ?? 'none', node }),
      },
    });
    expect(edited(one, { list: [], node: 'n' }, (older) => ({ ...older, node: 'm' }))).toEqual({ list: [], node: 'm' });
    expect(edited(one, { list: [log], node: 'n' }, (older) => ({ ...older, node: 'm' }))).toEqual({
      list: [log],
      node: 'm',
    });
    expect(edited(one, { list: [log], node: 'n' }, (older) => ({ ...older, image: 'b' }))).toEqual({
      list: [log, { name: 'main', image: 'b' }],
      node: 'n',
    });
  });

  test('one that is shown under another key is not a hidden one: it is changed and removed there', () => {
    const upper: Convertible = customResource({
      ...base,
      spec: z.object({ list: z.array(container).meta(listMap('name')) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(container).meta(listMap('name')) }) } },
    }).converts({
      v1alpha1: {
        up: (old) => old,
        down: ({ list }) => ({
          list: list.flatMap(({ name, image }) => (name === 'log' ? [] : [{ name: name.toLowerCase(), image }])),
        }),
      },
    });
    const spec = { list: [{ ...main, name: 'Main' }, log, { ...proxy, name: 'Proxy' }] };
    expect(edited(upper, spec, ({ list }) => ({ list: [{ name: 'main', image: 'b' }, (list as Json[])[1]] }))).toEqual({
      list: [{ ...main, name: 'Main', image: 'b' }, log, { ...proxy, name: 'Proxy' }],
    });
    expect(edited(upper, spec, ({ list }) => ({ list: (list as Json[]).slice(1) }))).toEqual({
      list: [log, { ...proxy, name: 'Proxy' }],
    });
  });

  test('an order that the older version does not keep comes back, unless somebody made another one', () => {
    const sorting: Convertible = customResource({
      ...base,
      spec: z.object({ list: z.array(container).meta(listMap('name')) }),
      versions: { v1alpha1: { spec: z.object({ list: z.array(container).meta(listMap('name')) }) } },
    }).converts({
      v1alpha1: {
        up: (old) => old,
        down: ({ list }) => ({ list: list.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }),
      },
    });
    const list = [proxy, main, log];
    const replaced = (name: string) => (older: JsonObject) => ({
      list: (older['list'] as JsonObject[]).map((item) => (item['name'] === name ? { name, image: 'b' } : item)),
    });
    expect(edited(sorting, { list }, replaced('log'))).toEqual({ list: [proxy, main, { name: 'log', image: 'b' }] });
    expect(edited(sorting, { list }, () => ({ list: [main, log, proxy] }))).toEqual({ list: [main, log, proxy] });
  });

  test('sets and maps as well, and lists that are not maps as a whole', () => {
    const hosts: Convertible = customResource({
      ...base,
      spec: z.object({
        set: z.array(z.string()).meta(listSet()).optional(),
        list: z.array(z.string()).optional(),
        map: z.record(z.string(), z.string()).optional(),
        atomic: z.record(z.string(), z.string()).meta(atomic()).optional(),
      }),
      versions: { v1alpha1: { spec: z.object({ host: z.string().optional(), other: z.string().optional() }) } },
    }).converts({
      v1alpha1: {
        up: ({ host, other }) => ({
          ...(host !== undefined && { set: [host], list: [host], map: { host }, atomic: { host } }),
          ...(other !== undefined && { map: { ...(host !== undefined && { host }), other } }),
        }),
        down: ({ set = [], map = {} }) => ({
          ...(set[0] !== undefined && { host: set[0] }),
          ...(map['other'] !== undefined && { other: map['other'] }),
        }),
      },
    });
    const spec = { set: ['a', 'b'], list: ['a', 'b'], map: { host: 'a', x: 'y' }, atomic: { host: 'a' } };
    expect(edited(hosts, spec, () => ({ host: 'c' }))).toEqual({
      set: ['c', 'b'],
      list: ['c'],
      map: { host: 'c', x: 'y' },
      atomic: { host: 'c' },
    });
    expect(edited(hosts, { map: { x: 'y' }, atomic: { x: 'y' } }, () => ({ host: 'c' }))).toEqual({
      set: ['c'],
      list: ['c'],
      map: { host: 'c', x: 'y' },
      atomic: { host: 'c' },
    });
    expect(edited(hosts, { set: ['a'], map: { host: 'a', x: 'y' } }, () => ({}))).toEqual({ map: { x: 'y' } });
  });

  test('outlive a new version, in which they are known by other names', () => {
    const older = z.object({ image: z.string() });
    const now = z.object({ list: z.array(container).meta(listMap('name')) });
    const [up, down] = [
      ({ image }: z.output<typeof older>) => ({ list: [{ name: 'main', image }] }),
      ({ list }: z.output<typeof now>) => ({ image: list[0]?.image ?? '' }),
    ];
    const before = customResource({ ...base, spec: now, versions: { v1alpha1: { spec: older } } }).converts({
      v1alpha1: { up, down },
    });
    const after = customResource({
      ...base,
      version: 'v2',
      spec: z.object({ items: z.array(container).meta(listMap('name')) }),
      versions: { v1: { spec: now }, v1alpha1: { spec: older } },
    }).converts({
      v1: { up: ({ list }) => ({ items: list }), down: ({ items }) => ({ list: items }) },
      v1alpha1: { up: (old) => ({ items: up(old).list }), down: ({ items }) => down({ list: items }) },
    });
    const stored = before.convert(object('v1', { list: [main, proxy] }), 'v1alpha1');
    expect(specOf(after.convert(stored, 'v2'))).toEqual({ items: [main, proxy] });
    const changed = { ...stored, spec: { image: 'b' } } as KubeObject;
    expect(specOf(after.convert(changed, 'v2'))).toEqual({ items: [{ ...main, image: 'b' }, proxy] });
  });

  test.each([
    '{"hidden":[7,null,{"name":1},{"image":"x"}],"keys":[7,{"name":"log"}],"byKey":[]}',
    '{"hidden":[{"name":"log","image":"l"}],"byKey":[],"keys":{"a":1},"were":7,"invented":8}',
    '{"hidden":[{"name":"main","image":"l"}],"byKey":[7],"keys":[{"name":"main"},{"name":"main"}],"were":[{"name":"main"}]}',
  ])('a tampered list of them breaks nothing: %s', (delta) => {
    const text = `{"v1":{"delta":{"fields":{"containers":${delta}}}}}`;
    expect(pods.convert(object('v1alpha1', { image: 'a' }, text), 'v1')).toEqual(
      object('v1', containers({ name: 'main', image: 'a' })),
    );
  });

  test('many items under other keys cost no conversion each', () => {
    let calls = 0;
    const tags = z.object({ tags: z.array(z.string()).meta(listSet()) });
    const lower: Convertible = customResource({ ...base, spec: tags, versions: { v1alpha1: { spec: tags } } }).converts(
      {
        v1alpha1: {
          up: (old) => old,
          down: (now) => {
            calls += 1;
            return { tags: now.tags.map((tag) => tag.toLowerCase()) };
          },
        },
      },
    );
    const many = object('v1', { tags: Array.from({ length: 500 }, (_, i) => `T${i}`) });
    expect(lower.convert(lower.convert(many, 'v1alpha1'), 'v1')).toEqual(many);
    expect(calls).toBeLessThan(20);
  });
});

describe('CRD-V6: any function that hides some items of a list map', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const keyed = fc.uniqueArray(fc.record({ k: key, v: fc.nat(3), w: fc.nat(3) }), { selector: ({ k }) => k });
  type Item = { k: string; v: number; w: number };
  const list = z.object({ list: z.array(z.object({ k: z.string(), v: z.int(), w: z.int() })).meta(listMap('k')) });
  const short = z.object({ list: z.array(z.object({ k: z.string(), v: z.int() })).meta(listMap('k')) });
  const plain = customResource({ ...base, spec: list, versions: { v1alpha1: { spec: short } } });
  /** Shows these keys only, and of an item not all. */
  const showing = (shown: readonly string[]): Convertible =>
    plain.converts({
      v1alpha1: {
        up: (old) => ({ list: old.list.map((item) => ({ ...item, w: 0 })) }),
        down: (now) => ({ list: now.list.filter(({ k }) => shown.includes(k)).map(({ k, v }) => ({ k, v })) }),
      },
    });

  test('they come back, equal and in their order, whatever is done to the others; and without an edit all is as it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key as fc.Arbitrary<string>), keyed, keyed, (shown, items, drafts) => {
        const kind = showing(shown);
        const start = object('v1', { list: items });
        expect(kind.convert(kind.convert(start, 'v1alpha1'), 'v1')).toEqual(start);
        const isHidden = ({ k }: { k: string }): boolean => !shown.includes(k);
        const visible = drafts.filter((item) => !isHidden(item));
        const edit = (): unknown => ({ list: visible.map(({ k, v }) => ({ k, v })) });
        const { list: end } = edited(kind, { list: items }, edit) as unknown as { list: Item[] };
        expect(end.filter(isHidden)).toEqual(items.filter(isHidden));
        const old = new Map<string, Item>(items.map((item) => [item.k, item]));
        const expected = visible.map(({ k, v }) => ({ k, v, w: old.get(k)?.w ?? 0 }));
        expect(end.filter((item) => !isHidden(item))).toEqual(expected);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('a delta of list maps and sets makes the value of the base, with or without a look at the other version', () => {
    const map: Structural = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object' },
    };
    const set: Structural = { type: 'array', 'x-kubernetes-list-type': 'set' };
    const shows = fc.constantFrom(
      undefined,
      () => true,
      () => false,
    );
    const either = fc.oneof(
      fc.tuple(fc.constant(map), fc.option(keyed, { nil: undefined }), keyed),
      fc.tuple(fc.constant(set), fc.option(fc.uniqueArray(key), { nil: undefined }), fc.uniqueArray(key)),
    );
    fc.assert(
      fc.property(either, shows, fc.boolean(), ([schema, from, to], ask, isUntouched) => {
        const delta = deltaOf(from, to, { schema, shows: ask });
        const kept: unknown = delta && JSON.parse(JSON.stringify(delta));
        expect(restore(from, kept, { schema, isUntouched })).toEqual(to);
      }),
      { numRuns: 2000, seed: 8 },
    );
  });
});
