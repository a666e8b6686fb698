import { KilterError } from 'kilter';
import {
  added,
  changed,
  customResource,
  deprecated,
  listMap,
  listSet,
  matchedBy,
  quantity,
  renamed,
  rule,
} from 'kilter/crd';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { validate } from '../validate/validate.ts';
import { RoundTripError, roundTrips, type VersionedKind } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'WebApp' } as const;

function failureOf(kind: VersionedKind, options: Parameters<typeof roundTrips>[1] = {}): RoundTripError {
  try {
    roundTrips(kind, options);
  } catch (error) {
    if (error instanceof RoundTripError) return error;
    throw error;
  }
  throw new Error('nothing was found');
}

const number = z.string().regex(/^(0|[1-9][0-9]{0,8})$/);
const newest = z.object({
  image: z.string(),
  replicas: z.int().min(0).max(999_999_999),
  hosts: z.array(z.string()).default([]),
  tls: z.object({ secret: z.string() }).optional(),
});
const alpha = z.object({ image: z.string(), count: number, hosts: z.array(z.string()).optional() });

type New = z.output<typeof newest>;
type Old = z.output<typeof alpha>;

const right = {
  up: (old: Old): z.input<typeof newest> => ({
    image: old.image,
    replicas: Number(old.count),
    hosts: old.hosts ?? [],
  }),
  down: (now: New): z.input<typeof alpha> => ({
    image: now.image,
    count: String(now.replicas),
    // Absent in the older version is empty in the newest.
    ...(now.hosts.length > 0 && { hosts: now.hosts }),
  }),
};

/** v1 and v1alpha1 with conversions that are right but for these. */
function byHand(wrong: { up?: typeof right.up; down?: typeof right.down } = {}): VersionedKind {
  return customResource({
    ...base,
    spec: newest,
    versions: { v1alpha1: { spec: alpha.extend({ hosts: z.array(z.string()).min(1).optional() }) } },
  }).converts({ v1alpha1: { ...right, ...wrong } as never });
}

describe('CRD-V9: conversions that lose nothing pass', () => {
  test('by hand, with a field that only the newest version has', () => {
    expect(roundTrips(byHand())).toEqual({ pairs: ['v1alpha1 to v1', 'v1 to v1alpha1'], runs: 100, seed: 1 });
  });

  const pairs = [
    'v1alpha1 to v1',
    'v1beta1 to v1',
    'v1 to v1alpha1',
    'v1 to v1beta1',
    'v1alpha1 to v1beta1',
    'v1beta1 to v1alpha1',
  ];

  test('three generations by field actions alone', () => {
    const WebApp = customResource({
      ...base,
      spec: z.object({
        image: z.string().min(1).describe('What to run.'),
        replicas: z.int().min(0).max(100).default(1).meta(renamed('v1', 'count')),
        tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' })),
        memory: z.union([z.int(), z.string()]).meta(quantity()).optional().meta(added('v1beta1')),
        env: z
          .array(
            z.object({
              name: z.string().meta(renamed('v1beta1', 'key')),
              value: z.string().nullable(),
              secret: z.object({ name: z.string() }).optional().meta(added('v1')),
            }),
          )
          .meta(listMap('name'))
          .default([]),
        zones: z.record(z.string(), z.object({ weight: z.int().meta(renamed('v1', 'w')) })).optional(),
        hosts: z
          .array(
            z.object({
              host: z.string(),
              path: z
                .string()
                .optional()
                .meta(added('v1', { fill: '/' })),
            }),
          )
          .meta(matchedBy('host'))
          .optional(),
        extra: z.looseObject({}).optional(),
        old: z.string().optional().meta(deprecated('v1beta1', 'use image')),
      }),
      versions: { v1alpha1: {}, v1beta1: {} },
    });
    expect(roundTrips(WebApp, { runs: 50, seed: 7 })).toEqual({ pairs, runs: 50, seed: 7 });
  });

  test('three generations by hand', () => {
    const WebApp = customResource({
      ...base,
      spec: newest,
      versions: {
        v1alpha1: { spec: z.object({ what: z.string().regex(/^[a-z]{1,9}\*[1-9][0-9]{0,5}$/) }) },
        v1beta1: { spec: z.object({ image: z.string(), scale: z.object({ n: z.int() }).optional() }) },
      },
    }).converts({
      v1alpha1: {
        up: ({ what }) => ({ image: what.split('*')[0] ?? '', replicas: Number(what.split('*')[1] ?? 1) }),
        down: ({ image, replicas }) => ({
          what: `${/^[a-z]{1,9}$/.test(image) ? image : 'x'}*${replicas > 0 && replicas < 1e6 ? replicas : 1}`,
        }),
      },
      v1beta1: {
        up: ({ image, scale }) => ({ image, replicas: Math.max(0, Math.min(999_999_999, scale?.n ?? 0)) }),
        down: ({ image, replicas }) => ({ image, scale: { n: replicas } }),
      },
    });
    // v1beta1 takes numbers that v1 refuses, and no scale: v1 keeps them for it.
    expect(roundTrips(WebApp, { hiddenOnly: { v1beta1: ['spec.scale', 'spec.scale.n'] } }).pairs).toEqual(pairs);
  });

  test('three generations, mixed: one by hand with what the actions make, one by actions', () => {
    const WebApp = customResource({
      ...base,
      spec: z.object({
        image: z.string(),
        replicas: z.int().meta(renamed('v1', 'count')),
        timeout: z.int().min(0).max(1_000_000).multipleOf(1000).meta(changed('v1beta1')),
        tier: z.string().optional().meta(added('v1')),
      }),
      versions: {
        v1alpha1: { spec: z.object({ image: z.string(), count: z.int(), seconds: z.int().min(0).max(1000) }) },
        v1beta1: {},
      },
    }).converts({
      v1alpha1: {
        up: (old, generated) => ({ ...generated, timeout: old.seconds * 1000 }),
        down: (now, generated) => ({ ...generated, seconds: now.timeout / 1000 }),
      },
    });
    expect(roundTrips(WebApp, { runs: 50 }).pairs).toEqual(pairs);
  });
});

describe('CRD-V9, CRD-E15: the planted loss is found, with pair, place and the smallest object', () => {
  test('a field that is dropped', () => {
    const error = failureOf(byHand({ up: (old) => ({ ...right.up(old), image: '' }) }));
    expect(error).toMatchObject({
      code: 'CRD_CONVERSION_LOSSY',
      way: ['v1alpha1', 'v1', 'v1alpha1'],
      path: 'spec.image',
      seed: 1,
    });
    expect(error.what).toMatch(/^was "." and is "", since v1 does not hold it$/);
    expect(error.object).toMatchObject({
      apiVersion: 'example.com/v1alpha1',
      spec: { image: expect.stringMatching(/^.$/) },
    });
  });

  test('a field that is renamed on one way only', () => {
    const renaming = ({ replicas, ...now }: New): z.input<typeof alpha> =>
      ({ ...right.down({ ...now, replicas }), count: '0', cuont: String(replicas) }) as never;
    const error = failureOf(byHand({ down: renaming }));
    expect(error).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.count' });
    expect(error.what).toBe('was "1" and is "0", since v1 does not hold it');
    expect(error.object).toHaveProperty('spec', { image: '', count: '1' });
  });

  test('a text that is truncated', () => {
    const error = failureOf(byHand({ up: (old) => ({ ...right.up(old), image: old.image.slice(0, 5) }) }));
    expect(error).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.image' });
    expect([...(error.object as unknown as { spec: Old }).spec.image]).toHaveLength(6);
  });

  test('a text that is trimmed', () => {
    const found = failureOf(byHand({ up: (old) => ({ ...right.up(old), image: old.image.trim() }) }));
    expect(found).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.image' });
  });

  test('a list that is re-ordered', () => {
    const sorting = (now: New): z.input<typeof alpha> => {
      const { hosts, ...rest } = right.down(now);
      return hosts === undefined ? rest : { ...rest, hosts: hosts.toSorted() };
    };
    const error = failureOf(byHand({ down: sorting }));
    expect(error).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.hosts[0]' });
    const { hosts } = (error.object as unknown as { spec: Old }).spec;
    expect(hosts).toHaveLength(2);
    expect(hosts).not.toEqual(hosts?.toSorted());
  });

  test('an absent field that is given a default', () => {
    const error = failureOf(
      byHand({ down: (now) => ({ ...right.down(now), hosts: now.hosts.length > 0 ? now.hosts : ['localhost'] }) }),
    );
    expect(error).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.hosts' });
    expect(error.what).toBe('was absent and is ["localhost"], since v1 does not hold it');
    expect(error.object).toHaveProperty('spec', { image: '', count: expect.any(String) });
  });

  test('between two older versions and over a third, too', () => {
    const spec = z.object({ a: z.string() });
    const kind = (name: string): VersionedKind => {
      let calls = 0;
      const pass = (value: unknown): never => value as never;
      const fickle = (value: { a: string }): never => ({ a: calls++ % 2 === 0 ? value.a : `${value.a}!` }) as never;
      const conversions = {
        v1alpha1: { up: pass, down: pass },
        v1beta1: { up: pass, down: name === 'v1beta1' ? fickle : pass },
      };
      return customResource({ ...base, spec, versions: { v1alpha1: { spec }, v1beta1: { spec } } }).converts(
        conversions,
      );
    };
    expect(() => roundTrips(kind('none'))).not.toThrow();
    expect(() => roundTrips(kind('v1beta1'))).toThrow('CRD_CONVERSION_LOSSY');
  });

  test('an object that arrives otherwise over a third version', () => {
    const spec = z.object({ a: z.string(), b: z.string() });
    const plain = customResource({ ...base, spec, versions: { v1alpha1: { spec }, v1beta1: { spec } } });
    const odd: VersionedKind = {
      names: plain.names,
      manifest: (options) => plain.manifest(options),
      convert: (object, version) => {
        const converted = plain.convert(object, version) as typeof object & { spec?: z.output<typeof spec> };
        const isOdd =
          object.apiVersion === 'example.com/v1beta1' && version === 'v1alpha1' && converted.spec !== undefined;
        return isOdd ? ({ ...converted, spec: { ...converted.spec, b: '!' } } as typeof object) : converted;
      },
    };
    const error = failureOf(odd);
    expect(error).toMatchObject({ way: ['v1beta1', 'v1', 'v1alpha1'], path: 'spec.b' });
    expect(error.what).toMatch(/^was "!" and is "[^!]*", unlike directly from v1beta1$/);
  });

  test('what is not valid where it arrives', () => {
    const error = failureOf(byHand({ up: (old) => ({ ...right.up(old), replicas: -1 }) }));
    expect(error).toMatchObject({ way: ['v1alpha1', 'v1'], path: 'spec.replicas' });
    expect(error.what).toContain('is not valid in v1: Invalid value: -1');
    expect(error.cure).toContain('correct the conversion of spec.replicas, or give v1alpha1 the same bound or rule;');
  });

  test('what throws, waits, or cannot take an empty spec', () => {
    const throwing = failureOf(
      byHand({
        up: (old) => {
          if (old.image === 'boom') throw new Error('no such image');
          return right.up(old);
        },
      }),
      { samples: { 'spec.image': ['a', 'boom'] } },
    );
    expect(throwing).toMatchObject({ code: 'CRD_CONVERSION_LOSSY', way: ['v1alpha1', 'v1'], path: 'spec' });
    expect(throwing.what).toContain('converts.v1alpha1.up threw: no such image');
    expect(throwing.cause).toHaveProperty('code', 'CRD_CONVERSION_FAILED');
    const json = customResource({
      ...base,
      spec: z.object({ config: z.looseObject({}) }),
      versions: { v1alpha1: { spec: z.object({ json: z.string().regex(/^\{"a":[0-9]\}$/) }) } },
    }).converts({
      v1alpha1: {
        up: (old) => ({ config: JSON.parse(old.json) as {} }),
        down: () => ({ json: '{"a":1}' }),
      },
    });
    expect(failureOf(json).what).toContain('is empty and cannot be converted');
  });

  test('CRD-V8: what cannot take a part of a spec, said with the part', () => {
    const between = rule('self.min <= self.max', 'in order');
    const percent = z.int().min(0).max(100);
    const WebApp = customResource({
      ...base,
      spec: z.object({ min: percent, max: percent }).meta(between),
      versions: { v1alpha1: { spec: z.object({ min: percent, max: percent }).meta(between) } },
    }).converts({
      v1alpha1: {
        up: (old) => {
          if (!(old.min <= old.max)) throw new Error('min above max');
          return old;
        },
        down: (now) => now,
      },
    });
    expect(failureOf(WebApp)).toMatchObject({
      path: 'spec',
      what: expect.stringMatching(/^cannot be converted in an object without spec\.max: [^]*min above max/),
    });
  });

  test('a default of the newest version that shows in an older one', () => {
    const WebApp = customResource({
      ...base,
      spec: z.object({ port: z.int().default(443) }),
      versions: { v1alpha1: { spec: z.object({ port: z.int().optional() }) } },
    }).converts({ v1alpha1: { up: (old) => old, down: (now) => now } });
    expect(failureOf(WebApp, { hiddenOnly: { v1alpha1: ['spec.port'] } })).toMatchObject({
      way: ['v1alpha1', 'v1', 'v1alpha1'],
      path: 'spec.port',
      what: 'was absent and is 443',
    });
  });

  test('what lives in conversion data alone passes only where that is said', () => {
    const kind = customResource({
      ...base,
      spec: z.object({ a: z.string() }),
      versions: { v1alpha1: { spec: z.object({ a: z.string(), legacy: z.object({ x: z.string() }).optional() }) } },
    }).converts({ v1alpha1: { up: ({ a }) => ({ a }), down: ({ a }) => ({ a }) } });
    expect(failureOf(kind)).toMatchObject({ way: ['v1alpha1', 'v1', 'v1alpha1'], path: 'spec.legacy' });
    expect(() => roundTrips(kind, { hiddenOnly: { v1alpha1: ['spec.legacy'] } })).not.toThrow();
  });
});

describe('CRD-V6: what an older version does not show outlives a change made there', () => {
  const container = z.object({ name: z.enum(['main', 'proxy', 'log']), image: z.string() });
  const pods = customResource({
    ...base,
    spec: z.object({ containers: z.array(container).meta(listMap('name')), node: z.string() }),
    versions: { v1alpha1: { spec: z.object({ image: z.string().optional(), node: z.string() }) } },
  }).converts({
    v1alpha1: {
      up: ({ image, node }) => ({ containers: image === undefined ? [] : [{ name: 'main', image }], node }),
      down: ({ containers, node }) => {
        const image = containers.find(({ name }) => name === 'main')?.image;
        return { ...(image !== undefined && { image }), node };
      },
    },
  });

  test('as it does', () => {
    expect(() => roundTrips(pods)).not.toThrow();
  });

  /** Forgets what it kept as soon as somebody changed something. */
  const forgetful = (): VersionedKind => {
    const made = new Set<string>();
    const specOf = (object: object): string => JSON.stringify((object as { spec?: unknown }).spec);
    return {
      names: pods.names,
      manifest: (options) => pods.manifest(options),
      convert: (object, version) => {
        const isEdited = version === 'v1' && !made.has(specOf(object));
        const { status: _status, ...alone } = object as typeof object & { status?: unknown };
        const converted = pods.convert(isEdited ? alone : object, version);
        if (version !== 'v1') made.add(specOf(converted));
        return converted;
      },
    };
  };

  test('a loss of it is found, with the change and the place', () => {
    const error = failureOf(forgetful());
    expect(error).toMatchObject({ code: 'CRD_CONVERSION_LOSSY', way: ['v1', 'v1alpha1', 'v1'] });
    expect(error.path).toMatch(/^spec\.containers\[\d\]$/);
    expect(error.what).toMatch(
      /^was \{"name":"(proxy|log)","image":""\} and is absent, though nothing but spec\.(node|image) was changed in v1alpha1$/,
    );
    expect(() => roundTrips(forgetful(), { replay: error.replay })).toThrow('though nothing but');
  });
});

describe('CRD-V9: how it is run', () => {
  const cutting = byHand({ up: (old) => ({ ...right.up(old), image: old.image.slice(0, 2) }) });

  test('the message tells how to see it again, and that shows the same', () => {
    const first = failureOf(cutting, { seed: 42 });
    expect(first.message).toContain(`roundTrips(WebApp, { replay: '${first.replay}' })`);
    expect(first.replay).toMatch(/^v1alpha1>v1#42#[\d:]+$/);
    const again = failureOf(cutting, { replay: first.replay });
    expect([again.path, again.what, again.object]).toEqual([first.path, first.what, first.object]);
    expect(() => roundTrips(cutting, { replay: 'v9>v1#1#0' })).toThrow('does not match any pair of versions');
  });

  test('the same seed finds the same, another may find another', () => {
    expect(failureOf(cutting).object).toEqual(failureOf(cutting, { seed: 1 }).object);
    expect(failureOf(cutting, { seed: 7 }).seed).toBe(7);
  });

  test('rules and patterns that refuse nearly everything ask for samples', () => {
    const spec = z.object({ a: z.string().max(40) }).meta(rule("self.a == 'only this one'"));
    const strict = customResource({ ...base, spec, versions: { v1alpha1: { spec } } });
    const attempt = (): unknown => roundTrips(strict, { runs: 5 });
    expect(attempt).toThrow(KilterError);
    expect(attempt).toThrow(
      /nearly all objects made from the schema of WebApp v1alpha1 are refused[^]*TESTING_VALUES_REFUSED/,
    );
    expect(() => roundTrips(strict, { samples: { 'spec.a': ['only this one'] } })).not.toThrow();
  });

  test('the work for one object does not grow with the number of its fields', () => {
    const callsFor = (count: number): number => {
      let calls = 0;
      const spec = z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, z.string()])));
      const Wide = customResource({ ...base, spec, versions: { v1alpha1: { spec } } }).converts({
        v1alpha1: {
          up: (old) => {
            calls += 1;
            return old;
          },
          down: (now) => now,
        },
      });
      roundTrips(Wide, { runs: 2 });
      return calls;
    };
    expect(callsFor(60)).toBe(callsFor(30));
  });

  test('a resource with one version, or without conversions, is refused', () => {
    const single = customResource({ ...base, spec: z.object({}) }) as unknown as VersionedKind;
    expect(() => roundTrips(single)).toThrow('TESTING_KIND_INVALID');
    const missing = customResource({ ...base, spec: newest, versions: { v1alpha1: { spec: alpha } } });
    expect(() => roundTrips(missing)).toThrow('CRD_CONVERSION_MISSING');
  });

  test('a set, a cluster-scoped kind and strategy None make no difference', () => {
    const spec = z.object({ tags: z.array(z.string()).meta(listSet()) });
    expect(() =>
      roundTrips(customResource({ ...base, scope: 'Cluster', spec, versions: { v1beta1: { spec } } })),
    ).not.toThrow();
  });
});

test('validate judges objects of every version, also of those a webhook converts', () => {
  const kind = customResource({
    ...base,
    spec: z.object({ replicas: z.int().meta(renamed('v1', 'count')) }),
    versions: { v1beta1: {} },
  });
  const object = (version: string, spec: object): object => ({
    apiVersion: `example.com/${version}`,
    kind: 'WebApp',
    metadata: { name: 'x' },
    spec,
  });
  expect(validate(kind, object('v1', { replicas: 1 })).valid).toBe(true);
  expect(validate(kind.at('v1beta1'), object('v1beta1', { count: 1 })).valid).toBe(true);
  expect(validate(kind.at('v1beta1'), object('v1beta1', { replicas: 1 })).valid).toBe(false);
});
